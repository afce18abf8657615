package io.carillon.bridge.mobicents.app;

import java.io.IOException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.annotation.SipListener;
import org.mobicents.javax.servlet.CongestionControlEvent;
import org.mobicents.javax.servlet.ContainerListener;
import org.mobicents.javax.servlet.sip.SipServletRequestExt;
import org.mobicents.javax.servlet.sip.SipSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipSessionExt;

/** Answers a call from asynchronous work. */
@SipListener
@SuppressWarnings("deprecation") // as it was written
@javax.servlet.sip.annotation.SipServlet(
        name = "phone",
        applicationName = "mobicents-phone",
        loadOnStartup = 1)
public class MobicentsPhone extends SipServlet implements ContainerListener {
    /** Answers it. */
    private static final class Answer implements SipSessionAsynchronousWork {
        private static final long serialVersionUID = 1;

        private final transient SipServletRequest invite;

        Answer(SipServletRequest invite) {
            this.invite = invite;
        }

        @Override
        public void doAsynchronousWork(SipSession session) {
            try {
                invite.createResponse(SipServletResponse.SC_OK).send();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    protected void doInvite(SipServletRequest invite) {
        if (!((SipServletRequestExt) invite).isOrphan()) {
            ((SipSessionExt) invite.getSession()).scheduleAsynchronousWork(new Answer(invite));
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    public void onCongestionControlStarted(CongestionControlEvent event) {
        log(event.getMessage());
    }

    @Override
    public void onCongestionControlStopped(CongestionControlEvent event) {
        log(event.getMessage());
    }

    @Override
    public SipServletResponse onRequestThrottled(
            SipServletRequest request, CongestionControlEvent event) {
        return null;
    }
}

package io.carillon.servlet.feature.adopt;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionActivationListener;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionActivationListener;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** A user agent that keeps things of all kinds in its sessions, and says what it finds there. */
class Keeper extends SipServlet
        implements SipSessionActivationListener, SipApplicationSessionActivationListener {
    private static final long serialVersionUID = 1L;

    /** What each request within the call found. */
    final transient List<String> seen = new ArrayList<>();

    /** Sessions and application sessions that came from another node. */
    int activated;

    private transient @Nullable SipSession last;

    SipSession last() {
        return Objects.requireNonNull(last);
    }

    private SipFactory factory() {
        return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    private void keep(SipServletRequest invite) {
        SipSession session = invite.getSession();
        SipApplicationSession call = invite.getApplicationSession();
        session.setAttribute("text", "Käthe");
        session.setAttribute("number", 17L);
        session.setAttribute("small", (byte) -3);
        session.setAttribute("share", 0.25);
        session.setAttribute("sure", true);
        session.setAttribute("invite", invite);
        invite.setAttribute("said", 5L);
        session.setAttribute("call", call);
        session.setAttribute("factory", factory());
        call.setAttribute("session", session);
        call.setAttribute("from", invite.getFrom());
        call.setAttribute("uri", invite.getRequestURI());
    }

    private String found(SipSession session) {
        SipApplicationSession call = session.getApplicationSession();
        SipServletRequest invite = (SipServletRequest) session.getAttribute("invite");
        return session.getId()
                + ' '
                + call.getId()
                + ' '
                + session.getState()
                + ' '
                + session.getAttribute("text")
                + session.getAttribute("number")
                + session.getAttribute("small")
                + session.getAttribute("share")
                + session.getAttribute("sure")
                + ' '
                + (session.getAttribute("call") == call)
                + (call.getAttribute("session") == session)
                + (session.getAttribute("factory") == factory())
                + ' '
                + ((Address) call.getAttribute("from")).getURI()
                + ' '
                + call.getAttribute("uri")
                + ' '
                + (call.getAttribute("uri") instanceof URI)
                + ' '
                + invite.getCallId()
                + invite.getMethod()
                + invite.getRequestURI()
                + invite.getRemoteAddr()
                + (invite.getSession() == session)
                + invite.isInitial()
                + invite.getAttribute("said")
                + invite.isCommitted();
    }

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        if (request.isInitial()) {
            keep(request);
        }
        last = request.getSession();
        request.createResponse(200).send();
    }

    @Override
    protected void doAck(SipServletRequest request) {
        seen.add(found(request.getSession()));
    }

    @Override
    protected void doInfo(SipServletRequest request) throws IOException {
        request.createResponse(200).send();
    }

    @Override
    protected void doBye(SipServletRequest request) throws IOException {
        last = request.getSession();
        seen.add(found(request.getSession()));
        request.createResponse(200).send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        if (response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2) {
            last = response.getSession();
            response.createAck().send();
            seen.add(found(response.getSession()));
        }
    }

    /** A re-INVITE of this side. */
    void invite() {
        try {
            last().createRequest("INVITE").send();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void bye() {
        try {
            last().createRequest("BYE").send();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The call of this side. */
    void call(String uri) {
        try {
            SipServletRequest request =
                    factory()
                            .createRequest(
                                    factory().createApplicationSession(),
                                    "INVITE",
                                    "sip:server@10.0.0.1",
                                    uri);
            keep(request);
            request.send();
        } catch (javax.servlet.ServletException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void sessionWillPassivate(SipSessionEvent event) {}

    @Override
    public void sessionDidActivate(SipSessionEvent event) {
        activated++;
    }

    @Override
    public void sessionWillPassivate(SipApplicationSessionEvent event) {}

    @Override
    public void sessionDidActivate(SipApplicationSessionEvent event) {
        activated++;
    }
}

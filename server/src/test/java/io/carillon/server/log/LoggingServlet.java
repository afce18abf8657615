package io.carillon.server.log;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs all that happens to a call: the event, the Call-ID as the application knows it, its name.
 */
final class LoggingServlet extends SipServlet
        implements TimerListener, SipSessionListener, SipApplicationSessionListener, AutoCloseable {
    private static final long serialVersionUID = 1L;

    static final String LOGGER = "carillon-test-calls";

    /** Of each call. */
    static final int LINES = 9;

    private static final String CALL = "call";
    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final java.util.logging.Logger JUL = java.util.logging.Logger.getLogger(LOGGER);

    private final transient ExecutorService own = Executors.newVirtualThreadPerTaskExecutor();

    private final String name;

    /**
     * @param name of the application
     */
    LoggingServlet(String name) {
        this.name = name;
    }

    private String of(String callId) {
        return callId + " " + name;
    }

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        SipApplicationSession session = request.getApplicationSession();
        session.setAttribute(CALL, request.getCallId());
        LOG.debug("debug-slf4j {}", of(request.getCallId()));
        JUL.log(java.util.logging.Level.FINE, "debug-jul {0}", of(request.getCallId()));
        LOG.info("message-slf4j {}", of(request.getCallId()));
        JUL.log(java.util.logging.Level.INFO, "message-jul {0}", of(request.getCallId()));
        getServletContext().log("message-context " + of(request.getCallId()));
        ((TimerService) getServletContext().getAttribute(TIMER_SERVICE))
                .createTimer(session, 1, false, request.getCallId());
        request.createResponse(200).send();
        own.execute(() -> backInTheTurn(session, request.getCallId()));
    }

    @SuppressWarnings("unchecked")
    private void backInTheTurn(SipApplicationSession session, String callId) {
        Function<SipApplicationSession, Executor> turn =
                (Function<SipApplicationSession, Executor>)
                        getServletContext().getAttribute("io.carillon.turn");
        turn.apply(session).execute(() -> LOG.info("turn {}", of(callId)));
    }

    @Override
    protected void doAck(SipServletRequest request) {
        LOG.info("message-ack {}", of(request.getCallId()));
    }

    @Override
    protected void doBye(SipServletRequest request) throws IOException {
        LOG.info("message-bye {}", of(request.getCallId()));
        request.createResponse(200).send();
    }

    @Override
    public void timeout(ServletTimer timer) {
        LOG.info("timer {}", of((String) timer.getInfo()));
    }

    @Override
    public void sessionDestroyed(SipSessionEvent event) {
        LOG.info("session-ended {}", of(event.getSession().getCallId()));
    }

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {
        String callId = (String) event.getApplicationSession().getAttribute(CALL);
        LOG.info("application-session-ended {}", of(callId));
    }

    @Override
    public void sessionCreated(SipSessionEvent event) {}

    @Override
    public void sessionReadyToInvalidate(SipSessionEvent event) {}

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {}

    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {}

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {}

    @Override
    public void close() {
        own.close();
    }
}

package io.carillon.pojo.engine;

import java.io.IOException;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.annotation.SipListener;
import org.jspecify.annotations.Nullable;

/** Brings what happens to sessions and timers to the handlers of an application. */
@SipListener
public class HandlerListener
        implements ServletContextListener,
                SipApplicationSessionListener,
                SipSessionListener,
                SipServletListener,
                TimerListener,
                SipErrorListener {
    private volatile @Nullable ServletContext context;
    private volatile @Nullable Handlers known;

    /** Found by its annotation, or made beside a {@link HandlerServlet}. */
    public HandlerListener() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        context = event.getServletContext();
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        known = null;
        context = null;
    }

    /** Null before the servlet is initialized and after its end: then nobody can be told. */
    private @Nullable Handlers handlers() {
        Handlers found = known;
        ServletContext of = context;
        if (found == null
                && of != null
                && of.getAttribute(HandlerServlet.HANDLERS) instanceof Handlers handlers) {
            found = handlers;
            known = found;
        }
        return found;
    }

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.created(event.getApplicationSession());
        }
    }

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.destroyed(event.getApplicationSession());
        }
    }

    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.expired(event.getApplicationSession());
        }
    }

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.readyToInvalidate(event.getApplicationSession());
        }
    }

    @Override
    public void sessionCreated(SipSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.created(event.getSession());
        }
    }

    @Override
    public void sessionDestroyed(SipSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.destroyed(event.getSession());
        }
    }

    @Override
    public void sessionReadyToInvalidate(SipSessionEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.readyToInvalidate(event.getSession());
        }
    }

    @Override
    public void servletInitialized(SipServletContextEvent event) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.initialized(event);
        }
    }

    @Override
    public void timeout(ServletTimer timer) {
        Handlers handlers = handlers();
        if (handlers != null) {
            handlers.timeout(timer);
        }
    }

    /**
     * Without a handler the session ends. RFC 3261 section 13.3.1.4: "the dialog is confirmed, but
     * the session SHOULD be terminated. This is accomplished with a BYE".
     */
    @Override
    public void noAckReceived(SipErrorEvent event) {
        Handlers handlers = handlers();
        SipSession session = event.getRequest().getSession();
        if ((handlers == null || !handlers.noAck(event))
                && session.isValid()
                && session.getState() == SipSession.State.CONFIRMED) {
            try {
                session.createRequest("BYE").send();
            } catch (IOException e) {
                throw new IllegalStateException("the BYE after a missing ACK cannot be sent", e);
            }
        }
    }

    /**
     * Without a handler the request fails. RFC 3262 section 3: "the UAS SHOULD reject the original
     * request with a 5xx response."
     */
    @Override
    public void noPrackReceived(SipErrorEvent event) {
        Handlers handlers = handlers();
        if ((handlers == null || !handlers.noPrack(event)) && !event.getRequest().isCommitted()) {
            try {
                event.getRequest()
                        .createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR)
                        .send();
            } catch (IOException e) {
                throw new IllegalStateException("the 500 after a missing PRACK cannot be sent", e);
            }
        }
    }
}

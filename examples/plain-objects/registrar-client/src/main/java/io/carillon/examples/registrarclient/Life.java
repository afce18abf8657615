package io.carillon.examples.registrarclient;

import java.util.Iterator;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipSessionAttributeListener;
import javax.servlet.sip.SipSessionBindingEvent;
import javax.servlet.sip.TimerService;

/**
 * When the line begins, ends, and has lost its flow. All of it becomes a timer, so that everything
 * else happens in {@link Line}.
 */
public class Life
        implements SipServletListener,
                ServletContextAttributeListener,
                SipSessionAttributeListener {
    private static final int AT_ONCE = 1;

    private volatile SipApplicationSession line;

    /** The first moment at which an application may send. */
    @Override
    public void servletInitialized(SipServletContextEvent event) {
        if (line != null) {
            return; // once for each servlet
        }
        ServletContext context = event.getServletContext();
        SipApplicationSession session =
                ((SipFactory) context.getAttribute(SipServlet.SIP_FACTORY))
                        .createApplicationSession();
        session.setExpires(0);
        line = session;
        timer(context, session, Line.REGISTER);
    }

    /**
     * Carillon says so when this version goes out of service; its last session would be there for
     * ever.
     */
    @Override
    public void attributeAdded(ServletContextAttributeEvent event) {
        SipApplicationSession session = line;
        if (event.getName().equals("io.carillon.retiring") && session != null) {
            timer(event.getServletContext(), session, Line.LEAVE);
        }
    }

    /** RFC 5626 4.5: a flow that failed is replaced by registering anew. */
    @Override
    public void attributeAdded(SipSessionBindingEvent event) {
        if (event.getName().equals("io.carillon.flow.failed")) {
            SipApplicationSession session = event.getSession().getApplicationSession();
            timer(event.getSession().getServletContext(), session, Line.REGISTER);
        }
    }

    private static void timer(ServletContext context, SipApplicationSession session, String what) {
        Iterator<ServletTimer> before = session.getTimers().iterator();
        while (before.hasNext()) {
            before.next().cancel();
        }
        ((TimerService) context.getAttribute(SipServlet.TIMER_SERVICE))
                .createTimer(session, AT_ONCE, false, what);
    }

    @Override
    public void attributeRemoved(ServletContextAttributeEvent event) {
        // Others' attributes.
    }

    @Override
    public void attributeReplaced(ServletContextAttributeEvent event) {
        // Others' attributes.
    }

    @Override
    public void attributeRemoved(SipSessionBindingEvent event) {
        // The flow is whole again.
    }

    @Override
    public void attributeReplaced(SipSessionBindingEvent event) {
        // Our own attributes.
    }
}

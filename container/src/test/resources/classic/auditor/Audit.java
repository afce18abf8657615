package org.example.auditor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.sip.*;

/** One listener of everything; it writes the story of each call to a log server. */
public class Audit implements SipServletListener, SipApplicationSessionListener, SipSessionListener,
        SipSessionAttributeListener, SipApplicationSessionAttributeListener {
    private final List<String> story = new ArrayList<String>();
    private ServletContext context;

    public void servletInitialized(SipServletContextEvent event) {
        context = event.getServletContext();
        story.add("servlet " + event.getSipServlet().getServletName());
    }

    public void sessionCreated(SipApplicationSessionEvent event) {
        story.add("call");
    }

    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
        story.add("call ready");
    }

    public void sessionExpired(SipApplicationSessionEvent event) {
        story.add("call expired");
    }

    public void sessionCreated(SipSessionEvent event) {
        story.add("dialog");
    }

    public void sessionReadyToInvalidate(SipSessionEvent event) {
        story.add("dialog ready " + event.getSession().getState());
    }

    public void sessionDestroyed(SipSessionEvent event) {
        story.add("dialog gone");
    }

    public void attributeAdded(SipSessionBindingEvent event) {
        story.add(event.getName() + " " + event.getSession().getAttribute(event.getName()));
    }

    public void attributeReplaced(SipSessionBindingEvent event) {
        story.add(event.getName() + " now " + event.getSession().getAttribute(event.getName()));
    }

    public void attributeRemoved(SipSessionBindingEvent event) {
        story.add(event.getName() + " removed");
    }

    public void attributeAdded(SipApplicationSessionBindingEvent event) {
        story.add(event.getName());
    }

    public void attributeReplaced(SipApplicationSessionBindingEvent event) {}

    public void attributeRemoved(SipApplicationSessionBindingEvent event) {}

    public void sessionDestroyed(SipApplicationSessionEvent event) {
        story.add("call gone");
        StringBuffer text = new StringBuffer();
        for (Iterator<String> all = story.iterator(); all.hasNext();) {
            text.append(all.next()).append("\r\n");
        }
        story.clear();
        if (text.indexOf("answered") < 0) {
            return;
        }
        SipFactory factory = (SipFactory) context.getAttribute("javax.servlet.sip.SipFactory");
        try {
            SipServletRequest report = factory.createRequest(factory.createApplicationSession(),
                    "MESSAGE", "sip:audit@10.0.0.1", "sip:log@10.0.1.9:5069");
            report.setContent(text.toString(), "text/plain");
            report.send();
        } catch (Exception e) {
            context.log("report", e);
        }
    }
}

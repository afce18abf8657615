package io.carillon.server.http.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.annotation.PostConstruct;
import javax.annotation.Resource;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.annotation.WebListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import javax.servlet.sip.ConvergedHttpSession;
import javax.servlet.sip.SipApplicationSessionAttributeListener;
import javax.servlet.sip.SipApplicationSessionBindingEvent;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.annotation.SipListener;

/** Listens on both sides and writes down what it hears. */
@WebListener
@SipListener
public class ListenerLog
        implements ServletContextListener,
                ServletContextAttributeListener,
                HttpSessionListener,
                SipApplicationSessionListener,
                SipApplicationSessionAttributeListener {
    static final List<String> HEARD = new CopyOnWriteArrayList<>();
    static final AtomicInteger INSTANCES = new AtomicInteger();

    @Resource SipFactory factory;

    public ListenerLog() {
        INSTANCES.incrementAndGet();
    }

    static void said(String text) {
        HEARD.add(text);
    }

    @PostConstruct
    void made() {
        said("made");
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        said("contextInitialized " + (factory != null));
        event.getServletContext().setAttribute("set by the web listener", "yes");
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        said("contextDestroyed");
        System.setProperty("io.carillon.test.witness", String.join(",", HEARD));
    }

    @Override
    public void attributeAdded(ServletContextAttributeEvent event) {
        if (event.getName().startsWith("page.")) {
            said("added " + event.getName());
        }
    }

    @Override
    public void attributeRemoved(ServletContextAttributeEvent event) {}

    @Override
    public void attributeReplaced(ServletContextAttributeEvent event) {}

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        said("http created " + (event.getSession() instanceof ConvergedHttpSession));
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        said("http destroyed");
    }

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {
        said("application session created");
    }

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {
        said("application session destroyed");
    }

    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {}

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
        said("ready");
    }

    @Override
    public void attributeAdded(SipApplicationSessionBindingEvent event) {
        SerialCheck.run();
    }

    @Override
    public void attributeRemoved(SipApplicationSessionBindingEvent event) {}

    @Override
    public void attributeReplaced(SipApplicationSessionBindingEvent event) {
        SerialCheck.run();
    }
}

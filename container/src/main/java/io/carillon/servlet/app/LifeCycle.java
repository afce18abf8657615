package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks of an application's beginning and end, each at most once: whoever was told of the
 * one is told of the other, in reverse order. Of the deploying thread, with the application's class
 * loader as its context.
 */
final class LifeCycle {
    private static final Logger LOG = LoggerFactory.getLogger(LifeCycle.class);

    private final String application;
    private final String archive;
    private final SipServletContext context;

    /** What is being done now, for whoever waits for it. */
    private volatile String doing = "nothing yet";

    /** Of who tells late, and who ends: what was begun to be told ends before its servlet does. */
    private final ReentrantLock late = new ReentrantLock();

    /** Its servlets were destroyed, or are about to be. Guarded by {@link #late}. */
    private boolean ended;

    // What has to be undone, in order.
    private final List<NamedServlet> initialized = new ArrayList<>();
    private final List<ServletContextListener> contextsTold = new ArrayList<>();

    LifeCycle(String application, String archive, SipServletContext context) {
        this.application = application;
        this.archive = archive;
        this.context = context;
    }

    /** As {@code init of servlet main (com.example.Main)}; any thread. */
    String doing() {
        return doing;
    }

    /** From now on this is done. */
    void doing(String what) {
        doing = what;
    }

    void tellContextListeners(Listeners listeners) throws DeploymentException {
        ServletContextEvent event = new ServletContextEvent(context.shown());
        for (ServletContextListener listener : listeners.contexts()) {
            try {
                contextsTold.add(listener);
                doing("contextInitialized of " + listener.getClass().getName());
                listener.contextInitialized(event);
            } catch (RuntimeException | Error e) {
                contextsTold.removeLast();
                throw new DeploymentException(
                        archive,
                        0,
                        "listener " + listener.getClass().getName(),
                        "contextInitialized threw " + e,
                        e);
            }
        }
    }

    /**
     * Initializes the servlets in the order of load-on-startup.
     *
     * @param first keeps what they begin by themselves; null where they may at once
     */
    void initialize(
            ApplicationDescription description,
            Map<String, NamedServlet> servlets,
            Listeners listeners,
            @Nullable FirstWork first)
            throws DeploymentException {
        for (ServletDescription servlet : description.inOrderOfStart()) {
            NamedServlet named = servlets.get(servlet.name());
            if (named != null) {
                initialize(servlet, named, listeners, first);
            }
        }
    }

    private void initialize(
            ServletDescription servlet,
            NamedServlet named,
            Listeners listeners,
            @Nullable FirstWork first)
            throws DeploymentException {
        String element = "servlet " + servlet.name();
        try {
            doing("init of servlet " + named.name() + " (" + servlet.className() + ")");
            named.servlet().init(new SipServletConfig(servlet, context.shown()));
            initialized.add(named);
            if (named.servlet() instanceof SipServlet sip
                    && (first == null || !first.keeps(this, () -> tellLate(sip, listeners)))) {
                for (SipServletListener listener : listeners.servlets()) {
                    doing("servletInitialized of " + listener.getClass().getName());
                    listener.servletInitialized(new SipServletContextEvent(context.shown(), sip));
                }
            }
        } catch (ServletException | RuntimeException | Error e) {
            String where =
                    initialized.contains(named) ? "servletInitialized threw " : "init threw ";
            throw new DeploymentException(archive, 0, element, where + thrown(e), e);
        }
    }

    /** The application has started long ago: what a listener throws is for the log. */
    private void tellLate(SipServlet servlet, Listeners listeners) {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            for (SipServletListener listener : listeners.servlets()) {
                tellLate(servlet, listener);
            }
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private void tellLate(SipServlet servlet, SipServletListener listener) {
        late.lock();
        try {
            if (!ended) {
                quietly(
                        "servletInitialized of " + listener.getClass().getName(),
                        () ->
                                listener.servletInitialized(
                                        new SipServletContextEvent(context.shown(), servlet)));
            }
        } finally {
            late.unlock();
        }
    }

    /** An exception that is meant for people by its text, any other with the place it came from. */
    private static String thrown(Throwable e) {
        if (e instanceof ServletException && e.getMessage() != null) {
            return "ServletException: " + e.getMessage();
        }
        StackTraceElement[] trace = e.getStackTrace();
        if (trace.length == 0) {
            return e.toString();
        }
        StackTraceElement at = trace[0];
        return e
                + " at "
                + at.getClassName()
                + '.'
                + at.getMethodName()
                + '('
                + at.getFileName()
                + ':'
                + at.getLineNumber()
                + ')';
    }

    void destroyServlets() {
        late.lock();
        try {
            ended = true;
        } finally {
            late.unlock();
        }
        for (NamedServlet named : initialized.reversed()) {
            quietly(
                    "destroy of servlet "
                            + named.name()
                            + " ("
                            + named.servlet().getClass().getName()
                            + ")",
                    named.servlet()::destroy);
        }
        initialized.clear();
    }

    void tellContextsDestroyed() {
        ServletContextEvent event = new ServletContextEvent(context.shown());
        for (ServletContextListener listener : contextsTold.reversed()) {
            quietly(
                    "contextDestroyed of " + listener.getClass().getName(),
                    () -> listener.contextDestroyed(event));
        }
        contextsTold.clear();
    }

    /** A failing callback must not keep the rest alive: it is logged, and the work goes on. */
    void quietly(String what, Runnable call) {
        doing(what);
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("application {}: {} failed", application, what, e);
        }
    }
}

package io.carillon.servlet.dispatch;

import io.carillon.servlet.ApplicationThreads;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.session.SessionEvents;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;

/**
 * Every call into application code goes through here: its class loader is set, the watchdog knows
 * of it, what it throws is counted and told and harms no other call. With the turn held.
 */
public final class ApplicationCalls implements SessionEvents.Caller {
    private final ApplicationThreads threads;
    private final ApplicationErrors errors;

    public ApplicationCalls(ApplicationThreads threads, ApplicationErrors errors) {
        this.threads = threads;
        this.errors = errors;
    }

    private record Listening(String application, String servlet, String method)
            implements ApplicationThreads.Work {
        @Override
        public String callId() {
            return "";
        }
    }

    /** Gives the request to the servlet. False when it threw. */
    public boolean service(Application application, NamedServlet handler, ServletRequest request) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        threads.began(request);
        try {
            handler.servlet().service(request, null);
            return true;
        } catch (Throwable e) {
            errors.applicationFailed(
                    application.name(),
                    "servlet " + handler.name(),
                    request.getMethod(),
                    request.getCallId(),
                    e);
            return false;
        } finally {
            threads.ended(request);
            thread.setContextClassLoader(before);
        }
    }

    /** Gives the response to the servlet. False when it threw. */
    public boolean service(
            Application application, NamedServlet handler, ServletResponse response) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        threads.began(response);
        try {
            handler.servlet().service(null, response);
            return true;
        } catch (Throwable e) {
            errors.applicationFailed(
                    application.name(),
                    "servlet " + handler.name(),
                    response.method() + " to " + response.getMethod(),
                    response.getCallId(),
                    e);
            return false;
        } finally {
            threads.ended(response);
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public <T> void tell(
            Application application, List<T> listeners, String what, Consumer<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        try {
            for (T listener : listeners) {
                tellOne(application, listener, what, call);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private <T> void tellOne(Application application, T listener, String what, Consumer<T> call) {
        String name = listener.getClass().getName();
        ApplicationThreads.Work work = new Listening(application.name(), name, what);
        threads.began(work);
        try {
            call.accept(listener);
        } catch (Throwable e) {
            errors.applicationFailed(application.name(), "listener " + name, what, "", e);
        } finally {
            threads.ended(work);
        }
    }

    /** True when somebody listened. */
    public boolean noAck(
            Application application, ServletRequest request, ServletResponse response) {
        List<SipErrorListener> listeners = application.listeners().errors();
        tell(
                application,
                listeners,
                "noAckReceived",
                l -> l.noAckReceived(new SipErrorEvent(request, response)));
        return !listeners.isEmpty();
    }

    /** True when somebody listened. */
    public boolean noPrack(
            Application application, ServletRequest request, ServletResponse response) {
        List<SipErrorListener> listeners = application.listeners().errors();
        tell(
                application,
                listeners,
                "noPrackReceived",
                l -> l.noPrackReceived(new SipErrorEvent(request, response)));
        return !listeners.isEmpty();
    }
}

package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.feature.security.Gate;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.RequestPending;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.SessionEvents;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.Passed;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.servlet.turn.Turn;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import org.jspecify.annotations.Nullable;

/**
 * Every call into application code goes through here: its class loader is set, the watchdog knows
 * of it, what it throws is counted and told and harms no other call. With the turn held.
 */
public final class ApplicationCalls implements SessionEvents.Caller {
    private final ApplicationThreads threads;
    private final ApplicationErrors errors;

    /** Null nearly always: reading it is all that a trace costs while none is on. */
    private volatile @Nullable TurnTap tap;

    public ApplicationCalls(ApplicationThreads threads, ApplicationErrors errors) {
        this.threads = threads;
        this.errors = errors;
    }

    /** Shows every call to that one from now on, or to nobody; any thread. */
    public void tap(@Nullable TurnTap onlooker) {
        tap = onlooker;
    }

    /** Null while nobody looks on. */
    public @Nullable TurnTap tap() {
        return tap;
    }

    /** Work of ours for that application, or of that name, failed by a fault of the container. */
    void failed(String what, Throwable error) {
        errors.containerFailed(what, error);
    }

    /** The application could not say which servlet is to have a request. */
    void mappingFailed(Application application, SipRequest received, Throwable error) {
        errors.applicationFailed(
                application.name(), "mapping", received.method(), received.callId(), error);
    }

    private record Listening(String application, String servlet, String method)
            implements ApplicationThreads.Work {
        @Override
        public String callId() {
            return "";
        }
    }

    /**
     * Gives the request to the servlet, when the application's gate lets it. False when it threw.
     */
    public boolean service(Application application, NamedServlet handler, ServletRequest request) {
        if (Gate.of(application) == null) {
            return serve(application, handler, request);
        }
        Passed passed =
                pass(
                        application,
                        handler,
                        request,
                        () -> {
                            UasTransaction server = request.uas();
                            if (!service(application, handler, request) && server != null) {
                                server.answer(500);
                            }
                        });
        return passed == Passed.IN ? serve(application, handler, request) : passed != Passed.FAILED;
    }

    /**
     * Asks the gate, if there is one.
     *
     * @param again takes the request once more, in its turn, when the user store has been asked
     */
    public Passed pass(
            Application application, NamedServlet handler, ServletRequest request, Runnable again) {
        Gate gate = Gate.of(application);
        if (gate == null) {
            return Passed.IN;
        }
        try {
            return switch (gate.check(handler, request)) {
                case ADMITTED -> Passed.IN;
                case ANSWERED -> Passed.NOT_NOW;
                case ASK -> {
                    threads.execute(
                            () -> askAndReturn(gate, application, handler, request, again),
                            request.countedAt());
                    yield Passed.NOT_NOW;
                }
            };
        } catch (RuntimeException e) {
            errors.containerFailed("security gate of " + application.name(), e);
            return Passed.FAILED;
        }
    }

    /** On a thread of applications: asks the user store, then comes back into the turn. */
    private void askAndReturn(
            Gate gate,
            Application application,
            NamedServlet handler,
            ServletRequest request,
            Runnable again) {
        Asked asked = asked(gate, application, handler, request);
        request.getApplicationSession()
                .submit(
                        new TurnTask() {
                            @Override
                            protected void run() {
                                UasTransaction server = request.uas();
                                if (server == null || server.finalSent()) {
                                    return; // cancelled meanwhile
                                }
                                switch (asked) {
                                    case SAID -> again.run();
                                    case BUSY -> gate.busy(request);
                                    case FAILED -> server.answer(500);
                                }
                            }
                        });
    }

    private enum Asked {
        SAID,
        BUSY,
        FAILED
    }

    private Asked asked(
            Gate gate, Application application, NamedServlet handler, ServletRequest request) {
        try {
            return gate.ask(handler, request) ? Asked.SAID : Asked.BUSY;
        } catch (RuntimeException e) {
            errors.containerFailed("user store for " + application.name(), e);
            return Asked.FAILED;
        }
    }

    /** Gives the request to the servlet, past the gate. False when it threw. */
    public boolean serve(Application application, NamedServlet handler, ServletRequest request) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        threads.began(request);
        TurnTap onlooker = tap;
        long beganNanos =
                onlooker == null
                        ? 0
                        : onlooker.begins(request.getApplicationSession(), request.getCallId());
        boolean served = false;
        try {
            handler.servlet().service(request, null);
            served = true;
            return true;
        } catch (Throwable e) {
            if (e instanceof RequestPending && answeredPending(request)) {
                served = true;
                return true;
            }
            errors.applicationFailed(
                    application.name(),
                    "servlet " + handler.name(),
                    request.getMethod(),
                    request.getCallId(),
                    e);
            return false;
        } finally {
            if (onlooker != null) {
                onlooker.handled(
                        request.getApplicationSession(),
                        request.getCallId(),
                        handler.name(),
                        request.getMethod(),
                        0,
                        beganNanos,
                        !served);
            }
            threads.ended(request);
            thread.setContextClassLoader(before);
        }
    }

    /**
     * A request that the application could not relay, as the other leg has one under way. RFC 3261
     * 14.2: "A UAS that receives an INVITE on a dialog while an INVITE it had sent on that dialog
     * is in progress MUST return a 491 (Request Pending) response to the received INVITE." Both
     * legs are one call, so the peer hears the same, and tries again.
     */
    private static boolean answeredPending(ServletRequest request) {
        UasTransaction server = request.uas();
        boolean renews =
                request.getMethod().equals(Methods.INVITE)
                        || request.getMethod().equals(Methods.UPDATE);
        if (!renews || request.isInitial() || server == null || server.finalSent()) {
            return false;
        }
        server.answer(491);
        return true;
    }

    /** Gives the response to the servlet. False when it threw. */
    public boolean service(
            Application application, NamedServlet handler, ServletResponse response) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application.classLoader());
        threads.began(response);
        TurnTap onlooker = tap;
        long beganNanos =
                onlooker == null
                        ? 0
                        : onlooker.begins(response.getApplicationSession(), response.getCallId());
        boolean served = false;
        try {
            handler.servlet().service(null, response);
            served = true;
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
            if (onlooker != null) {
                onlooker.handled(
                        response.getApplicationSession(),
                        response.getCallId(),
                        handler.name(),
                        response.getMethod(),
                        response.getStatus(),
                        beganNanos,
                        !served);
            }
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
        TurnTap onlooker = tap;
        ApplicationSession parent = onlooker == null ? null : inTurnOf(application);
        long beganNanos = onlooker == null || parent == null ? 0 : onlooker.begins(parent, "");
        boolean heard = false;
        try {
            call.accept(listener);
            heard = true;
        } catch (Throwable e) {
            errors.applicationFailed(application.name(), "listener " + name, what, "", e);
        } finally {
            if (onlooker != null && parent != null) {
                onlooker.handled(parent, "", name, what, 0, beganNanos, !heard);
            }
            threads.ended(work);
        }
    }

    /** Null where this thread has the turn of none of its sessions. */
    private static @Nullable ApplicationSession inTurnOf(Application application) {
        return Turn.current() instanceof ApplicationSession parent
                        && parent.application() == application
                ? parent
                : null;
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

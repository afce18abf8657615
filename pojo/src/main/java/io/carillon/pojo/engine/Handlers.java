package io.carillon.pojo.engine;

import io.carillon.pojo.NamedTimer;
import io.carillon.pojo.NoAckReceived;
import io.carillon.pojo.NoPrackReceived;
import io.carillon.pojo.ServletInitialized;
import io.carillon.pojo.SessionCreated;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SessionExpired;
import io.carillon.pojo.SessionReadyToInvalidate;
import io.carillon.pojo.SipStatusException;
import io.carillon.pojo.current.Current;
import io.carillon.pojo.current.Dispatch;
import io.carillon.pojo.engine.Arguments.Occasion;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import org.jspecify.annotations.Nullable;

/**
 * All handlers of one application, and what happens where none of them matches. Made by the
 * deploying thread, immutable from then on; called on any thread, for one application session by
 * one at a time.
 */
final class Handlers {
    /** Of the servlet context: parameter of the execution mode. */
    private static final String EXECUTION = "io.carillon.execution";

    /** Of a SIP session: true when this application stays in its path as a proxy. */
    private static final String PROXIED = "io.carillon.pojo.proxied";

    private final BeanSource source;
    private final HandlerTable table;
    private final Map<String, Handler> timers;
    private final Map<String, List<Handler>> events;
    private final Bridging bridging = new Bridging();
    private final Outcomes outcomes;
    private final boolean marksCalls;
    private final boolean observers;

    private Handlers(BeanSource source, HandlerCompiler compiled, SipFactory factory)
            throws HandlerException {
        this.source = source;
        this.table = new HandlerTable(compiled.messages);
        this.timers = Map.copyOf(compiled.timers);
        this.events = Map.copyOf(compiled.events);
        this.outcomes = new Outcomes(factory, bridging);
        this.marksCalls = compiled.usesCalls || source.hasCallScope();
        this.observers = source.hasEventObservers();
    }

    /**
     * Compiles the handlers of a source that was started.
     *
     * @throws HandlerException naming what is wrong
     */
    static Handlers compile(BeanSource source, List<HandlerBean> beans, ServletContext context)
            throws HandlerException {
        HandlerCompiler compiler = new HandlerCompiler(context);
        for (HandlerBean bean : beans) {
            compiler.add(bean);
        }
        boolean neverWaits = "non-blocking".equals(context.getInitParameter(EXECUTION));
        if (neverWaits) {
            for (Handler handler : compiler.messages) {
                if (!handler.nonBlocking()) {
                    throw new HandlerException(
                            handler.label()
                                    + ": the application says "
                                    + EXECUTION
                                    + " = non-blocking, and the class of this handler is not"
                                    + " annotated @NonBlocking");
                }
            }
        }
        return new Handlers(
                source, compiler, (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY));
    }

    // ---- messages ----

    void handle(SipServletRequest request) throws ServletException, IOException {
        Dispatch dispatch = Dispatch.of(request);
        Current.handle(dispatch, () -> handle(dispatch, request));
    }

    private void handle(Dispatch dispatch, SipServletRequest request)
            throws ServletException, IOException {
        Handler handler = table.find(request);
        boolean observed = source.observe(request);
        if (handler != null) {
            call(handler, dispatch, request);
        } else if (!observed) {
            unhandled(request);
        }
    }

    private void call(Handler handler, Dispatch dispatch, SipServletRequest request)
            throws ServletException, IOException {
        try {
            outcomes.apply(handler.invoke(dispatch), request);
            noteProxied(request);
        } catch (SipStatusException answer) {
            Outcomes.respond(answer, request);
        } catch (UnsuitableMessageException unsuitable) {
            if (!isAnswered(request.getMethod())) {
                throw new ServletException(
                        handler.label() + ": " + unsuitable.reason(), unsuitable);
            }
            Outcomes.respond(unsuitable, request);
        } catch (Throwable failure) {
            answerOrThrow(failure, request);
        }
    }

    private static boolean isAnswered(String method) {
        return !method.equals("ACK") && !method.equals("CANCEL");
    }

    /** A proxy wraps what its method does not declare. */
    private static void answerOrThrow(Throwable failure, SipServletRequest request)
            throws ServletException, IOException {
        if (failure instanceof UndeclaredThrowableException wrapped
                && wrapped.getCause() instanceof SipStatusException answer) {
            Outcomes.respond(answer, request);
            return;
        }
        throw sneaked(failure);
    }

    private static ServletException sneaked(Throwable failure)
            throws ServletException, IOException {
        return switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case ServletException e -> throw e;
            case IOException e -> throw e;
            default -> new ServletException(failure.toString(), failure);
        };
    }

    /**
     * RFC 3261 section 8.2.1: "If the UAS recognizes but does not support the method of a request,
     * it MUST generate a 405 (Method Not Allowed) response." A method that is handled, but not for
     * this URI or these headers, is a user or a resource that is not here: 404.
     */
    private void unhandled(SipServletRequest request) throws IOException {
        String method = request.getMethod();
        if (bridging.relay(request) || !isAnswered(method) || request.isCommitted()) {
            return;
        }
        if (request.isInitial()) {
            if (table.handles(method)) {
                request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            } else {
                notAllowed(request);
            }
            return;
        }
        if (isProxied(request)) {
            return; // the container sends on what belongs to a proxied call
        }
        switch (method) {
            // RFC 3261 15.1.2: "The UAS core MUST generate a 2xx response".
            case "BYE", "PRACK" -> request.createResponse(SipServletResponse.SC_OK).send();
            default -> notAllowed(request);
        }
    }

    /** Only its initial request tells of a session that it is proxied, so that is noted. */
    private static void noteProxied(SipServletRequest request) {
        if (request.isInitial()) {
            Proxy proxy = proxyOf(request);
            if (proxy != null && proxy.getRecordRoute()) {
                request.getSession().setAttribute(PROXIED, true);
            }
        }
    }

    private static @Nullable Proxy proxyOf(SipServletRequest request) {
        try {
            return request.getProxy(false);
        } catch (TooManyHopsException e) {
            return null; // answered 483 by the container
        }
    }

    private static boolean isProxied(SipServletRequest request) {
        SipSession session = request.getSession(false);
        return session != null && session.getAttribute(PROXIED) != null;
    }

    private void notAllowed(SipServletRequest request) throws IOException {
        Set<String> allowed = new TreeSet<>(table.methods());
        if (allowed.contains("INVITE")) {
            allowed.addAll(List.of("ACK", "BYE", "CANCEL"));
        }
        SipServletResponse response =
                request.createResponse(SipServletResponse.SC_METHOD_NOT_ALLOWED);
        if (!allowed.isEmpty()) {
            response.setHeader("Allow", String.join(", ", allowed));
        }
        response.send();
    }

    void handle(SipServletResponse response) throws ServletException, IOException {
        Dispatch dispatch = Dispatch.of(response);
        Current.handle(dispatch, () -> handle(dispatch, response));
    }

    private void handle(Dispatch dispatch, SipServletResponse response)
            throws ServletException, IOException {
        Handler handler = table.find(response);
        source.observe(response);
        if (handler == null) {
            bridging.relay(response);
            return;
        }
        try {
            outcomes.apply(handler.invoke(dispatch), response);
        } catch (UnsuitableMessageException unsuitable) {
            throw new ServletException(handler.label() + ": " + unsuitable.reason(), unsuitable);
        } catch (Throwable failure) {
            throw sneaked(failure);
        }
    }

    /** A response of one branch of a proxy: nothing to relay, observers alone are told. */
    void branch(SipServletResponse response) throws ServletException, IOException {
        Current.handle(Dispatch.of(response), () -> source.observe(response));
    }

    // ---- timers and events ----

    void timeout(ServletTimer timer) {
        String name =
                switch (timer.getInfo()) {
                    case NamedTimer named -> named.name();
                    case String text -> text;
                    case null, default -> "";
                };
        Handler handler = timers.get(name);
        if (handler == null) {
            handler = timers.get("");
        }
        if (handler == null) {
            throw new IllegalStateException(
                    "no handler for a timer of the name '" + name + "': @OnTimer names one");
        }
        run(handler, Dispatch.of(timer));
    }

    void created(SipSession session) {
        if (marksCalls) {
            Calls.created(session);
        }
        tell(SessionCreated.class, session);
    }

    void destroyed(SipSession session) {
        try {
            tell(SessionDestroyed.class, session);
        } finally {
            Scopes.ended(session, source::destroy);
        }
    }

    void readyToInvalidate(SipSession session) {
        tell(SessionReadyToInvalidate.class, session);
    }

    void created(SipApplicationSession session) {
        tell(SessionCreated.class, session);
    }

    void destroyed(SipApplicationSession session) {
        try {
            tell(SessionDestroyed.class, session);
        } finally {
            Scopes.ended(session, source::destroy);
        }
    }

    void expired(SipApplicationSession session) {
        tell(SessionExpired.class, session);
    }

    void readyToInvalidate(SipApplicationSession session) {
        tell(SessionReadyToInvalidate.class, session);
    }

    /** A servlet of the application is there; observers alone are told. */
    void initialized(SipServletContextEvent event) {
        source.observe(ServletInitialized.class, event);
    }

    /** False when no handler and no observer takes it. */
    boolean noAck(SipErrorEvent event) {
        return tell(NoAckReceived.class, event);
    }

    /** False when no handler and no observer takes it. */
    boolean noPrack(SipErrorEvent event) {
        return tell(NoPrackReceived.class, event);
    }

    private boolean tell(Class<? extends Annotation> kind, SipErrorEvent event) {
        return tell(kind, Occasion.ERROR, event, () -> Dispatch.of(event));
    }

    private void tell(Class<? extends Annotation> kind, SipSession session) {
        tell(kind, Occasion.SIP_SESSION_EVENT, session, () -> Dispatch.of(session));
    }

    private void tell(Class<? extends Annotation> kind, SipApplicationSession session) {
        tell(kind, Occasion.APPLICATION_SESSION_EVENT, session, () -> Dispatch.of(session));
    }

    /**
     * Tells handlers, then observers. One that fails keeps none of the others from being told.
     *
     * @return whether there was any
     */
    private boolean tell(
            Class<? extends Annotation> kind,
            Occasion occasion,
            Object subject,
            Supplier<Dispatch> dispatch) {
        List<Handler> told = events.isEmpty() ? List.of() : told(kind, occasion);
        RuntimeException failed = null;
        for (Handler handler : told) {
            failed = trying(failed, () -> run(handler, dispatch.get()));
        }
        boolean[] observed = new boolean[1];
        if (observers) {
            failed =
                    trying(
                            failed,
                            () ->
                                    Current.run(
                                            dispatch.get(),
                                            () -> {
                                                observed[0] = source.observe(kind, subject);
                                            }));
        }
        if (failed != null) {
            throw failed;
        }
        return observed[0] || !told.isEmpty();
    }

    /** The first failure, with later ones in it. */
    private static @Nullable RuntimeException trying(
            @Nullable RuntimeException first, Runnable work) {
        try {
            work.run();
            return first;
        } catch (RuntimeException failure) {
            if (first == null) {
                return failure;
            }
            first.addSuppressed(failure);
            return first;
        }
    }

    private List<Handler> told(Class<? extends Annotation> kind, Occasion occasion) {
        return events.getOrDefault(HandlerCompiler.key(kind.getSimpleName(), occasion), List.of());
    }

    private static void run(Handler handler, Dispatch dispatch) {
        Current.run(
                dispatch,
                () -> {
                    try {
                        handler.invoke(dispatch);
                    } catch (RuntimeException | Error failure) {
                        throw failure;
                    } catch (Throwable failure) {
                        throw new IllegalStateException(handler.label() + ": " + failure, failure);
                    }
                });
    }
}

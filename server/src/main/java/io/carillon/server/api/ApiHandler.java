package io.carillon.server.api;

import io.carillon.server.access.Caller;
import io.carillon.server.access.Role;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.audit.Standing;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.measure.Metric;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what is below /api. Threads of its own, platform ones: an answer comes also while
 * applications hold every carrier of virtual threads, and every thread of pages. What waits for
 * them is bounded; more is answered 503.
 */
public final class ApiHandler extends Handler.Abstract.NonBlocking {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    /** The first part of its paths. */
    public static final String ROOT = "/api";

    static final String VERSION = ROOT + "/v1";

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");
    private static final int THREADS = 8;
    private static final int MOST_WAITING = 256;
    private static final int MOST_UPLOADS = 2;

    private final boolean loopback;
    private final Supplier<List<Metric>> metrics;
    private volatile String firstStep = "";
    private final ThreadPoolExecutor threads;
    private final HeavyAnswers heavy = new HeavyAnswers();
    private final Semaphore uploads = new Semaphore(MOST_UPLOADS);
    private volatile @Nullable Serving serving;

    /**
     * What it serves, when the server is that far.
     *
     * @param routing to the operations
     * @param callers finds out who asks
     * @param trail where changes and refusals are written
     * @param streams of events
     * @param uploads of archives
     */
    record Serving(
            Routing routing,
            Callers callers,
            AuditTrail trail,
            EventStreams streams,
            Uploads uploads) {}

    /**
     * @param loopback whether only this machine reaches us
     * @param metrics all of them
     */
    public ApiHandler(boolean loopback, Supplier<List<Metric>> metrics) {
        this.loopback = loopback;
        this.metrics = metrics;
        this.threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        Thread.ofPlatform().daemon().name("admin-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    Supplier<List<Metric>> metrics() {
        return metrics;
    }

    /** What an operator has to do before he can use it; empty: nothing. */
    public String firstStep() {
        return firstStep;
    }

    /** As the other. */
    public void firstStep(String what) {
        firstStep = what;
    }

    /** From now on it serves. */
    void serve(Serving what) {
        serving = what;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getCanonicalPath();
        if (path == null || !(path.equals(ROOT) || path.startsWith(ROOT + "/"))) {
            return false;
        }
        Exchange exchange = new Exchange(request, response, callback, path);
        execute(exchange, () -> begin(exchange));
        return true;
    }

    private void execute(Exchange exchange, Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            exchange.fail(Problem.busy("too many requests wait"));
        }
    }

    private interface Step {
        void run() throws Problem, ControlFailure, IOException;
    }

    /** Whatever goes wrong is answered. */
    private static void guarded(Exchange exchange, Step step) {
        try {
            step.run();
        } catch (Problem e) {
            exchange.fail(e);
        } catch (ControlFailure e) {
            exchange.fail(problem(e));
        } catch (IOException e) {
            exchange.fail(
                    new Problem(
                            HttpStatus.SERVICE_UNAVAILABLE_503, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException | Error e) {
            LOG.error("{} failed", exchange, e);
            exchange.fail(
                    new Problem(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "an error of the server's, which its log tells more of",
                            e));
        }
    }

    private static Problem problem(ControlFailure e) {
        String detail = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case BAD -> new Problem(HttpStatus.BAD_REQUEST_400, detail, e);
            case NOT_FOUND -> new Problem(HttpStatus.NOT_FOUND_404, detail, e);
            case BUSY -> Problem.busy(detail);
            case REFUSED -> new Problem(HttpStatus.CONFLICT_409, detail, e);
        };
    }

    private void begin(Exchange exchange) {
        guarded(
                exchange,
                () -> {
                    Serving now = serving;
                    if (now == null) {
                        throw Problem.busy("the server is starting");
                    }
                    checkPlace(exchange);
                    if (!exchange.path.startsWith(VERSION + "/")) {
                        throw new Problem(
                                HttpStatus.NOT_FOUND_404, "everything is below " + VERSION);
                    }
                    Routing.Found found =
                            now.routing()
                                    .find(
                                            exchange.request.getMethod(),
                                            exchange.path.substring(VERSION.length()));
                    Operation operation = found.operation();
                    Caller caller = admitted(now, operation, exchange.visitor);
                    Map<String, String> values = new HashMap<>(found.values());
                    query(operation, exchange.request, values);
                    go(now, exchange, operation, caller, values);
                });
    }

    /** A page of somebody's may lead a foreign name to our loopback address. */
    private void checkPlace(Exchange exchange) throws Problem {
        if (loopback) {
            if (!LOCAL_NAMES.contains(Request.getServerName(exchange.request))) {
                throw new Problem(HttpStatus.FORBIDDEN_403, "ask for localhost");
            }
        } else if (!exchange.visitor.secure()) {
            throw new Problem(
                    HttpStatus.FORBIDDEN_403,
                    "administration over the network needs TLS (http.tls)");
        }
    }

    private static @Nullable Caller admitted(Serving now, Operation operation, Visitor visitor)
            throws Problem {
        Caller caller = null;
        Role role = operation.role();
        try {
            caller = now.callers().find(visitor, !operation.stream());
            if (role != null) {
                if (caller == null) {
                    throw new Problem(HttpStatus.UNAUTHORIZED_401, unknown(visitor));
                }
                if (!caller.may(role)) {
                    throw new Problem(
                            HttpStatus.FORBIDDEN_403,
                            operation.id()
                                    + " needs the role "
                                    + role.word()
                                    + "; "
                                    + caller.name()
                                    + " has "
                                    + Role.words(caller.roles()));
                }
            }
            Callers.check(operation, visitor, caller);
            return caller;
        } catch (Problem e) {
            // Whoever shows nothing at all is told how, which is no attempt.
            if (caller != null || visitor.bearer() != null || visitor.session() != null) {
                now.trail()
                        .refused(
                                actor(caller, visitor),
                                new AuditTrail.Deed(operation.id(), "", ""),
                                e.status(),
                                e.detail());
            }
            throw e;
        }
    }

    private static String unknown(Visitor visitor) {
        if (visitor.bearer() != null) {
            return "the bearer token is unknown, revoked, or over";
        }
        return visitor.session() != null
                ? "the session is over: log in again"
                : "a bearer token is needed, or a session (POST /api/v1/session)";
    }

    static AuditTrail.Actor actor(@Nullable Caller caller, Visitor visitor) {
        return new AuditTrail.Actor(
                caller == null ? "" : caller.name(),
                caller == null ? "none" : caller.way(),
                visitor.address());
    }

    private static void query(Operation operation, Request request, Map<String, String> values)
            throws Problem {
        Fields given;
        try {
            given = Request.extractQueryParameters(request);
        } catch (RuntimeException e) { // Jetty has no narrower one for bad escapes
            throw new Problem(HttpStatus.BAD_REQUEST_400, "the query is not well escaped", e);
        }
        for (Fields.Field one : given) {
            Parameter known = null;
            for (Parameter parameter : operation.parameters()) {
                if (!parameter.inPath() && parameter.name().equals(one.getName())) {
                    known = parameter;
                }
            }
            if (known == null && operation.anyQuery()) {
                continue;
            }
            if (known == null) {
                throw Problem.bad(
                        operation.id()
                                + " has no parameter '"
                                + one.getName()
                                + "'; there are "
                                + String.join(
                                        ", ",
                                        operation.parameters().stream()
                                                .filter(parameter -> !parameter.inPath())
                                                .map(Parameter::name)
                                                .toList()));
            }
            if (one.hasMultipleValues()) {
                throw Problem.bad("the parameter " + one.getName() + " is given twice");
            }
            known.check(one.getValue());
            values.put(one.getName(), one.getValue());
        }
    }

    private void go(
            Serving now,
            Exchange exchange,
            Operation operation,
            @Nullable Caller caller,
            Map<String, String> values)
            throws Problem, ControlFailure, IOException {
        ApiCall call = new ApiCall(operation, caller, exchange.visitor, values, "");
        if (operation.stream()) {
            now.streams().open(exchange, call);
            return;
        }
        switch (operation.bodyKind()) {
            case NONE -> answer(now, exchange, call);
            case JSON -> {
                exchange.needsJson();
                JsonBody.read(
                        exchange,
                        caller != null,
                        body ->
                                execute(
                                        exchange,
                                        () ->
                                                guarded(
                                                        exchange,
                                                        () ->
                                                                answer(
                                                                        now,
                                                                        exchange,
                                                                        call.with(
                                                                                new String(
                                                                                        body,
                                                                                        StandardCharsets
                                                                                                .UTF_8))))));
            }
            case ARCHIVE -> {
                if (!uploads.tryAcquire()) {
                    throw Problem.busy(MOST_UPLOADS + " archives are coming already");
                }
                try {
                    now.uploads()
                            .receive(exchange, call, archive -> answer(now, exchange, archive));
                } finally {
                    uploads.release();
                }
            }
        }
    }

    private void answer(Serving now, Exchange exchange, ApiCall call)
            throws Problem, ControlFailure, IOException {
        Operation operation = call.operation();
        if (operation.heavy() && !heavy.begin(operation.id())) {
            throw Problem.busy("as many requests of this kind as may be are answered already");
        }
        try {
            exchange.answer(
                    operation.changes() ? changed(now.trail(), call) : operation.work().of(call));
        } finally {
            if (operation.heavy()) {
                heavy.end(operation.id());
            }
        }
    }

    /** A change is written down before it is done, and after. */
    private static ApiAnswer changed(AuditTrail trail, ApiCall call)
            throws Problem, ControlFailure, IOException {
        Operation operation = call.operation();
        String before = look(call);
        AuditTrail.Change change =
                trail.begin(
                        actor(call.caller(), call.visitor()),
                        new AuditTrail.Deed(operation.id(), call.target(), call.asked()),
                        Standing.of(before, call.target()));
        boolean ended = false;
        try {
            ApiAnswer answer = operation.work().of(call);
            ended = true;
            change.ended(true, answer.status(), "", after(call, answer, before));
            return answer;
        } catch (Problem e) {
            ended = true;
            change.ended(false, e.status(), e.detail(), null);
            throw e;
        } catch (ControlFailure e) {
            ended = true;
            change.ended(false, problem(e).status(), String.valueOf(e.getMessage()), null);
            throw e;
        } finally {
            if (!ended) {
                change.ended(
                        false,
                        HttpStatus.INTERNAL_SERVER_ERROR_500,
                        "an error of the server's",
                        null);
            }
        }
    }

    private static @Nullable String look(ApiCall call) {
        Operation.Look look = call.operation().look();
        if (look == null) {
            return null;
        }
        try {
            return look.of(call);
        } catch (Problem | ControlFailure e) {
            LOG.debug("How it stands is not known", e);
            return null; // the change itself will say what is wrong
        }
    }

    private static @Nullable String after(ApiCall call, ApiAnswer answer, @Nullable String before) {
        if (call.operation().look() != null) {
            return Standing.changed(before, look(call), call.target());
        }
        return call.operation().secret() ? null : answer.body();
    }

    @Override
    protected void doStop() throws Exception {
        Serving now = serving;
        serving = null;
        if (now != null) {
            now.streams().close();
        }
        threads.shutdownNow();
        super.doStop();
        if (now != null) {
            now.trail().log().close();
        }
    }

    /** Whether it is JSON that is sent is asked of the header: a form of a foreign page is none. */
    static boolean isJson(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
    }
}

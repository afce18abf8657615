package io.carillon.examples.clicktocall;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ConvergedHttpSession;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipURI;

/** The HTTP half: calls as resources of their visitor. */
@WebServlet(urlPatterns = "/calls/*", loadOnStartup = 1, asyncSupported = true)
public class ApiServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int MAX_BODY = 2000;
    private static final int STREAMS_PER_CALL = 4;
    private static final int PATIENCE_SECONDS = 10;

    private final transient Watchers watchers = new Watchers(STREAMS_PER_CALL);
    private transient ScheduledExecutorService heart;
    private transient Future<?> beating;
    private transient Calls calls;
    private transient Targets targets;

    @Override
    public void init() {
        calls = (Calls) getServletContext().getAttribute(Calls.ATTRIBUTE);
        calls.watchedBy(this::show);
        targets = new Targets(getServletContext());
        heart =
                Executors.newSingleThreadScheduledExecutor(work -> {
                    Thread thread = new Thread(work, "click-to-call heartbeat");
                    thread.setDaemon(true);
                    return thread;
                });
        beating =
                heart.scheduleWithFixedDelay(
                        () -> each(EventStream::beat), 10, 10, TimeUnit.SECONDS);
    }

    @Override
    public void destroy() {
        beating.cancel(true);
        heart.shutdownNow();
        each(EventStream::close);
    }

    private void each(java.util.function.Consumer<EventStream> what) {
        watchers.each(what);
    }

    /** In the call's turn. */
    private void show(Call call) {
        watchers.each(call.id(), stream -> stream.show(call.events(), call.over()));
    }

    // ---- requests ----

    /** A refusal, as it is told. */
    private static final class Problem extends Exception {
        private static final long serialVersionUID = 1L;
        final int status;

        Problem(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            String path = request.getPathInfo() == null ? "/" : request.getPathInfo();
            String[] parts = path.substring(1).split("/", -1);
            String what = request.getMethod() + (parts[0].isEmpty() ? "" : " ID");
            what += parts.length == 1 ? "" : parts.length == 2 ? " " + parts[1] : " ?";
            switch (what) {
                case "GET":
                    list(request, response);
                    break;
                case "POST":
                    create(request, response);
                    break;
                case "GET ID":
                    answer(response, 200, with(request, parts[0], Call::json));
                    break;
                case "DELETE ID":
                    hangUp(request, response, parts[0]);
                    break;
                case "GET ID events":
                    watch(request, response, parts[0]);
                    break;
                default:
                    boolean known = what.matches("\\S+( ID( events)?)?");
                    throw new Problem(known ? 405 : 404, known ? "not by this method" : "not here");
            }
        } catch (Problem problem) {
            if (problem.status == 503) {
                response.setHeader("Retry-After", "5");
            }
            answer(response, problem.status, Json.object("error", problem.getMessage()));
        }
    }

    private static void answer(HttpServletResponse response, int status, String json)
            throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private void list(HttpServletRequest request, HttpServletResponse response)
            throws IOException, Problem {
        SipApplicationSession visitor = visitor(request.getSession(false));
        String all =
                visitor == null
                        ? ""
                        : inTurn(
                                visitor,
                                () ->
                                        calls.all(visitor).stream()
                                                .map(Call::json)
                                                .collect(Collectors.joining(",")));
        answer(response, 200, "{\"calls\":[" + all + "]}");
    }

    private void create(HttpServletRequest request, HttpServletResponse response)
            throws IOException, Problem {
        checkOrigin(request);
        Map<String, String> wanted = body(request);
        SipURI a = target(wanted.get("from"));
        SipURI b = target(wanted.get("to"));
        SipApplicationSession visitor = visitor(request.getSession());
        String source = RunningCalls.source(request.getRemoteUser(), request.getRemoteAddr());
        String[] made =
                inTurn(
                        visitor,
                        () -> {
                            Call call = calls.begin(visitor, source, a, b);
                            return new String[] {call.id(), call.json()};
                        });
        response.setHeader("Location", request.getContextPath() + "/calls/" + made[0]);
        answer(response, 201, made[1]);
    }

    private SipURI target(String typed) throws Problem {
        try {
            return targets.read(typed);
        } catch (Targets.Refused e) {
            throw new Problem(e.status, e.getMessage());
        }
    }

    private void hangUp(HttpServletRequest request, HttpServletResponse response, String id)
            throws IOException, Problem {
        checkOrigin(request);
        String ended =
                with(
                        request,
                        id,
                        call -> {
                            if (call.over()) {
                                return null;
                            }
                            calls.end(visitor(request.getSession(false)), call, "hung up here");
                            return call.json();
                        });
        if (ended == null) {
            throw new Problem(409, "this call has ended");
        }
        answer(response, 200, ended);
    }

    private void watch(HttpServletRequest request, HttpServletResponse response, String id)
            throws IOException, Problem {
        with(request, id, Call::id); // there is such a call of this visitor
        Watchers.Place place = watchers.take(id);
        if (place == null) {
            throw new Problem(503, "this call is watched by " + STREAMS_PER_CALL + " already");
        }
        String seen = request.getHeader("Last-Event-ID");
        int first = seen != null && seen.matches("[0-9]{1,4}") ? Integer.parseInt(seen) + 1 : 0;
        SipApplicationSession visitor = visitor(request.getSession(false));
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        EventStream stream;
        try {
            stream = new EventStream(request.startAsync(), first, place::leave);
        } catch (IOException | RuntimeException e) {
            place.leave();
            throw e;
        }
        turn(visitor)
                .execute(() -> {
                    Call call = calls.find(visitor, id);
                    if (call == null) {
                        stream.close(); // forgotten meanwhile
                        return;
                    }
                    place.sit(stream);
                    stream.show(call.events(), call.over());
                });
    }

    // ---- who asks, and for what ----

    /**
     * A page elsewhere must not make a visitor's browser call. It cannot send this content type nor
     * DELETE without being asked for Origin, and a browser that brings one has to bring ours.
     */
    private static void checkOrigin(HttpServletRequest request) throws Problem {
        String origin = request.getHeader("Origin");
        if (origin != null
                && !origin.replaceFirst("^https?://", "").equals(request.getHeader("Host"))) {
            throw new Problem(403, "not from a page of " + origin);
        }
    }

    private static Map<String, String> body(HttpServletRequest request)
            throws IOException, Problem {
        String type = request.getContentType();
        if (type == null || !type.matches("(?i)application/json\\s*(;.*)?")) {
            throw new Problem(415, "application/json is wanted");
        }
        byte[] body = request.getInputStream().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            throw new Problem(413, "more than " + MAX_BODY + " bytes");
        }
        try {
            return Json.read(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new Problem(400, e.getMessage());
        }
    }

    private static SipApplicationSession visitor(HttpSession session) {
        return session == null ? null : ((ConvergedHttpSession) session).getApplicationSession();
    }

    /** Works on a call of this visitor's; another's is as good as none. */
    private <T> T with(HttpServletRequest request, String id, Function<Call, T> work)
            throws Problem {
        SipApplicationSession visitor = visitor(request.getSession(false));
        if (visitor == null) {
            throw new Problem(404, "no such call");
        }
        return inTurn(
                visitor,
                () -> {
                    Call call = calls.find(visitor, id);
                    if (call == null) {
                        throw new Problem(404, "no such call");
                    }
                    return work.apply(call);
                });
    }

    // ---- one thing at a time ----

    @SuppressWarnings("unchecked")
    private Executor turn(SipApplicationSession visitor) {
        return ((Function<SipApplicationSession, Executor>)
                        getServletContext().getAttribute("io.carillon.turn"))
                .apply(visitor);
    }

    private <T> T inTurn(SipApplicationSession visitor, Callable<T> work) throws Problem {
        CompletableFuture<T> result =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return work.call();
                            } catch (Exception e) {
                                throw new CompletionException(e);
                            }
                        },
                        turn(visitor));
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw problem(e.getCause());
        } catch (TimeoutException e) {
            throw new Problem(503, "busy; come again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem(503, "stopping");
        }
    }

    private Problem problem(Throwable cause) {
        if (cause instanceof Problem) {
            return (Problem) cause;
        }
        if (cause instanceof Calls.Full) {
            return new Problem(((Calls.Full) cause).visitor ? 409 : 503, cause.getMessage());
        }
        log("A request failed", cause);
        return new Problem(500, "it failed; the log says why");
    }
}

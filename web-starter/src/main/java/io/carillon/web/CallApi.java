package io.carillon.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The REST API: sign-in, calls, call notifications, events. openapi.yaml describes it. */
@RestController
@RequestMapping("/api")
class CallApi {
    /** Who signs in. */
    record Credentials(String user, String password) {}

    /** A sign-in. */
    record Token(String user, String token) {}

    /** A wish for a call. */
    record Wish(@Nullable String to) {}

    private final WebProperties properties;
    private final SignIns signIns;
    private final Visitor visitor;
    private final WebCalls calls;
    private final @Nullable Notifications notifications;
    private final EventStreams streams;

    CallApi(
            WebProperties properties,
            SignIns signIns,
            WebCalls calls,
            @Nullable Notifications notifications,
            EventStreams streams) {
        this.properties = properties;
        this.signIns = signIns;
        this.visitor = new Visitor(signIns);
        this.calls = calls;
        this.notifications = notifications;
        this.streams = streams;
    }

    @PostMapping(path = "/sign-ins", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.CREATED)
    Token signIn(
            @RequestBody Credentials credentials,
            HttpServletRequest request,
            HttpServletResponse response) {
        visitor.refuseOtherOrigin(request);
        String user = String.valueOf(credentials.user());
        String token =
                signIns.signIn(
                        user,
                        String.valueOf(credentials.password()),
                        String.valueOf(request.getRemoteAddr()));
        Cookie cookie = new Cookie(Visitor.COOKIE, token);
        cookie.setHttpOnly(true);
        cookie.setPath("/");
        cookie.setSecure(request.isSecure());
        cookie.setAttribute("SameSite", "Strict");
        response.addCookie(cookie);
        return new Token(user, token);
    }

    @DeleteMapping("/sign-ins")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void signOut(HttpServletRequest request, HttpServletResponse response) {
        String user = visitor.of(request);
        String token = visitor.token(request);
        if (token != null) {
            signIns.signOut(token);
            streams.endForbidden(user);
        }
        Cookie gone = new Cookie(Visitor.COOKIE, "");
        gone.setPath("/");
        gone.setMaxAge(0);
        response.addCookie(gone);
    }

    @GetMapping("/calls")
    List<ShownCall> calls(HttpServletRequest request) {
        return calls.of(visitor.of(request)).stream().map(ShownCall::of).toList();
    }

    @PostMapping(path = "/calls", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<ShownCall> call(
            @RequestBody Wish wish,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key,
            HttpServletRequest request)
            throws Exception {
        String user = visitor.of(request);
        WebProperties.Account account = properties.accounts().get(user);
        if (account == null) {
            throw ApiProblem.notSignedIn();
        }
        if (wish.to() == null || wish.to().isBlank() || wish.to().length() > 200) {
            throw ApiProblem.badNumber(String.valueOf(wish.to()).strip());
        }
        String same = key == null || key.length() > 100 ? null : key;
        WebCall call = calls.begin(user, account.phone(), wish.to().strip(), same);
        return ResponseEntity.created(URI.create("/api/calls/" + call.id()))
                .body(ShownCall.of(call));
    }

    @GetMapping("/calls/{id}")
    ShownCall call(@PathVariable String id, HttpServletRequest request) {
        return ShownCall.of(calls.of(visitor.of(request), id));
    }

    @DeleteMapping("/calls/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void hangUp(@PathVariable String id, HttpServletRequest request) {
        calls.end(calls.of(visitor.of(request), id));
    }

    @GetMapping("/call-notifications")
    List<CallNotification> notifications(HttpServletRequest request) {
        return incoming(visitor.of(request));
    }

    @DeleteMapping("/call-notifications/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void refuse(@PathVariable String id, HttpServletRequest request) {
        String user = visitor.of(request);
        if (notifications == null) {
            throw ApiProblem.noSuch("call notification", id);
        }
        notifications.refuse(user, id);
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(HttpServletRequest request, HttpServletResponse response) {
        String user = visitor.of(request);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        return streams.open(
                user,
                () -> running(user),
                () -> incoming(user),
                signIns.lives(visitor.token(request)));
    }

    private List<ShownCall> running(String user) {
        return calls.of(user).stream()
                .filter(call -> call.state() != CallState.ENDED)
                .map(ShownCall::of)
                .toList();
    }

    private List<CallNotification> incoming(String user) {
        return notifications == null ? List.of() : notifications.of(user);
    }
}

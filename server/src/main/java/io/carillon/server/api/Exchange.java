package io.carillon.server.api;

import io.carillon.protection.http.UnreadBodies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request and its one answer. Any thread; the first answer counts. */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    final Request request;
    final Response response;
    final Callback callback;
    final String path;
    final Visitor visitor;
    private final AtomicBoolean answered = new AtomicBoolean();

    Exchange(Request request, Response response, Callback callback, String path) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.path = path;
        this.visitor = Visitor.of(request);
    }

    /** RFC 9110 section 15.5.16. It also keeps out forms, which pages of others can send. */
    void needsJson() throws Problem {
        if (!ApiHandler.isJson(request)) {
            throw new Problem(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "the body has to be application/json");
        }
    }

    void answer(ApiAnswer answer) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(answer.status());
            UnreadBodies.beforeAnswer(request, response);
            common(answer.contentType());
            for (Map.Entry<String, String> one : answer.headers()) {
                response.getHeaders().add(one.getKey(), one.getValue());
            }
            Path file = answer.file();
            if (file == null) {
                Content.Sink.write(response, true, answer.body(), callback);
            } else {
                Content.copy(
                        Content.Source.from(file),
                        response,
                        Callback.from(callback, () -> gone(file)));
            }
        }
    }

    private static void gone(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} was sent and cannot be deleted: {}", file, e.getMessage());
        }
    }

    void fail(Problem problem) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(problem.status());
            UnreadBodies.beforeAnswer(request, response);
            common("application/problem+json");
            if (problem.retryAfterSeconds() > 0) {
                response.getHeaders()
                        .put(HttpHeader.RETRY_AFTER, Long.toString(problem.retryAfterSeconds()));
            }
            if (problem.status() == HttpStatus.UNAUTHORIZED_401) {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            }
            Content.Sink.write(response, true, problem.json(path), callback);
        }
    }

    /** The beginning of a stream; false: it was answered already. */
    boolean beginStream() {
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        response.setStatus(HttpStatus.OK_200);
        common("text/event-stream");
        response.getHeaders().put("X-Accel-Buffering", "no"); // proxies are to hold nothing back
        return true;
    }

    private void common(String contentType) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
    }

    @Override
    public String toString() {
        return request.getMethod() + " " + path;
    }
}

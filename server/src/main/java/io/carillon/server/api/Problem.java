package io.carillon.server.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** An answer that is no success, as RFC 9457 has it. The detail is a sentence for the user. */
public final class Problem extends Exception {
    private static final long serialVersionUID = 1L;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final int status;
    private final long retryAfterSeconds;

    public Problem(int status, String detail) {
        this(status, detail, 0);
    }

    public Problem(int status, String detail, Throwable cause) {
        super(detail, cause);
        this.status = status;
        this.retryAfterSeconds = 0;
    }

    Problem(int status, String detail, long retryAfterSeconds) {
        super(detail);
        this.status = status;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    static Problem bad(String detail) {
        return new Problem(HttpStatus.BAD_REQUEST_400, detail);
    }

    static Problem busy(String detail) {
        return new Problem(HttpStatus.SERVICE_UNAVAILABLE_503, detail, 1);
    }

    int status() {
        return status;
    }

    /** 0: nothing is said of it. */
    long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    String detail() {
        return String.valueOf(getMessage());
    }

    /**
     * The body.
     *
     * @param instance the path that was asked for
     */
    String json(String instance) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "about:blank");
        members.put("title", HttpStatus.getMessage(status));
        members.put("status", status);
        members.put("detail", detail());
        members.put("instance", instance);
        return JSON.writeValueAsString(members);
    }
}

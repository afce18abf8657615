package io.carillon.server.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an operation answers.
 *
 * @param status of HTTP
 * @param contentType of the body
 * @param body its text
 * @param headers more of them, as Set-Cookie
 * @param file in place of the text, deleted when it was sent; null: none
 */
record ApiAnswer(
        int status,
        String contentType,
        String body,
        List<Map.Entry<String, String>> headers,
        @Nullable Path file) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int OK = 200;
    private static final int FOUND = 302;
    static final String JSON_TYPE = "application/json";

    /** What is JSON already. */
    static ApiAnswer json(String text) {
        return new ApiAnswer(OK, JSON_TYPE, text, List.of(), null);
    }

    /** Anything, as JSON. */
    static ApiAnswer of(Object value) {
        return json(JSON.writeValueAsString(value));
    }

    /** What a command says in words. */
    static ApiAnswer message(String text) {
        return of(new Message(text.strip()));
    }

    /** A file, which is deleted when it was sent. */
    static ApiAnswer sent(Path file) {
        return new ApiAnswer(OK, "application/octet-stream", "", List.of(), file);
    }

    /** To somewhere else. */
    static ApiAnswer redirect(String where) {
        return new ApiAnswer(FOUND, "text/plain", "", List.of(Map.entry("Location", where)), null);
    }

    ApiAnswer withAll(List<Map.Entry<String, String>> more) {
        List<Map.Entry<String, String>> all = new ArrayList<>(headers);
        all.addAll(more);
        return new ApiAnswer(status, contentType, body, List.copyOf(all), file);
    }

    ApiAnswer with(String header, String value) {
        List<Map.Entry<String, String>> all = new ArrayList<>(headers);
        all.add(Map.entry(header, value));
        return new ApiAnswer(status, contentType, body, List.copyOf(all), file);
    }

    /**
     * Words.
     *
     * @param message a sentence or more
     */
    record Message(String message) {}
}

package io.carillon.server.ladder;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Traces as JSON: what the server answers, and what {@code --json} prints. */
public final class TraceJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TraceJson() {}

    /** Calls, for people and programs. */
    public static String pretty(List<CallTrace> calls) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(calls);
    }

    /** Reads calls. @throws IllegalArgumentException when it is something else */
    public static List<CallTrace> calls(String json) {
        return read(json, new TypeReference<>() {});
    }

    /** Reads events. @throws IllegalArgumentException when it is something else */
    public static List<TraceEvent> events(String json) {
        return read(json, new TypeReference<>() {});
    }

    /** Reads the list. @throws IllegalArgumentException when it is something else */
    public static TracedCalls list(String json) {
        return read(json, new TypeReference<>() {});
    }

    private static <T> T read(String json, TypeReference<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a trace: " + e.getOriginalMessage(), e);
        }
    }
}

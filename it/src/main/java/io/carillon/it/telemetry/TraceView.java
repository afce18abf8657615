package io.carillon.it.telemetry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A trace as Jaeger's query API shows it.
 *
 * @param id of the trace
 * @param spans of it
 */
record TraceView(String id, List<Span> spans) {
    /**
     * A span.
     *
     * @param path names from the root to it
     * @param tags what it says of itself
     */
    record Span(String path, long startMicros, long micros, Map<String, String> tags) {}

    static TraceView of(JsonNode trace) {
        Map<String, JsonNode> byId = new HashMap<>();
        for (JsonNode span : trace.path("spans")) {
            byId.put(span.path("spanID").asString(), span);
        }
        List<Span> spans = byId.values().stream().map(span -> TraceView.span(span, byId)).toList();
        return new TraceView(trace.path("traceID").asString(), spans);
    }

    private static Span span(JsonNode span, Map<String, JsonNode> byId) {
        Map<String, String> tags = new TreeMap<>();
        for (JsonNode tag : span.path("tags")) {
            tags.put(tag.path("key").asString(), tag.path("value").asString());
        }
        return new Span(
                path(span, byId),
                span.path("startTime").asLong(),
                span.path("duration").asLong(),
                tags);
    }

    private static String path(JsonNode span, Map<String, JsonNode> byId) {
        String name = span.path("operationName").asString();
        for (JsonNode reference : span.path("references")) {
            JsonNode parent = byId.get(reference.path("spanID").asString());
            if (parent != null) {
                return path(parent, byId) + " > " + name;
            }
        }
        return name;
    }

    /** So many spans have that path. */
    long count(String path) {
        return spans.stream().filter(span -> span.path().equals(path)).count();
    }

    /** Their paths, in order, with how often each is there. */
    Map<String, Integer> paths() {
        Map<String, Integer> all = new TreeMap<>();
        spans.forEach(span -> all.merge(span.path(), 1, Integer::sum));
        return all;
    }
}

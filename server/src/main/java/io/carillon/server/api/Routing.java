package io.carillon.server.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.URIUtil;
import org.jspecify.annotations.Nullable;

/** Finds the operation of a method and a path. Immutable. */
final class Routing {
    private final List<Operation> operations;

    /** By the number of their parts. */
    private final Map<Integer, List<Entry>> byLength = new HashMap<>();

    private record Entry(Operation operation, List<String> parts) {
        /** The values in the path; null: it is another path. */
        @Nullable Map<String, String> match(String[] given) {
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                String part = parts.get(i);
                if (part.startsWith("{")) {
                    values.put(part.substring(1, part.length() - 1), given[i]);
                } else if (!part.equals(given[i])) {
                    return null;
                }
            }
            return values;
        }

        /** Words count more than names in braces. */
        int words() {
            int words = 0;
            for (String part : parts) {
                words += part.startsWith("{") ? 0 : 1;
            }
            return words;
        }
    }

    /** An operation with the values in its path. */
    record Found(Operation operation, Map<String, String> values) {}

    Routing(List<Operation> operations) {
        this.operations = List.copyOf(operations);
        for (Operation one : operations) {
            String[] parts = split(one.path());
            byLength.computeIfAbsent(parts.length, nothing -> new ArrayList<>())
                    .add(new Entry(one, List.of(parts)));
        }
        byLength.values()
                .forEach(entries -> entries.sort((a, b) -> Integer.compare(b.words(), a.words())));
    }

    List<Operation> operations() {
        return operations;
    }

    private static String[] split(String path) {
        return path.substring(1).split("/", -1);
    }

    /**
     * Finds it.
     *
     * @param path below /api/v1, canonical, still with escapes
     */
    Found find(String method, String path) throws Problem {
        if (path.isEmpty() || path.charAt(0) != '/') {
            throw unknown();
        }
        String[] parts = split(path);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = decoded(parts[i]);
        }
        TreeSet<String> others = new TreeSet<>();
        for (Entry entry : byLength.getOrDefault(parts.length, List.of())) {
            Map<String, String> values = entry.match(parts);
            if (values == null) {
                continue;
            }
            Operation operation = entry.operation();
            if (operation.method().name().equals(method)) {
                for (Map.Entry<String, String> one : values.entrySet()) {
                    operation.parameter(one.getKey()).check(one.getValue());
                }
                return new Found(operation, values);
            }
            others.add(operation.method().name());
        }
        if (others.isEmpty()) {
            throw unknown();
        }
        throw new Problem(
                HttpStatus.METHOD_NOT_ALLOWED_405,
                "here is " + String.join(", ", others) + ", not " + method);
    }

    private static String decoded(String part) throws Problem {
        try {
            return URIUtil.decodePath(part);
        } catch (IllegalArgumentException e) {
            throw new Problem(HttpStatus.BAD_REQUEST_400, "the path is not well escaped", e);
        }
    }

    private static Problem unknown() {
        return new Problem(
                HttpStatus.NOT_FOUND_404,
                "there is no such operation; /api/v1/openapi.json describes those there are");
    }
}

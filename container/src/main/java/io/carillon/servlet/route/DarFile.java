package io.carillon.servlet.route;

import io.carillon.servlet.app.ApplicationName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import org.jspecify.annotations.Nullable;

/**
 * A properties file of the default application router, read whole. Immutable.
 *
 * <p>{@code METHOD: ("application", "subscriber", "REGION", "route", "MODIFIER", "order" [,
 * "conditions"]), ...}; the method {@code ALL} stands for every method of which the file has no
 * entry that matches. Trailing commas and entries out of order are taken as they are meant.
 */
public final class DarFile {
    static final DarFile EMPTY = new DarFile(Map.of());

    /** Key of the entries for any method. */
    static final String ANY_METHOD = "ALL";

    private static final int MAX_BYTES = 1 << 20;
    private static final DarEntry[] NO_ENTRIES = {};

    private final Map<String, DarEntry[]> byMethod;

    private DarFile(Map<String, DarEntry[]> byMethod) {
        this.byMethod = byMethod;
    }

    /** Entries of the method in their order; empty when it has none. */
    DarEntry[] entries(String method) {
        DarEntry[] found = byMethod.get(method);
        return found == null ? NO_ENTRIES : found;
    }

    /** Every entry, by the lines of the file. */
    List<DarEntry> all() {
        return byMethod.values().stream()
                .flatMap(Arrays::stream)
                .sorted(Comparator.comparingInt(DarEntry::line))
                .toList();
    }

    static DarFile read(Path path) {
        String file = path.toString();
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new RouterException(file, 0, "is larger than " + MAX_BYTES + " bytes");
            }
            return parse(file, Files.readString(path, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new RouterException(
                    file,
                    0,
                    e instanceof NoSuchFileException
                            ? "there is no such router file"
                            : "the router file cannot be read: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Reads the content of a file.
     *
     * @param file its name, for errors
     * @throws RouterException names file, line and rule
     */
    public static DarFile parse(String file, String content) {
        Map<String, DarEntry[]> byMethod = new HashMap<>();
        Map<String, Integer> firstLine = new HashMap<>();
        for (PropertyLines.Entry property : PropertyLines.parse(file, content)) {
            String method = property.key.toUpperCase(Locale.ROOT);
            int line = property.line(0);
            Integer before = firstLine.putIfAbsent(method, line);
            if (before != null) {
                throw new RouterException(
                        file,
                        line,
                        method
                                + " stands in line "
                                + before
                                + " already; put its entries behind each other there");
            }
            DarEntry[] entries = new EntryReader(file, property).readAll();
            byMethod.put(method, entries);
        }
        return new DarFile(Map.copyOf(byMethod));
    }

    /** Reads the value of one method. */
    private static final class EntryReader {
        private final String file;
        private final PropertyLines.Entry property;
        private final String text;
        private int at;

        EntryReader(String file, PropertyLines.Entry property) {
            this.file = file;
            this.property = property;
            this.text = property.value;
        }

        DarEntry[] readAll() {
            List<DarEntry> entries = new ArrayList<>();
            skip();
            while (at < text.length()) {
                entries.add(entry());
                skip();
            }
            if (entries.isEmpty()) {
                throw fault(
                        "no entry; expected (\"application\", \"subscriber\", \"REGION\", \"route\", \"MODIFIER\", \"order\")");
            }
            entries.sort(
                    Comparator.comparingInt(
                            DarEntry::order)); // stable: equal orders stay as written
            return entries.toArray(new DarEntry[0]);
        }

        private DarEntry entry() {
            int line = property.line(at);
            if (text.charAt(at) != '(') {
                throw fault(
                        "expected '(' at the begin of an entry, found '" + text.charAt(at) + "'");
            }
            at++;
            List<String> fields = new ArrayList<>();
            skip();
            while (at < text.length() && text.charAt(at) != ')') {
                fields.add(field());
                skip();
            }
            if (at >= text.length()) {
                throw new RouterException(file, line, "the entry that begins here has no ')'");
            }
            at++;
            if (fields.size() < 6 || fields.size() > 7) {
                throw new RouterException(
                        file,
                        line,
                        "an entry has 6 fields, or 7 with conditions: (\"application\", \"subscriber\", \"REGION\", \"route\", \"MODIFIER\", \"order\"); this has "
                                + fields.size());
            }
            return entry(line, fields);
        }

        private String field() {
            if (text.charAt(at) != '"') {
                throw fault("a field stands in double quotes; found '" + text.charAt(at) + "'");
            }
            int end = text.indexOf('"', at + 1);
            if (end < 0) {
                throw fault("the field that begins here has no closing quote");
            }
            String field = text.substring(at + 1, end);
            at = end + 1;
            if (at < text.length()
                    && ",)".indexOf(text.charAt(at)) < 0
                    && !Character.isWhitespace(text.charAt(at))) {
                throw fault("expected ',' or ')' behind a field, found '" + text.charAt(at) + "'");
            }
            return field;
        }

        private DarEntry entry(int line, List<String> fields) {
            String application = fields.get(0).strip();
            SipRouteModifier modifier = modifier(line, fields.get(4).strip());
            String fault = application.isEmpty() ? null : ApplicationName.fault(application);
            if (fault != null) {
                throw new RouterException(
                        file, line, "no application is named '" + application + "': " + fault);
            }
            List<String> routes = routes(fields.get(3));
            if (application.isEmpty() && modifier != SipRouteModifier.ROUTE) {
                throw new RouterException(
                        file, line, "an entry without an application must ROUTE somewhere");
            }
            if (modifier == SipRouteModifier.ROUTE && routes == null) {
                throw new RouterException(
                        file, line, "ROUTE needs a route URI in the fourth field");
            }
            DarCondition condition =
                    fields.size() < 7
                            ? DarCondition.NONE
                            : DarCondition.parse(
                                    fields.get(6),
                                    rule -> {
                                        throw new RouterException(file, line, rule);
                                    });
            return new DarEntry(
                    line,
                    application,
                    subscriber(line, fields.get(1).strip()),
                    region(line, fields.get(2).strip()),
                    routes,
                    modifier,
                    order(line, fields.get(5).strip()),
                    condition);
        }

        private String subscriber(int line, String field) {
            if (field.equals(DarSubscriber.PREFIX)) {
                throw new RouterException(file, line, "DAR: needs a header name behind it");
            }
            return field;
        }

        private SipApplicationRoutingRegion region(int line, String field) {
            return switch (field.toUpperCase(Locale.ROOT)) {
                case "ORIGINATING" -> SipApplicationRoutingRegion.ORIGINATING_REGION;
                case "TERMINATING" -> SipApplicationRoutingRegion.TERMINATING_REGION;
                case "NEUTRAL" -> SipApplicationRoutingRegion.NEUTRAL_REGION;
                default ->
                        throw new RouterException(
                                file,
                                line,
                                "the region must be ORIGINATING, TERMINATING or NEUTRAL, not '"
                                        + field
                                        + "'");
            };
        }

        private SipRouteModifier modifier(int line, String field) {
            return switch (field.toUpperCase(Locale.ROOT)) {
                case "ROUTE" -> SipRouteModifier.ROUTE;
                case "ROUTE_BACK" -> SipRouteModifier.ROUTE_BACK;
                case "NO_ROUTE" -> SipRouteModifier.NO_ROUTE;
                default ->
                        throw new RouterException(
                                file,
                                line,
                                "the route modifier must be ROUTE, ROUTE_BACK or NO_ROUTE, not '"
                                        + field
                                        + "'");
            };
        }

        private int order(int line, String field) {
            try {
                return Integer.parseInt(field);
            } catch (NumberFormatException e) {
                throw new RouterException(
                        file, line, "the order must be a number, not '" + field + "'", e);
            }
        }

        private static @Nullable List<String> routes(String field) {
            List<String> routes = new ArrayList<>();
            int depth = 0;
            int begin = 0;
            for (int i = 0; i <= field.length(); i++) {
                char c = i < field.length() ? field.charAt(i) : ',';
                depth += c == '<' ? 1 : c == '>' ? -1 : 0;
                if (c == ',' && (depth <= 0 || i == field.length())) {
                    String route = field.substring(begin, i).strip();
                    if (!route.isEmpty()) {
                        routes.add(route);
                    }
                    begin = i + 1;
                }
            }
            return routes.isEmpty() ? null : List.copyOf(routes);
        }

        /** Blanks and commas: a trailing or a doubled comma is a common slip and harmless. */
        private void skip() {
            while (at < text.length()
                    && (text.charAt(at) == ',' || Character.isWhitespace(text.charAt(at)))) {
                at++;
            }
        }

        private RouterException fault(String rule) {
            return new RouterException(file, property.line(at), rule);
        }
    }
}

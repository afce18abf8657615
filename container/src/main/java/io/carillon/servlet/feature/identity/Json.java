package io.carillon.servlet.feature.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of PASSporTs (RFC 8225): objects, arrays, texts, whole numbers, true, false and null, of
 * bounded depth; each member once. Objects are sorted, so that what is written is the deterministic
 * form of section 9. One use, one thread.
 */
public final class Json {
    private static final int MAX_DEPTH = 8;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads an object.
     *
     * @return a sorted map
     * @throws IllegalArgumentException when the text is no JSON object
     */
    public static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.blank();
        if (json.at != text.length() || !(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("no JSON object");
        }
        @SuppressWarnings("unchecked") // made here, with texts as keys
        Map<String, Object> object = (Map<String, Object>) map;
        return object;
    }

    private void blank() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw new IllegalArgumentException("JSON ends early");
        }
        return text.charAt(at++);
    }

    private char peek() {
        blank();
        if (at >= text.length()) {
            throw new IllegalArgumentException("JSON ends early");
        }
        return text.charAt(at);
    }

    private void need(char wanted) {
        blank();
        if (next() != wanted) {
            throw new IllegalArgumentException("JSON without " + wanted);
        }
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("JSON too deep");
        }
        char first = peek();
        return switch (first) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", "");
            default -> number();
        };
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("no JSON value");
        }
        at += word.length();
        return meaning;
    }

    private Map<String, Object> members(int depth) {
        Map<String, Object> members = new TreeMap<>();
        need('{');
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            blank();
            String name = string();
            need(':');
            if (members.put(name, value(depth + 1)) != null) {
                throw new IllegalArgumentException("a JSON member twice");
            }
        } while (more('}'));
        return members;
    }

    private List<Object> elements(int depth) {
        List<Object> elements = new ArrayList<>();
        need('[');
        if (peek() == ']') {
            at++;
            return elements;
        }
        do {
            elements.add(value(depth + 1));
        } while (more(']'));
        return elements;
    }

    private boolean more(char end) {
        blank();
        char c = next();
        if (c != ',' && c != end) {
            throw new IllegalArgumentException("JSON without , or " + end);
        }
        return c == ',';
    }

    private Long number() {
        int from = at;
        while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Long.valueOf(text.substring(from, at)); // NumberFormatException is what is told
    }

    private String string() {
        if (next() != '"') {
            throw new IllegalArgumentException("no JSON text");
        }
        StringBuilder value = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            if (c < ' ') {
                throw new IllegalArgumentException("a control character in JSON");
            }
            value.append(c == '\\' ? escaped() : c);
        }
        return value.toString();
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw new IllegalArgumentException("JSON ends early");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw new IllegalArgumentException("no JSON escape");
        };
    }

    // ---- writing ----

    /** RFC 8225 9: no blanks, members in order. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                char before = '{';
                for (Map.Entry<?, ?> member : new TreeMap<>(map).entrySet()) {
                    write(String.valueOf(member.getKey()), out.append(before));
                    write(member.getValue(), out.append(':'));
                    before = ',';
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                char before = '[';
                for (Object element : list) {
                    write(element, out.append(before));
                    before = ',';
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case String text -> write(text, out);
            case null -> out.append("null");
            default -> out.append(value);
        }
    }

    private static void write(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u00")
                        .append(c < 16 ? '0' : '1')
                        .append("0123456789abcdef".charAt(c & 15));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

package io.carillon.examples.clicktocall;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much JSON as the API needs: objects of texts. */
final class Json {
    private static final String TEXT = "\"((?:[^\"\\\\\\x00-\\x1f]|\\\\.)*+)\"";
    private static final Pattern PAIR =
            Pattern.compile("\\G\\s*" + TEXT + "\\s*:\\s*" + TEXT + "\\s*(,(?=\\s*\")|(?=}))");

    private Json() {}

    static String object(String... namesAndValues) {
        StringBuilder out = new StringBuilder("{");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.append(i == 0 ? "" : ",").append(quoted(namesAndValues[i])).append(':');
            out.append(quoted(namesAndValues[i + 1]));
        }
        return out.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c == '<' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /**
     * Reads an object whose values are texts.
     *
     * @throws IllegalArgumentException for anything else
     */
    static Map<String, String> read(String text) {
        String trimmed = text.trim();
        Map<String, String> found = new LinkedHashMap<>();
        int at = 1;
        if (trimmed.startsWith("{") && trimmed.endsWith("}")) {
            Matcher pairs = PAIR.matcher(trimmed).region(1, trimmed.length());
            while (pairs.find()) {
                found.put(plain(pairs.group(1)), plain(pairs.group(2)));
                at = pairs.end();
            }
            if (trimmed.substring(at).trim().equals("}")) {
                return found;
            }
        }
        throw new IllegalArgumentException("a JSON object of texts is wanted");
    }

    private static String plain(String escaped) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = escaped.charAt(++i);
            int plain = "\"\\/bfnrt".indexOf(c);
            if (plain >= 0) {
                out.append("\"\\/\b\f\n\r\t".charAt(plain));
            } else if (c == 'u' && escaped.substring(i + 1).matches("(?s)\\p{XDigit}{4}.*")) {
                out.append((char) Integer.parseInt(escaped.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                throw new IllegalArgumentException("\\" + c + " is no escape of JSON");
            }
        }
        return out.toString();
    }
}

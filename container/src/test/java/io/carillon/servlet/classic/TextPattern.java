package io.carillon.servlet.classic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a script with places in braces. What is not in braces stands for itself.
 *
 * <p>{@code {*}}: anything. {@code {:regex}}: what the expression says. {@code {name}}: the
 * variable's value when it has one, else it gets what stands there, up to white space or one of
 * {@code ;,<>"}. {@code {name:regex}}: the same with an expression of its own.
 */
final class TextPattern {
    private static final String WORD = "[^\\s;,<>\"]+";

    private final String pattern;
    private final List<String> captured = new ArrayList<>();

    TextPattern(String pattern) {
        this.pattern = pattern;
    }

    /** True when the text is this pattern; variables without a value get theirs. */
    boolean matches(String text, Map<String, String> variables) {
        captured.clear();
        Matcher matcher = Pattern.compile(regex(variables), Pattern.DOTALL).matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        for (int i = 0; i < captured.size(); i++) {
            String earlier = variables.putIfAbsent(captured.get(i), matcher.group("g" + i));
            if (earlier != null && !earlier.equals(matcher.group("g" + i))) {
                return false;
            }
        }
        return true;
    }

    private String regex(Map<String, String> variables) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            int open = pattern.indexOf('{', at);
            if (open < 0) {
                break;
            }
            int close = closing(pattern, open);
            regex.append(Pattern.quote(pattern.substring(at, open)));
            place(pattern.substring(open + 1, close), variables, regex);
            at = close + 1;
        }
        return regex.append(Pattern.quote(pattern.substring(at))).toString();
    }

    private void place(String place, Map<String, String> variables, StringBuilder regex) {
        int colon = place.indexOf(':');
        String name = colon < 0 ? place : place.substring(0, colon);
        String value = variables.get(name);
        if (place.equals("*")) {
            regex.append(".*");
        } else if (name.isEmpty()) {
            regex.append("(?:").append(place.substring(1)).append(')');
        } else if (value != null) {
            regex.append(Pattern.quote(value));
        } else {
            regex.append("(?<g").append(captured.size()).append('>');
            regex.append(colon < 0 ? WORD : place.substring(colon + 1)).append(')');
            captured.add(name);
        }
    }

    /** Puts the values of variables into a text that is sent. */
    static String fill(String text, Map<String, String> variables) {
        StringBuilder filled = new StringBuilder();
        int at = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
            int close = closing(text, open);
            String name = text.substring(open + 1, close);
            String value = variables.get(name);
            if (value == null) {
                throw new AssertionError("nothing is known of {" + name + "}");
            }
            filled.append(text, at, open).append(value);
            at = close + 1;
        }
        return filled.append(text.substring(at)).toString();
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new AssertionError("an open brace in " + text);
    }
}

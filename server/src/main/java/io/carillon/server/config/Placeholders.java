package io.carillon.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Variables of the environment in the value of a file: a dollar sign and the name in braces. Behind
 * the name, {@code :-text} is a default; two dollar signs before a brace stand for one of them. One
 * use, one thread.
 */
final class Placeholders {
    private static final Pattern FORM =
            Pattern.compile(
                    "\\$\\$\\{|\\$\\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}|([^}]*\\}?))");

    private final Map<String, String> environment;
    private final List<String> used = new ArrayList<>();
    private @Nullable String fault;

    Placeholders(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The text with its variables; where one is missing, {@link #fault} says so. */
    String fill(String text) {
        if (text.indexOf("${") < 0) {
            return text;
        }
        StringBuilder filled = new StringBuilder();
        Matcher found = FORM.matcher(text);
        int from = 0;
        while (found.find()) {
            filled.append(text, from, found.start());
            from = found.end();
            filled.append(value(found));
        }
        return filled.append(text, from, text.length()).toString();
    }

    private String value(Matcher found) {
        if (found.group().equals("$${")) {
            return "${";
        }
        String name = found.group(1);
        if (name == null) {
            fault =
                    "'"
                            + found.group()
                            + "' is not allowed; write ${NAME} or ${NAME:-default} for a variable of"
                            + " the environment, $${ for these two characters";
            return "";
        }
        used.add(name);
        String value = environment.get(name);
        String standard = found.group(2);
        if (value == null || (value.isEmpty() && standard != null)) {
            if (standard == null) {
                fault =
                        "${"
                                + name
                                + "}: the environment has no variable "
                                + name
                                + "; set it, or give a default as in ${"
                                + name
                                + ":-value}";
                return "";
            }
            return standard;
        }
        return value;
    }

    /** The variables that were named, separated by commas. */
    String used() {
        return String.join(", ", used);
    }

    /** What is wrong, in a sentence; null: nothing. */
    @Nullable String fault() {
        return fault;
    }
}

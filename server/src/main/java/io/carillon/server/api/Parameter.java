package io.carillon.server.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of an operation: of its path, or behind the question mark.
 *
 * @param name of it
 * @param kind of its value
 * @param about a sentence
 * @param inPath or behind the question mark
 * @param values that it may have; empty: any
 * @param standard where it is not given; null: nothing
 * @param min of a number
 * @param max of a number; of a text its characters
 */
public record Parameter(
        String name,
        Kind kind,
        String about,
        boolean inPath,
        List<String> values,
        @Nullable String standard,
        long min,
        long max) {
    private static final int LONGEST_TEXT = 512;

    /** Kinds of values. */
    public enum Kind {
        TEXT,
        NUMBER,
        FLAG
    }

    static Parameter path(String name, String about) {
        return new Parameter(name, Kind.TEXT, about, true, List.of(), null, 1, LONGEST_TEXT);
    }

    static Parameter text(String name, String about) {
        return new Parameter(name, Kind.TEXT, about, false, List.of(), null, 0, LONGEST_TEXT);
    }

    static Parameter text(String name, String about, int longest) {
        return new Parameter(name, Kind.TEXT, about, false, List.of(), null, 0, longest);
    }

    static Parameter oneOf(String name, List<String> values, String about) {
        return new Parameter(name, Kind.TEXT, about, false, values, null, 0, LONGEST_TEXT);
    }

    static Parameter flag(String name, String about) {
        return new Parameter(name, Kind.FLAG, about, false, List.of(), "false", 0, 0);
    }

    static Parameter number(String name, long standard, long min, long max, String about) {
        return new Parameter(
                name, Kind.NUMBER, about, false, List.of(), Long.toString(standard), min, max);
    }

    /** Is it a value? */
    void check(String value) throws Problem {
        switch (kind) {
            case FLAG -> {
                if (!value.equals("true") && !value.equals("false")) {
                    throw wrong(value, "true or false");
                }
            }
            case NUMBER -> number(value);
            case TEXT -> {
                if (value.length() > max || value.chars().anyMatch(Character::isISOControl)) {
                    throw wrong(
                            value.substring(0, Math.min(value.length(), 40)),
                            "a text of at most " + max + " characters without control characters");
                }
                if (!values.isEmpty() && !values.contains(value)) {
                    throw wrong(value, "one of " + String.join(", ", values));
                }
            }
        }
    }

    long number(String value) throws Problem {
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(value, "a number");
        }
        throw wrong(value, "a number from " + min + " to " + max);
    }

    private Problem wrong(String value, String wanted) {
        return Problem.bad(
                "the parameter " + name + " has to be " + wanted + ", not '" + value + "'");
    }
}

package io.carillon.servlet.app;

import org.jspecify.annotations.Nullable;

/**
 * What an application may be called: its name stands in paths of HTTP, in log lines, in router
 * files, in commands and in names of threads, and must mean one thing in all of them.
 */
public final class ApplicationName {
    /** Characters of the longest name. */
    public static final int LONGEST = 128;

    private static final String OTHERS = "._-+@ ()";

    private ApplicationName() {}

    /** What is wrong with a name, as a rule for people; null when it can be used. */
    public static @Nullable String fault(String name) {
        return good(name)
                ? null
                : "a name has letters, digits and any of \"._-+@ ()\", begins with a letter,"
                        + " digit or _, ends with neither a dot nor a blank, and has at most "
                        + LONGEST
                        + " characters";
    }

    private static boolean good(String name) {
        if (name.isEmpty() || name.length() > LONGEST) {
            return false;
        }
        char last = name.charAt(name.length() - 1);
        int first = name.codePointAt(0);
        return (Character.isLetterOrDigit(first) || first == '_')
                && last != '.'
                && last != ' '
                && name.codePoints()
                        .allMatch(c -> Character.isLetterOrDigit(c) || OTHERS.indexOf(c) >= 0);
    }
}

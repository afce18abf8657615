package io.carillon.servlet.check;

import org.jspecify.annotations.Nullable;

/**
 * One thing that was found.
 *
 * @param level how bad it is
 * @param file archive, or archive and the file inside it, joined by {@code !/}
 * @param line from 1; 0 when there is none to name
 * @param element class, member, element or setting; null when the file is all there is to name
 * @param rule what should have been, or what comes of it
 */
public record Finding(Level level, String file, int line, @Nullable String element, String rule) {
    /** How bad it is. */
    public enum Level {
        /** It does not deploy, or a part of it does not run. */
        ERROR,
        /** It may not run, when that part is used. */
        WARNING
    }

    /** {@code FILE:LINE: element: rule}. */
    public String text() {
        return file
                + (line > 0 ? ":" + line : "")
                + ": "
                + (element == null ? "" : element + ": ")
                + rule;
    }
}

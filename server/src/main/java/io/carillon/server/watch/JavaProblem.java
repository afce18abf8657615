package io.carillon.server.watch;

import org.jspecify.annotations.Nullable;

/**
 * What the compiler has against a source.
 *
 * @param error false: a warning
 * @param file as it is shown; null: it is about none
 * @param line from 1; 0 or less: about none
 * @param column from 1; 0 or less: about none
 * @param source the line itself; empty where it is not known
 */
record JavaProblem(
        boolean error,
        @Nullable String file,
        long line,
        long column,
        String message,
        String source) {

    /** {@code FILE:LINE: error: message}, then the line with a mark below the column. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (file != null) {
            text.append(file).append(':');
            if (line > 0) {
                text.append(line).append(':');
            }
            text.append(' ');
        }
        text.append(error ? "error: " : "warning: ").append(message);
        if (!source.isBlank()) {
            text.append("\n    ").append(source.replace('\t', ' '));
            if (column > 0 && column <= source.length() + 1L) {
                text.append("\n    ").append(" ".repeat((int) column - 1)).append('^');
            }
        }
        return text.toString();
    }
}

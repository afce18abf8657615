package io.carillon.servlet.route;

import org.jspecify.annotations.Nullable;

/**
 * A router that cannot be used: a wrong properties file, or a provider which is not there. One
 * line: {@code FILE:LINE: rule}.
 */
public final class RouterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final int line;

    /**
     * @param file file or provider at fault
     * @param line from 1, or 0 when there is none to name
     */
    public RouterException(String file, int line, String rule, @Nullable Throwable cause) {
        super(line > 0 ? file + ":" + line + ": " + rule : file + ": " + rule, cause);
        this.file = file;
        this.line = line;
    }

    public RouterException(String file, int line, String rule) {
        this(file, line, rule, null);
    }

    public String file() {
        return file;
    }

    public int line() {
        return line;
    }
}

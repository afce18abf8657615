package io.carillon.server.config;

import java.util.Map;

/**
 * The server's log.
 *
 * @param level of everything
 * @param levels by logger
 * @param format of its lines
 */
public record LogSettings(
        @Setting(reload = true, value = "What is logged.", standard = "info", common = true)
                Level level,
        @Setting(
                        value = "Other levels for single loggers, as in io.carillon.net: debug.",
                        reload = true)
                Map<String, Level> levels,
        @Setting(
                        value =
                                "How lines are written: for people, or an object of JSON each"
                                        + " (docs/guides/logs.md).",
                        standard = "text",
                        reload = true)
                Format format) {

    /** How lines are written. */
    public enum Format {
        /** For people. */
        TEXT,
        /** An object for each line. */
        JSON
    }

    /** How much is logged. */
    public enum Level {
        /** Nothing. */
        OFF,
        /** Faults that need somebody. */
        ERROR,
        /** Also what may become one. */
        WARN,
        /** Also what happens to the server as a whole. */
        INFO,
        /** Also what happens to a call. */
        DEBUG,
        /** Everything. */
        TRACE
    }
}

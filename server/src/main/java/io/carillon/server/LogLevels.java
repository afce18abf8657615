package io.carillon.server;

import io.carillon.server.config.LogSettings;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/** Applies the configured levels to the log. */
final class LogLevels {
    private LogLevels() {}

    static void apply(LogSettings settings) {
        Configurator.setRootLevel(Level.valueOf(settings.level().name()));
        settings.levels()
                .forEach((logger, level) ->
                        Configurator.setLevel(logger, Level.valueOf(level.name())));
    }

    /** Writes what is queued; the log is silent afterwards. */
    static void flush() {
        LogManager.shutdown();
    }
}

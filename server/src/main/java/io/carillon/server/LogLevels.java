package io.carillon.server;

import io.carillon.server.config.LogSettings;
import io.carillon.server.log.JulLines;
import io.carillon.server.log.LineLayout;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.jspecify.annotations.Nullable;

/** The levels and the format of the log. */
public final class LogLevels {
    /** Levels of the shipped carillon-log4j2.xml, as they were before anything was applied. */
    private static @Nullable SortedMap<String, String> shipped;

    private LogLevels() {}

    /** What is configured is logged from now on, in the configured format. */
    public static synchronized void apply(LogSettings settings) {
        if (shipped == null) {
            shipped = now();
        }
        format(settings);
        Configurator.setRootLevel(Level.valueOf(settings.level().name()));
        settings.levels()
                .forEach((logger, level) ->
                        Configurator.setLevel(logger, Level.valueOf(level.name())));
        JulLines.begin();
    }

    /** How lines are written from now on. */
    static void format(LogSettings settings) {
        LineLayout.json(settings.format() == LogSettings.Format.JSON);
    }

    /** Changes the level of one logger, of those below it too; of all by the empty name. */
    static void set(String logger, LogSettings.Level level) {
        Level wanted = Level.valueOf(level.name());
        if (logger.isEmpty()) {
            Configurator.setRootLevel(wanted);
        } else {
            Configurator.setLevel(logger, wanted);
        }
        JulLines.levels();
    }

    /** Back to what is configured: what was set since then goes. */
    static synchronized void reset(LogSettings settings) {
        SortedMap<String, String> before = shipped == null ? new TreeMap<>() : shipped;
        for (String logger : now().keySet()) {
            if (!logger.isEmpty()) {
                String level = before.get(logger);
                // Without a level of its own it has that of the logger above it.
                Configurator.setLevel(logger, level == null ? null : Level.valueOf(level));
            }
        }
        apply(settings);
    }

    /** Levels by logger, those that have one of their own; that of all others by the empty name. */
    static SortedMap<String, String> now() {
        SortedMap<String, String> levels = new TreeMap<>();
        if (LogManager.getContext(false) instanceof LoggerContext context) {
            for (LoggerConfig logger : context.getConfiguration().getLoggers().values()) {
                Level own = logger.getExplicitLevel();
                if (own != null) {
                    levels.put(logger.getName(), own.name().toLowerCase(Locale.ROOT));
                }
            }
        }
        return levels;
    }

    /** Writes what is queued; the log is silent afterwards. */
    static void flush() {
        LogManager.shutdown();
    }
}

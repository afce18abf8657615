package io.carillon.server;

import io.carillon.server.config.LogSettings;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** The command that shows and changes the log's levels while the server runs. Any thread. */
final class LogCommands {
    private static final Logger LOG = LoggerFactory.getLogger(LogCommands.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Supplier<LogSettings> configured;

    private LogCommands(Supplier<LogSettings> configured) {
        this.configured = configured;
    }

    /** By the names that the command line sends. */
    static Map<String, ControlCommand> of(Supplier<LogSettings> configured) {
        LogCommands commands = new LogCommands(configured);
        return Map.of(
                "log-show",
                nothing -> show(),
                "log-set",
                (CallerCommand) commands::set,
                "log-reset",
                (CallerCommand) (nothing, who) -> commands.reset(who));
    }

    /** Levels by logger; that of everything else by the empty name. */
    private static String show() {
        return JSON.writeValueAsString(LogLevels.now());
    }

    private String set(String argument, String who) throws ControlFailure {
        List<String> words = Arrays.asList(argument.strip().split("\\s+"));
        LogSettings.Level level = level(words.getFirst());
        String logger = words.size() > 1 ? words.get(1) : "";
        LogLevels.set(logger, level);
        LOG.info(
                "The log level of {} was set to {} by {}",
                logger.isEmpty() ? "everything" : logger,
                word(level),
                who);
        return show();
    }

    private static LogSettings.Level level(String word) throws ControlFailure {
        for (LogSettings.Level level : LogSettings.Level.values()) {
            if (word(level).equalsIgnoreCase(word)) {
                return level;
            }
        }
        throw new ControlFailure(
                ControlFailure.Kind.BAD,
                "'"
                        + word
                        + "' is no level; there are "
                        + String.join(
                                ", ",
                                Arrays.stream(LogSettings.Level.values())
                                        .map(LogCommands::word)
                                        .toList()));
    }

    private String reset(String who) {
        LogLevels.reset(configured.get());
        LOG.info("The log levels were set back to the configured ones by {}", who);
        return show();
    }

    private static String word(LogSettings.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}

package io.carillon.server;

import io.carillon.server.config.LogSettings;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.log.RaisedLevels;
import io.carillon.server.log.ShownLevels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The commands that show and change the log's levels while the server runs. Any thread. */
final class LogCommands {
    private static final Logger LOG = LoggerFactory.getLogger(LogCommands.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Supplier<LogSettings> configured;
    private final RaisedLevels raised = RaisedLevels.ofProcess();

    private LogCommands(Supplier<LogSettings> configured) {
        this.configured = configured;
    }

    /** By the names that the command line sends. */
    static Map<String, ControlCommand> of(Supplier<LogSettings> configured) {
        LogCommands commands = new LogCommands(configured);
        return Map.of(
                "log-show",
                nothing -> commands.show(),
                "log-set",
                (CallerCommand) commands::set,
                "log-reset",
                (CallerCommand) (nothing, who) -> commands.reset(who),
                "log-raise",
                (CallerCommand) commands::raise,
                "log-end",
                (CallerCommand) commands::end);
    }

    private String show() {
        return JSON.writeValueAsString(new ShownLevels(LogLevels.now(), raised.on()));
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

    private String raise(String argument, String who) throws ControlFailure {
        ShownLevels.Request request;
        try {
            request = JSON.readValue(argument, ShownLevels.Request.class);
        } catch (JacksonException e) {
            throw new ControlFailure("the argument cannot be read: " + e.getOriginalMessage(), e);
        }
        String level = word(level(request.level()));
        Duration time = Duration.ofSeconds(request.seconds());
        if (time.isZero() || time.isNegative() || time.compareTo(RaisedLevels.LONGEST) > 0) {
            throw new ControlFailure("the time has to be 1 s to 24 h");
        }
        RaisedLevels.@Nullable Shown one =
                request.call() != null
                        ? raised.call(request.call(), level, time, who)
                        : raised.user(String.valueOf(request.user()), level, time, who);
        if (one == null) {
            throw new ControlFailure(
                    RaisedLevels.MOST
                            + " calls and users are raised already: end one (./carillon log --end NUMBER)");
        }
        LOG.info(
                "All that {} logs at {} and above is written for {} s, by {} (number {})",
                one.what(),
                one.level(),
                one.secondsLeft(),
                who,
                one.number());
        return show();
    }

    private String end(String argument, String who) throws ControlFailure {
        if (argument.isBlank()) {
            LOG.info("{} raised levels of the log were ended by {}", raised.endAll(), who);
            return show();
        }
        try {
            if (!raised.end(Integer.parseInt(argument.strip()))) {
                throw new ControlFailure("there is no number " + argument.strip());
            }
        } catch (NumberFormatException e) {
            throw new ControlFailure("'" + argument.strip() + "' is no number", e);
        }
        LOG.info("The raised level {} of the log was ended by {}", argument.strip(), who);
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
        int ended = raised.endAll();
        LOG.info(
                "The log levels were set back to the configured ones by {}; {} raised ones ended",
                who,
                ended);
        return show();
    }

    private static String word(LogSettings.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}

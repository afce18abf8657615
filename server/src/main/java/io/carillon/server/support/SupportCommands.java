package io.carillon.server.support;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.SecretText;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.log.RecentLines;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The parts of a support bundle that the running server makes. Whatever they hold, the secrets of
 * its configuration are stars in them. Any thread.
 */
public final class SupportCommands {
    /** The command of the control socket: a part, and what that needs. */
    public static final String COMMAND = "support";

    private static final int MOST_SECONDS = 300;

    /** Commands whose answers are parts. */
    private static final Set<String> OTHERS =
            Set.of(
                    "config-show",
                    "status",
                    "calls",
                    "trace-list",
                    "trace-show",
                    "log-show",
                    "bans",
                    "cluster",
                    "applications");

    private final Map<String, ControlCommand> others;
    private final Supplier<String> metrics;
    private final Supplier<Configuration> running;
    private final AtomicBoolean recording = new AtomicBoolean();

    private SupportCommands(
            Map<String, ControlCommand> others,
            Supplier<String> metrics,
            Supplier<Configuration> running) {
        this.others = others;
        this.metrics = metrics;
        this.running = running;
    }

    /**
     * By the name that the command line sends.
     *
     * @param others all other commands
     * @param metrics as Prometheus gets them
     * @param running with the secrets
     */
    public static Map<String, ControlCommand> of(
            Map<String, ControlCommand> others,
            Supplier<String> metrics,
            Supplier<Configuration> running) {
        return Map.of(COMMAND, new SupportCommands(Map.copyOf(others), metrics, running)::part);
    }

    private String part(String argument) throws ControlFailure {
        int blank = argument.indexOf(' ');
        String name = blank < 0 ? argument : argument.substring(0, blank);
        String rest = blank < 0 ? "" : argument.substring(blank + 1);
        return name.equals("recording")
                ? recording(rest)
                : SecretText.of(running.get()).masked(text(name, rest));
    }

    private String text(String name, String rest) throws ControlFailure {
        try {
            return switch (name) {
                case "threads" -> ThreadText.platform();
                case "all-threads" -> ThreadText.all();
                case "log" -> log();
                case "metrics" -> metrics.get();
                case "cluster" -> running.get().cluster().configured() ? other(name, rest) : "";
                default -> other(name, rest);
            };
        } catch (IOException e) {
            throw new ControlFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private static String log() {
        StringBuilder lines = new StringBuilder();
        for (RecentLines.Line one : RecentLines.last(0, "", Integer.MAX_VALUE)) {
            lines.append(one.time())
                    .append(' ')
                    .append(one.level().toUpperCase(Locale.ROOT))
                    .append(' ')
                    .append(one.logger())
                    .append(' ')
                    .append(one.text())
                    .append('\n');
        }
        return lines.toString();
    }

    private String other(String name, String rest) throws ControlFailure {
        ControlCommand command = OTHERS.contains(name) ? others.get(name) : null;
        if (command == null) {
            throw new ControlFailure("there is no part " + name);
        }
        return command.answer(rest);
    }

    private String recording(String seconds) throws ControlFailure {
        int time;
        try {
            time = Integer.parseInt(seconds);
        } catch (NumberFormatException e) {
            throw new ControlFailure("'" + seconds + "' is no number of seconds", e);
        }
        if (time < 1 || time > MOST_SECONDS) {
            throw new ControlFailure("a recording takes 1 to " + MOST_SECONDS + " s");
        }
        if (!recording.compareAndSet(false, true)) {
            throw new ControlFailure("another recording is under way");
        }
        try {
            return Base64.getEncoder().encodeToString(Recordings.record(Duration.ofSeconds(time)));
        } catch (IOException e) {
            throw new ControlFailure("nothing was recorded: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlFailure("the server ended meanwhile", e);
        } finally {
            recording.set(false);
        }
    }
}

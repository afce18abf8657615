package io.carillon.server.cli;

import io.carillon.server.log.RaisedLevels;
import io.carillon.server.log.ShownLevels;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon log}: the log's levels, while the server runs. */
@Command(
        name = "log",
        description = {
            "Shows the levels of the running server's log, or changes one; reset: back to the"
                    + " configured ones.",
            "With --call or --user: what one call or one user's calls log, for a while"
                    + " (docs/guides/logs.md)."
        },
        mixinStandardHelpOptions = true)
final class LogCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String RESET = "reset";

    @Parameters(
            arity = "0..1",
            index = "0",
            paramLabel = "LEVEL|reset",
            description = "off, error, warn, info, debug or trace; or reset.")
    private String level = "";

    @Parameters(
            arity = "0..1",
            index = "1",
            paramLabel = "LOGGER",
            description = "As io.carillon.net; without one: everything.")
    private String logger = "";

    @Option(
            names = "--level",
            paramLabel = "[LOGGER=]LEVEL",
            description = "The level of a logger, of everything, or of --call and --user (debug).")
    private @Nullable String wanted;

    @Option(
            names = "--call",
            paramLabel = "ID",
            description = "Only the call with this Call-ID or application session.")
    private @Nullable String call;

    @Option(
            names = "--user",
            paramLabel = "URI",
            description = "Only calls from or to this user: sip:alice@example.com, or alice.")
    private @Nullable String user;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --call or --user: until it ends by itself, 24h at most (10m).")
    private @Nullable Duration time;

    @Option(
            names = "--end",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "NUMBER",
            description = "Ends what --call or --user began, all or one.")
    private @Nullable String end;

    LogCommand() {
        super("log-show");
    }

    private boolean raises() {
        return call != null || user != null;
    }

    @Override
    String command() {
        if (end != null) {
            return "log-end";
        }
        if (raises()) {
            return "log-raise";
        }
        if (wanted != null) {
            return "log-set";
        }
        return switch (level) {
            case "" -> "log-show";
            case RESET -> "log-reset";
            default -> "log-set";
        };
    }

    @Override
    @Nullable String argument() {
        check();
        if (end != null) {
            return end;
        }
        if (raises()) {
            Duration span = time == null ? Duration.ofMinutes(10) : time;
            return JSON.writeValueAsString(
                    new ShownLevels.Request(
                            call, user, wanted == null ? "debug" : wanted, span.toSeconds()));
        }
        if (wanted != null) {
            int at = wanted.indexOf('=');
            return at < 0 ? wanted : wanted.substring(at + 1) + " " + wanted.substring(0, at);
        }
        return level.isEmpty() || level.equals(RESET) ? null : (level + " " + logger).strip();
    }

    private void check() {
        if (logger.chars().anyMatch(Character::isWhitespace)
                || Objects.requireNonNullElse(wanted, "")
                        .chars()
                        .anyMatch(Character::isWhitespace)) {
            throw wrong("a logger's name has no blanks");
        }
        if (level.equals(RESET) && !logger.isEmpty()) {
            throw wrong("reset sets all levels back and takes no logger");
        }
        if (call != null && user != null) {
            throw wrong("either --call or --user");
        }
        if (time != null && !raises()) {
            throw wrong("--for goes with --call or --user");
        }
        boolean options = raises() || wanted != null || end != null;
        if (!level.isEmpty() && options) {
            throw wrong("with options the level is --level LEVEL");
        }
        if (end != null && (raises() || wanted != null)) {
            throw wrong("--end goes alone");
        }
        if (raises() && wanted != null && wanted.indexOf('=') >= 0) {
            throw wrong("with --call or --user the level has no logger");
        }
        if (wanted != null && wanted.startsWith("=")) {
            throw wrong("--level needs LOGGER=LEVEL, or LEVEL");
        }
    }

    /** A server elsewhere answers some questions by the levels alone. */
    private static ShownLevels read(String answer) {
        JsonNode json = JSON.readTree(answer);
        return json.has("raised")
                ? JSON.treeToValue(json, ShownLevels.class)
                : new ShownLevels(JSON.readValue(answer, new TypeReference<>() {}), List.of());
    }

    @Override
    void print(String answer, PrintWriter out) {
        ShownLevels shown = read(answer);
        TextTable table = new TextTable("LOGGER", "LEVEL");
        shown.levels().forEach((name, own) -> table.row(name.isEmpty() ? "everything" : name, own));
        out.print(table.text());
        if (!shown.raised().isEmpty()) {
            TextTable raised = new TextTable("NUMBER", "OF", "LEVEL", "ENDS IN", "BY");
            for (RaisedLevels.Shown one : shown.raised()) {
                raised.row(
                        Integer.toString(one.number()),
                        one.what(),
                        one.level(),
                        TraceSwitches.words(one.secondsLeft()),
                        one.who());
            }
            out.println();
            out.print(raised.text());
        }
    }
}

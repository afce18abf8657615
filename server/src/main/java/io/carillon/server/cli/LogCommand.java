package io.carillon.server.cli;

import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon log}: the log's levels, while the server runs. */
@Command(
        name = "log",
        description =
                "Shows the levels of the running server's log, or changes one; reset: back to the"
                        + " configured ones.",
        mixinStandardHelpOptions = true)
final class LogCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();

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

    LogCommand() {
        super("log-show");
    }

    @Override
    String command() {
        return switch (level) {
            case "" -> "log-show";
            case "reset" -> "log-reset";
            default -> "log-set";
        };
    }

    @Override
    @Nullable String argument() {
        if (logger.chars().anyMatch(Character::isWhitespace)) {
            throw wrong("a logger's name has no blanks");
        }
        if (level.equals("reset") && !logger.isEmpty()) {
            throw wrong("reset sets all levels back and takes no logger");
        }
        return level.isEmpty() || level.equals("reset") ? null : (level + " " + logger).strip();
    }

    @Override
    void print(String answer, PrintWriter out) {
        Map<String, String> levels = JSON.readValue(answer, new TypeReference<>() {});
        TextTable table = new TextTable("LOGGER", "LEVEL");
        levels.forEach((name, own) -> table.row(name.isEmpty() ? "everything" : name, own));
        out.print(table.text());
    }
}

package io.carillon.server.cli;

import io.carillon.server.control.ControlClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon log}: the log's levels, while the server runs. */
@Command(
        name = "log",
        description =
                "Shows the levels of the running server's log, or changes one; reset: back to the"
                        + " configured ones.",
        mixinStandardHelpOptions = true)
final class LogCommand implements Callable<Integer> {
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

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (logger.chars().anyMatch(Character::isWhitespace)) {
            throw new ParameterException(spec.commandLine(), "a logger's name has no blanks");
        }
        if (level.equals("reset") && !logger.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "reset sets all levels back and takes no logger");
        }
        String answer =
                switch (level) {
                    case "" -> ControlClient.ask(target.socket(), "log-show");
                    case "reset" -> ControlClient.ask(target.socket(), "log-reset");
                    default ->
                            ControlClient.ask(
                                    target.socket(), "log-set", (level + " " + logger).strip());
                };
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            Map<String, String> levels = JSON.readValue(answer, new TypeReference<>() {});
            TextTable table = new TextTable("LOGGER", "LEVEL");
            levels.forEach((name, own) -> table.row(name.isEmpty() ? "everything" : name, own));
            out.print(table.text());
        }
        out.flush();
        return 0;
    }
}

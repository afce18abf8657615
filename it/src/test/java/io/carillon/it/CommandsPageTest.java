package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** The page of the commands is what the commands themselves print as their help. */
class CommandsPageTest {
    private static final Path PAGE = Pages.ROOT.resolve("docs/reference/commands.md");

    private static final String PREFACE =
            """
            # Commands

            What each command prints with `--help`; made from the code. `carillon` stands for `./carillon` in a clone and `bin/carillon` in an unpacked archive.
            Exit codes: 0 done, 1 failed, 2 wrong arguments. What asks a running server finds it by its control socket; `--pid` chooses among several.
            The package and the archive have the same as manual pages (`man carillon-run`), and the completion for bash.

            """;

    /** {@code -Dcarillon.docs.write=true} writes it. */
    @Test
    void itHasTheHelpOfEachCommand() throws IOException {
        StringBuilder page = new StringBuilder(PREFACE);
        CommandLine carillon = PageCommands.line("io.carillon.server.cli.Main");
        CommandLine lab = PageCommands.line("io.carillon.lab.Main");
        for (Map.Entry<String, CommandLine> one : carillon.getSubcommands().entrySet()) {
            switch (one.getKey()) {
                case "help", "version" -> {}
                case "load" -> print(lab.getSubcommands().get("load"), "load", page);
                case "lab" -> {
                    lab.getCommandSpec().removeSubcommand("load");
                    print(lab, "lab", page);
                }
                default -> print(one.getValue(), one.getKey(), page);
            }
        }
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page.toString());
    }

    private static void print(CommandLine line, String name, StringBuilder page) {
        CommandSpec command = line.getCommandSpec();
        if (command.usageMessage().hidden()) {
            return;
        }
        page.append("#".repeat(name.contains(" ") ? 3 : 2)).append(' ').append(name).append("\n\n");
        page.append("```\n").append(line.getUsageMessage(Ansi.OFF).strip()).append("\n```\n\n");
        line.getSubcommands()
                .forEach((inner, one) -> {
                    if (!inner.equals("help")) {
                        print(one, name + " " + inner, page);
                    }
                });
    }
}

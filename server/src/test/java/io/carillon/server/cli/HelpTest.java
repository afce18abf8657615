package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** What users see first. The launcher prints it without a Java, so it lies in a file. */
class HelpTest {
    private static final Path FILE = Path.of("src", "main", "dist", "help.txt");
    private static final int LINES = 25;
    private static final int COLUMNS = 80;

    private final CommandLine carillon = Main.commandLine();

    @Test
    void itFitsOnAScreen() {
        List<String> lines = help().lines().toList();

        assertThat(lines).hasSizeLessThanOrEqualTo(LINES);
        assertThat(lines).allMatch(line -> line.length() <= COLUMNS);
    }

    @Test
    void eachCommandIsNamedAndHasAHelpOfItsOwn() {
        for (Map.Entry<String, CommandLine> command : carillon.getSubcommands().entrySet()) {
            if (command.getValue().getCommandSpec().usageMessage().hidden()) {
                continue;
            }
            assertThat(help()).containsPattern("[ ,]" + command.getKey() + "[ ,\n]");
            assertThat(command.getValue().getCommandSpec().usageMessage().description())
                    .as(command.getKey())
                    .isNotEmpty();
        }
    }

    /** {@code -Dcarillon.docs.write=true} writes it. */
    @Test
    void theFileOfTheLauncherIsTheCommandsOwnHelp() throws IOException {
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(FILE, help());
        }
        assertThat(FILE).hasContent(help());
    }

    private String help() {
        return carillon.getUsageMessage(Ansi.OFF);
    }
}

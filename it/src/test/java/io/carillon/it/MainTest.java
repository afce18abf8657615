package io.carillon.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command line, as a user meets it. */
class MainTest {
    private final StringWriter said = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        PrintWriter writer = new PrintWriter(said, true);
        line.setOut(writer);
        line.setErr(writer);
        for (CommandLine command : line.getSubcommands().values()) {
            command.setOut(writer);
            command.setErr(writer);
        }
        return line.execute(arguments);
    }

    @Test
    void withoutANameItListsTheRuns() {
        assertThat(run()).isZero();
        assertThat(said.toString()).contains(Main.commandLine().getSubcommands().keySet());
    }

    @Test
    void anUnknownNameIsAnsweredInOneSentenceThatSaysWhereTheNamesAre() {
        assertThat(run("exmaples")).isNotZero();
        assertThat(said.toString())
                .isEqualToIgnoringNewLines(
                        "carillon it: there is no run 'exmaples'; ./carillon it lists them");
    }

    @Test
    void aWrongOptionIsOneLineThatNamesTheRun() {
        assertThat(run("examples", "--no-such")).isEqualTo(2);
        assertThat(said.toString())
                .startsWith("carillon it examples: Unknown option: '--no-such'")
                .hasLineCount(1);
    }

    /** picocli formats descriptions, and complains on the terminal of a bare percent sign. */
    @Test
    void everyDescriptionCanBePrinted() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            for (CommandLine.Model.OptionSpec option : command.getCommandSpec().options()) {
                for (String line : option.description()) {
                    assertThatNoException().as(line).isThrownBy(() -> String.format(line));
                }
            }
        }
    }

    /** They were commands of bench once: the launcher sends the old names here. */
    @Test
    void theLauncherForwardsTheOldNamesOfAllRuns() throws IOException {
        String launcher = Files.readString(Path.of("../dev"));
        Matcher names = Pattern.compile("(?m)^ *([a-z| -]+)\\) command=it ;;.*$").matcher(launcher);

        assertThat(names.find()).isTrue();
        assertThat(Arrays.asList(names.group(1).split(" \\| ")))
                .containsExactlyInAnyOrderElementsOf(Main.commandLine().getSubcommands().keySet());
    }
}

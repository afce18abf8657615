package io.carillon.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    @Test
    void aWrongArgumentIsOneLineThatNamesTheCommand() {
        assertThat(refused("jvm", "--minutes", "x"))
                .startsWith("carillon lab jvm: Invalid value for option '--minutes'")
                .hasLineCount(1);
        assertThat(refused("ramp", "--no-such"))
                .startsWith("carillon lab ramp: Unknown option: '--no-such'")
                .hasLineCount(1);
        assertThat(refused("load", "--no-such")).startsWith("carillon load: ").hasLineCount(1);
    }

    /**
     * picocli formats descriptions, and complains on the user's terminal of a bare percent sign.
     */
    @Test
    void everyDescriptionCanBePrinted() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            CommandLine.Model.CommandSpec spec = command.getCommandSpec();
            for (String line : spec.usageMessage().description()) {
                assertThatNoException().as(line).isThrownBy(() -> String.format(line));
            }
            for (CommandLine.Model.OptionSpec option : spec.options()) {
                for (String line : option.description()) {
                    assertThatNoException().as(line).isThrownBy(() -> String.format(line));
                }
            }
        }
    }

    private static String refused(String... arguments) {
        StringWriter said = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(said, true));
        line.getSubcommands().values().forEach(c -> c.setErr(new PrintWriter(said, true)));
        assertThat(line.execute(arguments)).isEqualTo(2);
        return said.toString();
    }
}

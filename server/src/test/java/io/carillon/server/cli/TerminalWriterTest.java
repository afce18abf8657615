package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What strangers wrote reaches no terminal as a command. */
class TerminalWriterTest {
    private static String shown(String text) {
        StringWriter terminal = new StringWriter();
        PrintWriter out = TerminalWriter.before(new PrintWriter(terminal));
        out.print(text);
        out.flush();
        return terminal.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "009b", "001b", "0007", "000d", "007f", "0085", "202e", "2066", "200f", "061c", "2028"
    })
    void whatATerminalObeysIsShownAsItsNumber(String hex) {
        char command = (char) Integer.parseInt(hex, 16);
        assertThat(shown("a" + command + "31m")).isEqualTo("a\\u" + hex + "31m");
    }

    @Test
    void linesTabulatorsAndLettersOfAllLanguagesStay() {
        assertThat(shown("a\tb\n│ Zoë ↻ \uD83D\uDE00 שלום\n"))
                .isEqualTo("a\tb\n│ Zoë ↻ \uD83D\uDE00 שלום\n");
    }

    @Test
    void theTextIsNotWrappedTwice() {
        PrintWriter once = TerminalWriter.before(new PrintWriter(new StringWriter()));
        assertThat(TerminalWriter.before(once)).isSameAs(once);
    }

    /** Who follows a trace notices by it that nobody reads any more. */
    @Test
    void aTerminalThatIsGoneIsAnError() {
        PrintWriter broken =
                new PrintWriter(
                        new Writer() {
                            @Override
                            public void write(char[] text, int offset, int length)
                                    throws java.io.IOException {
                                throw new java.io.IOException("closed");
                            }

                            @Override
                            public void flush() {}

                            @Override
                            public void close() {}
                        });
        PrintWriter out = TerminalWriter.before(broken);
        out.println("x");
        assertThat(out.checkError()).isTrue();
    }
}

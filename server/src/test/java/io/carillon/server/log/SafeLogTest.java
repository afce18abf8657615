package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** The layout as carillon-log4j2.xml has it. */
class SafeLogTest {
    private static String pattern() throws Exception {
        String xml = Files.readString(Path.of("src", "main", "resources", "carillon-log4j2.xml"));
        int from = xml.indexOf("pattern=\"") + "pattern=\"".length();
        return xml.substring(from, xml.indexOf('"', from));
    }

    private static String line(String message, Throwable thrown) throws Exception {
        LogEvent event =
                Log4jLogEvent.newBuilder()
                        .setLevel(Level.WARN)
                        .setLoggerName("io.carillon.Test")
                        .setMessage(new SimpleMessage(message))
                        .setThrown(thrown)
                        .build();
        return PatternLayout.newBuilder().setPattern(pattern()).build().toSerializable(event);
    }

    @Test
    void textOfStrangersMakesNoLineOfItsOwnAndShowsNoSecret() throws Exception {
        String line =
                line("from \"\r\n12:00:00.000 INFO  Server Stopped\u001b[1A ${env:HOME}", null);
        assertThat(line.lines()).hasSize(1);
        assertThat(line)
                .endsWith(
                        " WARN  Test from \"\\r\\n12:00:00.000 INFO  Server Stopped\\x1b[1A \\${env:HOME}"
                                + System.lineSeparator());
        assertThat(line("Authorization: Digest response=\"1234\"", null)).doesNotContain("1234");
    }

    @Test
    void exceptionsQuoteStrangersTooAndAreCut() throws Exception {
        Throwable cause = new IllegalArgumentException("no number: 1\r\n2 password=top");
        String text = line("failed", new IllegalStateException("outer", cause));
        assertThat(text.lines()).hasSize(9);
        assertThat(text).contains("java.lang.IllegalStateException: outer\n\tat ");
        String whole = line("failed", cause);
        assertThat(whole)
                .contains("java.lang.IllegalArgumentException: no number: 1\\r\\n2 password=***\n");
    }
}

package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.apache.logging.log4j.util.SortedArrayStringMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lines as {@code log.format} says. */
class LineLayoutTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final LineLayout layout =
            LineLayout.create(Paper.PATTERN, LoggerContext.getContext(false).getConfiguration());

    @AfterEach
    void text() {
        LineLayout.json(false);
    }

    private static LogEvent event(String message, Throwable thrown, Map<String, String> context) {
        SortedArrayStringMap map = new SortedArrayStringMap();
        context.forEach(map::putValue);
        return Log4jLogEvent.newBuilder()
                .setLevel(Level.WARN)
                .setLoggerName("com.example.Calls")
                .setThreadName("worker")
                .setTimeMillis(0)
                .setMessage(new SimpleMessage(message))
                .setThrown(thrown)
                .setContextData(map)
                .build();
    }

    private JsonNode json(LogEvent event) {
        String line = layout.toSerializable(event);
        assertThat(line).endsWith("}\n");
        assertThat(line.lines()).as("one line for each event").hasSize(1);
        return JSON.readTree(line);
    }

    @Test
    void anObjectHasTheFieldsThatThePageNames() {
        LineLayout.json(true);
        JsonNode line =
                json(
                        event(
                                "hello",
                                null,
                                Map.of(
                                        CallFields.CALL_ID,
                                        "a@b",
                                        CallFields.SESSION,
                                        "s1",
                                        CallFields.APPLICATION,
                                        "app",
                                        CallFields.PEER,
                                        "udp:192.0.2.1:5060",
                                        "tenant",
                                        "acme")));
        assertThat(line.propertyNames())
                .containsExactly(
                        "time",
                        "level",
                        "logger",
                        "thread",
                        "message",
                        "callId",
                        "session",
                        "application",
                        "peer",
                        "mdc");
        assertThat(line.get("time").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*[+Z-].*");
        assertThat(line.get("level").asString()).isEqualTo("WARN");
        assertThat(line.get("callId").asString()).isEqualTo("a@b");
        assertThat(line.get("mdc").get("tenant").asString()).isEqualTo("acme");
    }

    @Test
    void whatIsNotKnownIsNotThere() {
        LineLayout.json(true);
        assertThat(json(event("hello", null, Map.of())).propertyNames())
                .containsExactly("time", "level", "logger", "thread", "message");
    }

    @Test
    void strangersAndSecretsAreAsInText() {
        LineLayout.json(true);
        JsonNode line =
                json(
                        event(
                                "from \"\r\n\u001b[1A password=top",
                                new IllegalStateException("no: 1\r\n2 password=top"),
                                Map.of()));
        assertThat(line.toString()).doesNotContain("top");
        assertThat(line.get("message").asString()).isEqualTo("from \"\\r\\n\\x1b[1A password=***");
        assertThat(line.get("exception").asString())
                .startsWith("java.lang.IllegalStateException: no: 1\\r\\n2 password=***\n\tat ");
    }

    @Test
    void textNamesTheCall() {
        assertThat(layout.toSerializable(event("hello", null, Map.of(CallFields.CALL_ID, "a@b"))))
                .isEqualTo("WARN  Calls hello [call a@b]" + System.lineSeparator());
        assertThat(layout.toSerializable(event("hello", null, Map.of())))
                .isEqualTo("WARN  Calls hello" + System.lineSeparator());
    }
}

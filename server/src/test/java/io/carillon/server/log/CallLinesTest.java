package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What applications log of their calls, by each way to log, on loops and on threads of their own:
 * each line names its call.
 */
class CallLinesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int CALLS = 10_000;

    @Test
    void tenThousandCallsAndEachLineHasTheCallIdOfItsCall() throws Exception {
        Map<String, Integer> events = new HashMap<>();
        Map<String, Set<String>> sessions = new HashMap<>();
        try (LoggingServers servers = new LoggingServers()) {
            servers.add("loops", ExecutionMode.NON_BLOCKING)
                    .add("threads", ExecutionMode.BLOCKING)
                    .add("adaptive", ExecutionMode.ADAPTIVE);
            LoggingCaller caller = servers.caller();
            assertThat(caller.calls(CALLS, 100, 120, TimeUnit.SECONDS))
                    .as("refused: %s", caller.refused)
                    .isEqualTo(CALLS);
            servers.paper.await(CALLS * LoggingServlet.LINES, 60, TimeUnit.SECONDS);
            for (String line : servers.paper.lines()) {
                JsonNode json = JSON.readTree(line);
                String[] said = json.get("message").asString().split(" ");
                assertThat(json.path("callId").asString()).as(line).isEqualTo(said[1]);
                assertThat(json.path("application").asString()).as(line).isEqualTo(said[2]);
                sessions.computeIfAbsent(said[1], _ -> new HashSet<>())
                        .add(json.path("session").asString());
                events.merge(said[0], 1, Integer::sum);
                if (said[0].startsWith("message-")) {
                    assertThat(json.path("peer").asString())
                            .as(line)
                            .isEqualTo("udp:192.0.2.2:5060");
                }
            }
        }
        assertThat(events.values()).as("%s", events).containsOnly(CALLS);
        assertThat(events).hasSize(LoggingServlet.LINES);
        assertThat(sessions).hasSize(CALLS);
        assertThat(sessions.values()).as("one session for each call").allMatch(s -> s.size() == 1);
    }
}

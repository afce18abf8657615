package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More is logged of one call or one user, for a while. */
class RaisedLevelsTest {
    private static final int CALLS = 12;

    private long now = Long.MAX_VALUE - 10;
    private final RaisedLevels levels = new RaisedLevels(() -> now);

    @AfterEach
    void end() {
        levels.endAll();
        assertThat(filters()).isNull();
    }

    private static Object filters() {
        return LoggerContext.getContext(false).getConfiguration().getFilter();
    }

    /** The lines at debug that so many calls to servers of each kind leave. */
    private static List<String> debug(Runnable before) throws Exception {
        try (LoggingServers servers = new LoggingServers()) {
            servers.add("loops", ExecutionMode.NON_BLOCKING)
                    .add("threads", ExecutionMode.BLOCKING)
                    .add("adaptive", ExecutionMode.ADAPTIVE);
            before.run();
            assertThat(servers.caller().calls(CALLS, 1, 60, TimeUnit.SECONDS)).isEqualTo(CALLS);
            return servers.paper.lines().stream()
                    .filter(line -> line.contains("debug-"))
                    .map(line -> line.replaceAll(".*\"message\":\"([^\"]*)\".*\n", "$1"))
                    .toList();
        }
    }

    @Test
    void ofOneCallAllIsWrittenAndOfOthersNothingMore() throws Exception {
        assertThat(debug(() -> levels.call("4@caller", "debug", Duration.ofMinutes(1), "me")))
                .containsExactlyInAnyOrder(
                        "debug-slf4j 4@caller threads", "debug-jul 4@caller threads");
    }

    @Test
    void ofOneUserAllIsWritten() throws Exception {
        assertThat(debug(() -> levels.user("sip:u6@192.0.2.2", "debug", Duration.ofMinutes(1), "")))
                .containsExactlyInAnyOrder(
                        "debug-slf4j 6@caller loops", "debug-jul 6@caller loops");
        levels.endAll();
        assertThat(debug(() -> levels.user("b@192.0.2.13", "trace", Duration.ofMinutes(1), "")))
                .hasSize(2 * CALLS / 3)
                .allMatch(line -> line.endsWith(" adaptive"));
        levels.endAll();
        assertThat(debug(() -> levels.user("sip:u6@other", "debug", Duration.ofMinutes(1), "")))
                .isEmpty();
    }

    @Test
    void theyEndByThemselvesAndLeaveNoFilter() throws Exception {
        RaisedLevels.Shown one = levels.call("4@caller", "debug", Duration.ofSeconds(5), "me");
        assertThat(one).isEqualTo(new RaisedLevels.Shown(1, "call 4@caller", "debug", 5, "me"));
        assertThat(filters()).isNotNull();
        now += Duration.ofSeconds(5).toNanos() - 1;
        assertThat(levels.on()).extracting(RaisedLevels.Shown::secondsLeft).containsExactly(1L);
        now++;
        assertThat(debug(() -> {})).as("over, though nobody has looked").isEmpty();
        assertThat(levels.on()).isEmpty();
        assertThat(filters()).isNull();
    }

    @Test
    void thereAreSoManyAtATime() {
        for (int i = 0; i < RaisedLevels.MOST; i++) {
            assertThat(levels.call(i + "@caller", "debug", Duration.ofMinutes(1), "me"))
                    .isNotNull();
        }
        assertThat(levels.user("alice", "debug", Duration.ofMinutes(1), "me")).isNull();
        assertThat(levels.end(3)).isTrue();
        assertThat(levels.end(3)).isFalse();
        assertThat(levels.user("alice", "debug", Duration.ofMinutes(1), "me")).isNotNull();
    }

    @Test
    void outsideOfACallNothingMoreIsWritten() {
        levels.call("4@caller", "trace", Duration.ofMinutes(1), "me");
        assertThat(levels.wants(Level.TRACE)).isFalse();
        levels.user("alice", "trace", Duration.ofMinutes(1), "me");
        assertThat(levels.wants(Level.TRACE)).isFalse();
    }
}

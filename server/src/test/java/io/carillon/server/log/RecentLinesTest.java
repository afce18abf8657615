package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

class RecentLinesTest {
    private static void add(Level level, String text) {
        RecentLines.add(Instant.EPOCH, level, "io.carillon.Test", text);
    }

    @Test
    void onlyTheLastOnesAreKept() {
        for (int i = 0; i < 3 * RecentLines.MOST; i++) {
            add(Level.INFO, "kept " + i);
        }
        List<RecentLines.Line> lines = RecentLines.last(0, "", Integer.MAX_VALUE);

        assertThat(lines).hasSize(RecentLines.MOST);
        assertThat(lines.getLast().sequence() - lines.getFirst().sequence())
                .isEqualTo(RecentLines.MOST - 1);
    }

    @Test
    void byLevelAndAfterALineThatWasSeen() {
        add(Level.ERROR, "first");
        add(Level.DEBUG, "second");
        add(Level.WARN, "third");
        List<RecentLines.Line> lines = RecentLines.last(0, "", 3);
        assertThat(lines)
                .extracting(RecentLines.Line::text)
                .containsExactly("first", "second", "third");

        assertThat(RecentLines.last(lines.getFirst().sequence(), "warn", 10))
                .extracting(RecentLines.Line::text)
                .containsExactly("third");
        assertThat(RecentLines.last(lines.getLast().sequence(), "", 10)).isEmpty();
    }
}

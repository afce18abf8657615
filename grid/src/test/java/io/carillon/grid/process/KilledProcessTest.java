package io.carillon.grid.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes, ten thousand records, one process killed as by {@code kill -9}: the others have
 * every record, know that it died, vote on, and have two copies of everything again. Times are
 * printed, not judged.
 */
class KilledProcessTest {
    private static final int RECORDS = 10_000;
    private static final int BYTES = 2_048;

    @TempDir Path folder;

    @Test
    void recordsOfAKilledNodeAreReadOnTheOthers() throws Exception {
        try (ThreeProcesses all = new ThreeProcesses(folder)) {
            int killed = all.leader();
            ChildNode one = all.nodes.get((killed + 1) % 3);
            ChildNode other = all.nodes.get((killed + 2) % 3);
            String written = all.nodes.get(killed).ask("write " + RECORDS + " " + BYTES);
            assertThat(written)
                    .as("protected records; %s", all.nodes.get(killed).events())
                    .isEqualTo(String.valueOf(RECORDS));

            long at = System.currentTimeMillis();
            all.nodes.get(killed).kill();
            all.until("one's view without it", () -> one.millisTo(at, "left " + killed) >= 0);
            all.until("other's view", () -> other.millisTo(at, "left " + killed) >= 0);
            String read = one.ask("check " + RECORDS + " " + BYTES);
            all.until("one's two copies", () -> one.millisTo(at, "missing 0") >= 0);
            all.until("other's two copies", () -> other.millisTo(at, "missing 0") >= 0);
            String readAgain = other.ask("check " + RECORDS + " " + BYTES);
            one.ask("propose");
            other.ask("propose");

            for (ChildNode node : new ChildNode[] {one, other}) {
                System.out.printf(
                        "grid after kill -9: proof of death %d ms, new view %d ms, copies missing"
                                + " from %d ms, two copies again %d ms%n",
                        node.millisTo(at, "died " + killed),
                        node.millisTo(at, "left " + killed),
                        node.millisTo(at, "missing"),
                        node.millisTo(at, "missing 0"));
            }
            // One makes the new view because of it. The other may get that view before a proof of
            // its own.
            assertThat(List.of(one, other))
                    .as("one has the proof, before its view")
                    .anyMatch(node -> {
                        long proof = node.millisTo(at, "died " + killed);
                        return proof >= 0 && proof <= node.millisTo(at, "left " + killed);
                    });
            System.out.printf(
                    "grid after kill -9: all read right after the view %s, at the end %s (records,"
                            + " failures, ms)%n",
                    read, readAgain);
            assertThat(read).startsWith(RECORDS + " 0 ");
            assertThat(readAgain).startsWith(RECORDS + " 0 ");
        }
    }
}

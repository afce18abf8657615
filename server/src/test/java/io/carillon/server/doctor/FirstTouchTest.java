package io.carillon.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory made of numbers, whose first use may cost more than the next, on a clock of its own. */
class FirstTouchTest {
    private static final long PIECE = 1L << 28;

    /** A quarter of a GiB costs these the first time, and afterwards a hundredth of a second. */
    private static final class Host implements FirstTouch.Pages {
        final long firstNanos;
        final long pieces;
        final Set<Long> found = new HashSet<>();
        final Set<Long> taken = new HashSet<>();
        long now;

        Host(long firstNanos, long pieces) {
            this.firstNanos = firstNanos;
            this.pieces = pieces;
        }

        @Override
        public long take(long bytes) {
            long address = taken.size() * PIECE;
            if (taken.size() == pieces) {
                return -1;
            }
            taken.add(address);
            now += found.add(address) ? firstNanos : 10_000_000;
            return address;
        }

        @Override
        public void give(long address, long bytes) {
            assertThat(bytes).isEqualTo(PIECE);
            assertThat(taken.remove(address)).isTrue();
        }

        Finding touched(long bytes) {
            return new FirstTouch(this, () -> now).measure(bytes);
        }
    }

    @Test
    void memoryThatTheHostHasYetToFindIsAWarning() {
        Host host = new Host(600_000_000, 100);

        Finding finding = host.touched(8 * PIECE + 5);

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.check()).isEqualTo("first-touch");
        assertThat(finding.found()).contains("took up to 2.40 s, the second 0.04 s (2 GiB tried)");
        assertThat(finding.cost()).contains("wait some 4.7 ms for each 2 MiB");
        assertThat(finding.mend().getFirst()).contains("-XX:+AlwaysPreTouch");
        assertThat(host.found).hasSize(8);
        assertThat(host.taken).isEmpty();
    }

    @Test
    void memoryThatIsThereIsWell() {
        Finding finding = new Host(11_000_000, 100).touched(4 * PIECE);

        assertThat(finding.severity()).isEqualTo(Severity.OK);
        assertThat(finding.found()).contains("at most 0.04 s for 1 GiB").contains("1 GiB tried");
    }

    @Test
    void whereLessIsFreeThanWasSaidWhatThereWasCounts() {
        Host host = new Host(600_000_000, 3);

        assertThat(host.touched(8 * PIECE).found()).contains("(768 MiB tried)");
        assertThat(host.taken).isEmpty();
        assertThat(new Host(1, 0).touched(8 * PIECE).severity()).isEqualTo(Severity.NOTE);
        assertThat(new Host(1, 9).touched(PIECE - 1).severity()).isEqualTo(Severity.NOTE);
    }

    @Test
    void realPagesAreTakenAndGivenBack() {
        assertThat(FirstTouch.touch(PIECE).found()).contains("256 MiB tried");
    }

    @Test
    void anEighthOfWhatIsFreeStaysSo(@TempDir java.nio.file.Path folder) {
        MachineTree tree =
                MachineTree.good(folder).with("proc/meminfo", "MemAvailable: 8388608 kB\n");
        assertThat(FirstTouch.room(tree.files())).isEqualTo(7L << 30);

        tree.with("proc/self/cgroup", "0::/calls\n")
                .with("sys/fs/cgroup/calls/memory.max", "" + (3L << 30))
                .with("sys/fs/cgroup/calls/memory.current", "" + (1L << 30));
        assertThat(FirstTouch.room(tree.files())).isEqualTo((2L << 30) / 8 * 7);

        tree.without("proc/meminfo");
        assertThat(FirstTouch.room(tree.files())).isZero();
    }
}

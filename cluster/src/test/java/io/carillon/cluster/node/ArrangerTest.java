package io.carillon.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.Placement;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableChange.Fill;
import io.carillon.cluster.table.TableChange.Join;
import io.carillon.cluster.table.TableChange.Rebalance;
import io.carillon.cluster.table.TableMachine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the leader moves partitions. Three members own a third each. */
class ArrangerTest {
    private static final long MILLIS = 1_000_000;
    private static final long QUIET = ClusterTimes.STANDARD.quiet();
    private static final long TICK = 50 * MILLIS;

    private final TableMachine machine = new TableMachine(PartitionTable.of(0, 1, 2));
    private final List<TableChange> proposed = new ArrayList<>();
    private long now = 1_000 * MILLIS;
    private final Arranger arranger = new Arranger(ClusterTimes.STANDARD, now, proposed::add);

    @BeforeEach
    void threeMembers() {
        for (int member = 0; member < 3; member++) {
            machine.apply(new Join(member, 1, 0, "node" + member, "198.51.100." + member, false));
        }
        machine.apply(new Fill(machine.table().version()));
    }

    private void pass(long nanos, boolean leads) {
        for (long end = now + nanos; now < end; now += TICK) {
            arranger.tick(machine, leads, now);
        }
    }

    private void copiesLie(int first, int second) {
        arranger.holders(
                Collections.nCopies(machine.table().partitions(), Placement.of(first, second)),
                now);
    }

    @Test
    void ownersFollowCopiesThatStay() {
        pass(2 * QUIET, true);
        copiesLie(1, 2);
        pass(QUIET - TICK, true);
        assertThat(proposed).isEmpty();
        pass(2 * TICK, true);
        assertThat(proposed).isNotEmpty().allMatch(Rebalance.class::isInstance);
    }

    /** After a division what is told changes from second to second. */
    @Test
    void nobodyFollowsCopiesThatMove() {
        pass(2 * QUIET, true);
        for (int i = 0; i < 10; i++) {
            copiesLie(i % 2, 2);
            pass(QUIET / 2, true);
        }
        assertThat(proposed).isEmpty();
    }

    @Test
    void copiesThatAreToldAgainHaveNotMoved() {
        pass(2 * QUIET, true);
        for (int i = 0; i < 3; i++) {
            copiesLie(1, 2);
            pass(QUIET / 2, true);
        }
        assertThat(proposed).isNotEmpty();
    }

    /** While it was isolated it took itself for the holder of all. */
    @Test
    void whoBeginsToLeadWaitsForWhatIsTrueNow() {
        pass(QUIET, true);
        copiesLie(0, 1);
        pass(2 * QUIET, false);
        pass(QUIET - TICK, true);
        assertThat(proposed).isEmpty();
        pass(2 * TICK, true);
        assertThat(proposed).isNotEmpty();
    }
}

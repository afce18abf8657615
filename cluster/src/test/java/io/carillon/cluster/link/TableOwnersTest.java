package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableMachine;
import org.junit.jupiter.api.Test;

/** A node's table, as routers are told of it. */
class TableOwnersTest {
    private final TableMachine machine = new TableMachine(PartitionTable.of(0, 1, 2));
    private final TableOwners owners = new TableOwners(machine::table);

    private void joins(int member, String address, boolean witness) {
        assertThat(
                        machine.apply(
                                new TableChange.Join(member, 1, 0, "n" + member, address, witness)))
                .isTrue();
        machine.apply(new TableChange.Stable(member, 1));
    }

    @Test
    void followsTheTable() {
        assertThat(owners.get().version()).isZero();
        assertThat(owners.get().owner(5)).isEqualTo(PeerId.NONE);
        joins(0, "10.0.0.1:7060", false);
        joins(1, "[2001:db8::1]:7060", false);
        joins(2, "10.0.0.3:7060", true);
        machine.apply(new TableChange.Fill(machine.table().version()));
        PartitionTable table = machine.table();
        Owners told = owners.get();
        assertThat(told.version()).isEqualTo(table.version());
        for (int i = 0; i < table.partitions(); i++) {
            assertThat(told.owner(i)).isEqualTo(table.owner(i));
            assertThat(told.next(i)).isEqualTo(table.next(i));
        }
        assertThat(told.owned(0) + told.owned(1)).isEqualTo(1024);
        // A witness has no calls, and no link of SIP.
        assertThat(told.addresses()).containsOnlyKeys(0, 1);
        assertThat(told.addresses().get(0)).isEqualTo(LinkWorld.address("10.0.0.1", 7060));
        assertThat(told.addresses().get(1)).isEqualTo(LinkWorld.address("2001:db8::1", 7060));
        assertThat(owners.get()).isSameAs(told);
    }

    @Test
    void oneThatIsDeadHasNoAddressAnyMore() {
        joins(0, "10.0.0.1:7060", false);
        joins(1, "10.0.0.2:7060", false);
        machine.apply(new TableChange.Died(1, 1));
        assertThat(owners.get().addresses()).containsOnlyKeys(0);
    }

    @Test
    void aNameIsNotLookedUp() {
        joins(0, "node-0.example.com:7060", false);
        assertThat(owners.get().addresses()).isEmpty();
    }
}

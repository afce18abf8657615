package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.TableChange;
import io.carillon.cluster.table.TableMachine;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.Partitions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code ./carillon router explain} says of a call, before and after a node has died. */
class CallPlacesTest {
    private static final int CALLS = 20;

    private final TableMachine machine = new TableMachine(PartitionTable.of(0, 1, 2));

    CallPlacesTest() {
        for (int member = 0; member < 3; member++) {
            apply(new TableChange.Join(member, 1, 0, "m" + member, "127.0.0.1:1" + member, false));
        }
        apply(new TableChange.Fill(machine.table().version()));
    }

    private void apply(TableChange change) {
        assertThat(machine.apply(change.toBytes())).as(change.toString()).isTrue();
    }

    private CallPlaces places() {
        return new CallPlaces(
                machine.table(),
                List.of(
                        new InetSocketAddress("127.0.0.1", 7910),
                        new InetSocketAddress("127.0.0.1", 7920),
                        new InetSocketAddress("127.0.0.1", 7930)),
                Map.of(1, new ClusterView.Heard("ready", "1.2.3")),
                new Partitions(5, ClusterKeys.of(1, 2)));
    }

    private static int number(CallPlace.Place place) {
        assertThat(place).isNotNull();
        return place.number();
    }

    @Test
    void whoWouldTakeOverTwentyCallsHasThemAfterTheNodeHasDied() {
        int dies = number(places().ofCall("call-0").owner());
        int[] said = new int[CALLS];
        for (int i = 0; i < CALLS; i++) {
            CallPlace place = places().ofCall("call-" + i);
            said[i] = number(number(place.owner()) == dies ? place.next() : place.owner());
        }
        apply(new TableChange.Died(dies, 1));
        for (int i = 0; i < CALLS; i++) {
            CallPlace place = places().ofCall("call-" + i);
            assertThat(number(place.owner())).as("call-" + i).isEqualTo(said[i]);
            assertThat(number(place.next())).isNotEqualTo(dies);
            assertThat(place.by()).isEqualTo("the hash of its Call-ID");
        }
    }

    @Test
    void aMessageIsExplainedByWhatOfItCounts() {
        String request =
                "BYE sip:b@example.com SIP/2.0\r\nTo: <sip:b@example.com>;tag=x\r\nCall-ID: call-3\r\n\r\n";
        CallPlace place = places().ofMessage(request.getBytes(StandardCharsets.UTF_8));
        assertThat(place).isEqualTo(places().ofCall("call-3"));
        assertThat(place.terminal())
                .contains(
                        "partition    "
                                + Partitions.ofCallId("call-3")
                                + ", by the hash of its Call-ID")
                .contains("takes over when the node is gone");
    }

    @Test
    void aPartitionWithoutAnOwnerIsCalledThat() {
        CallPlace place = new CallPlace(7, "the hash of its Call-ID", 3, 1, null, null, null, null);
        assertThat(place.terminal())
                .contains("node         none: its messages wait, 4 s at most")
                .contains("next         none: its calls would be lost with the node");
    }
}

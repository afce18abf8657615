package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.node.ClusterTimes;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An operator looks by its Call-ID for a call whose node died, and of which no message has come
 * since: it stands in a record alone.
 */
class AbsentCallsTest {
    private static final int NODES = 3;

    private SimulatedCluster cluster;
    private UserAgent alice;

    @BeforeEach
    void clusterIsWhole() {
        cluster = new SimulatedCluster(4, NODES, ClusterTimes.STANDARD);
        alice = UserAgent.start(cluster.network, "alice", "10.0.1.1", 5060);
        UserAgent.start(cluster.network, "bob", "10.0.1.2", 5060).onCall(Call::answer);
        assertThat(cluster.time.runUntil(cluster::whole, Duration.ofSeconds(90))).isTrue();
    }

    /** Its Call-ID is Alice's. */
    private String answered(String kind) {
        Call call = cluster.established(alice, kind);
        cluster.time.runFor(Duration.ofSeconds(5));
        return Objects.requireNonNull(call.invite()).callId();
    }

    private boolean has(int node, String callId) {
        return cluster.node(node).container.sessions().all().stream()
                .flatMap(call -> call.sessions().stream())
                .map(ServletSession::getCallId)
                .anyMatch(callId::equals);
    }

    /** Its node dies; who owns its partition now? */
    private int heirOf(String callId) {
        int dead =
                IntStream.range(0, NODES).filter(node -> has(node, callId)).findAny().orElseThrow();
        cluster.kill(dead);
        cluster.time.runFor(Duration.ofSeconds(20));
        return IntStream.range(0, NODES)
                .filter(node -> node != dead && cluster.node(node).adoption().known() > 0)
                .findAny()
                .orElseThrow();
    }

    private void broughtByItsCallId(String callId, int heir) {
        assertThat(has(heir, callId)).as("nobody has asked for it").isFalse();
        AtomicInteger told = new AtomicInteger();
        assertThat(cluster.node(heir).adoption().bringCall(callId, told::incrementAndGet)).isTrue();
        cluster.time.runFor(Duration.ofSeconds(1));
        assertThat(told).hasValue(1);
        assertThat(has(heir, callId)).isTrue();
    }

    @Test
    void aCallThatACallerBegan() {
        String callId = answered("uas");
        broughtByItsCallId(callId, heirOf(callId));
    }

    @Test
    void theLegThatTheApplicationBegan() {
        String callId = answered("b2bua");
        String ours =
                IntStream.range(0, NODES)
                        .filter(node -> has(node, callId))
                        .mapToObj(node -> cluster.node(node).container.sessions().all())
                        .flatMap(all -> all.stream())
                        .flatMap(call -> call.sessions().stream())
                        .map(ServletSession::getCallId)
                        .filter(id -> !id.equals(callId))
                        .findAny()
                        .orElseThrow();
        broughtByItsCallId(ours, heirOf(callId));
    }

    /**
     * Its record is being read, as an earlier owner left it, when the partition goes to another
     * node: that one's call goes on, and must not be written over by what would be made of it.
     */
    @Test
    void aCallIsNotMadeOfARecordWhosePartitionHasGone() {
        String callId = answered("uas");
        int heir = heirOf(callId);
        AtomicInteger told = new AtomicInteger();
        assertThat(cluster.node(heir).adoption().bringCall(callId, told::incrementAndGet)).isTrue();
        BitSet all = new BitSet();
        all.set(0, Ownership.PARTITIONS);
        cluster.node(heir).adoption().lost(all);
        assertThat(told).as("nobody waits any more").hasValue(1);
        cluster.time.runFor(Duration.ofSeconds(5));
        assertThat(has(heir, callId)).isFalse();
    }

    @Test
    void whoLooksForNothingDoesNotWait() {
        int heir = heirOf(answered("uas"));
        AtomicInteger told = new AtomicInteger();
        long known = cluster.node(heir).adoption().known();
        boolean waits =
                IntStream.range(0, 10)
                        .anyMatch(i ->
                                cluster.node(heir)
                                        .adoption()
                                        .bringCall("nobody-" + i, told::incrementAndGet));
        assertThat(waits).isFalse();
        assertThat(told).hasValue(0);
        assertThat(cluster.node(heir).adoption().known()).isEqualTo((int) known);
    }
}

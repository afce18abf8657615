package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.carillon.cluster.node.ClusterTimes;
import io.carillon.server.cluster.NodeRecords.Row;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Call records of calls that more than one node of a cluster has had. */
class TakenOverRecordsTest {
    private static final long MILLIS = 1_000_000;

    @TempDir Path folder;

    private final Map<Integer, NodeRecords> nodes = new TreeMap<>();
    private Path folderOfRun;
    private SimulatedCluster cluster;
    private UserAgent alice;
    private UserAgent bob;

    @BeforeEach
    void clusterIsWhole() {
        folderOfRun = folder;
        whole(4);
    }

    private void whole(long seed) {
        cluster = new SimulatedCluster(seed, 3, ClusterTimes.STANDARD, this::begins);
        alice = UserAgent.start(cluster.network, "alice", "10.0.1.1", 5060);
        bob = UserAgent.start(cluster.network, "bob", "10.0.1.2", 5060);
        bob.onCall(call -> {
            call.ring();
            cluster.time.after(1_000 * MILLIS, call::answer);
        });
        turns();
        assertThat(cluster.time.runUntil(cluster::whole, Duration.ofSeconds(90))).isTrue();
    }

    private void begins(SimulatedMember member) {
        NodeRecords records = nodes.get(member.number());
        if (records == null) {
            records = new NodeRecords("node" + member.number(), folderOfRun, member::clockOfCalls);
            nodes.put(member.number(), records);
        } else {
            records.again();
        }
        records.follow(member.sip.shards(), member.container);
    }

    /** The writers of nodes that run take their turns. */
    private void turns() {
        cluster.time.after(
                200 * MILLIS,
                () -> {
                    nodes.forEach((number, records) -> {
                        if (cluster.node(number).runs() && cluster.lives(number)) {
                            records.turn();
                        }
                    });
                    turns();
                });
    }

    private void run(Duration span) {
        cluster.time.runFor(span);
    }

    private Call answered(String kind) {
        return cluster.established(alice, kind);
    }

    /** The node that has the call. */
    private int owner() {
        for (int number : nodes.keySet()) {
            if (nodes.get(number).open("cdr.now_legs") > 0) {
                return number;
            }
        }
        throw new AssertionError("no node has a leg");
    }

    private List<Row> all(String record) {
        List<Row> all = new ArrayList<>();
        nodes.values().forEach(node -> all.addAll(node.written()));
        return all.stream().filter(row -> row.record().equals(record)).toList();
    }

    private static List<String> ids(List<Row> rows) {
        return rows.stream().map(Row::id).distinct().sorted().toList();
    }

    @Test
    void whoTakesOverTheCallOfADeadNodeWritesTheEndOfItsRecordOnce() {
        Call call = answered("b2bua");
        long answeredAt = cluster.time.nanoTime();
        run(Duration.ofSeconds(12));
        int dead = owner();
        List<Row> open = all("open");
        assertThat(ids(open)).hasSize(2);

        cluster.kill(dead);
        run(Duration.ofSeconds(20));
        call.bye();
        double talked = (cluster.time.nanoTime() - answeredAt) / 1e9;
        run(Duration.ofSeconds(5));

        List<Row> ended = all("final");
        assertThat(ended).hasSize(2).allMatch(row -> !row.node().equals("node" + dead));
        assertThat(ended).allMatch(row -> row.takenFrom().equals("node" + dead));
        assertThat(ended)
                .allMatch(row -> row.endedBy().equals("caller") && row.endedWith().equals("BYE"))
                .allMatch(row -> row.application().equals("kinds") && row.status() == 200);
        assertThat(ids(ended)).isEqualTo(ids(open));
        assertThat(ended.stream().map(Row::call).distinct()).hasSize(1);
        assertThat(ended).extracting(Row::direction).containsExactlyInAnyOrder("in", "out");
        assertThat(ended.getFirst().linked()).isEqualTo(ended.getLast().callId());
        assertThat(ended)
                .allSatisfy(row -> assertThat(row.talkSeconds()).isCloseTo(talked, within(0.1)));

        cluster.start(dead);
        run(Duration.ofSeconds(40));
        assertThat(ids(all("lost"))).isEqualTo(ids(ended));
        assertThat(all("final")).hasSize(2);
        assertThat(nodes.values()).allMatch(node -> node.open("cdr.now_legs") == 0);
    }

    @Test
    void aCallThatWasAnsweredJustBeforeTheKillCountsFromItsRecord() {
        for (String kind : List.of("uas", "proxy")) {
            answered(kind);
        }
        int dead = owner();
        long killedAt = cluster.time.nanoTime();
        cluster.kill(dead);
        run(Duration.ofSeconds(10));
        alice.calls().forEach(Call::bye);
        double since = (cluster.time.nanoTime() - killedAt) / 1e9;
        run(Duration.ofSeconds(5));
        List<Row> ended = all("final");
        assertThat(ended).hasSize(3).allMatch(row -> row.endedBy().equals("caller"));
        assertThat(ended).extracting(Row::role).containsExactlyInAnyOrder("uas", "proxy", "proxy");
        assertThat(ended).allMatch(row -> row.status() == 200 && row.talkSeconds() >= since - 0.5);
    }

    @Test
    void aCallThatRingsIsAnsweredAndEndedAtTheNextNode() {
        Call call = alice.call("sip:b2bua@" + SimulatedCluster.HOST);
        run(Duration.ofMillis(400));
        cluster.kill(owner());
        run(Duration.ofSeconds(12));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        run(Duration.ofSeconds(5));
        assertThat(all("final"))
                .hasSize(2)
                .allMatch(row -> row.status() == 200 && row.endedBy().equals("caller"))
                .allMatch(row -> !row.takenFrom().equals("null"));
    }

    @Test
    void aNodeThatLeavesWritesThatItsCallsMovedAndTheNextOneEndsThem() {
        Call call = answered("uas");
        final long answeredAt = cluster.time.nanoTime();
        run(Duration.ofSeconds(12));
        int old = owner();
        cluster.node(old).leave();
        assertThat(cluster.time.runUntil(() -> !cluster.lives(old), Duration.ofSeconds(60)))
                .isTrue();
        nodes.get(old).close();
        run(Duration.ofSeconds(50));
        assertThat(all("final")).isEmpty();
        List<Row> moved = all("moved");
        assertThat(moved).hasSize(1).allMatch(row -> row.endedBy().equals("null"));
        call.bye();
        double talked = (cluster.time.nanoTime() - answeredAt) / 1e9;
        run(Duration.ofSeconds(5));
        List<Row> ended = all("final");
        assertThat(ended).hasSize(1).allMatch(row -> !row.node().equals("node" + old));
        assertThat(ids(ended)).isEqualTo(ids(moved));
        assertThat(ended.getFirst().talkSeconds()).isCloseTo(talked, within(0.1));
    }

    @Test
    void ofManyCallsEachLegHasOneEndWhoeverIsKilledAndWhen() {
        for (long seed = 100; seed < 104; seed++) {
            nodes.clear();
            folderOfRun = folder.resolve("seed" + seed);
            whole(seed);
            for (int i = 0; i < 12; i++) {
                String kind = List.of("uas", "b2bua", "proxy").get(i % 3);
                alice.call("sip:" + kind + "@" + SimulatedCluster.HOST);
                run(Duration.ofMillis(cluster.between(100, 900)));
            }
            int victim = (int) cluster.between(0, 3);
            cluster.kill(victim);
            run(Duration.ofSeconds(cluster.between(1, 20)));
            cluster.start(victim);
            run(Duration.ofSeconds(cluster.between(6, 60)));
            alice.calls().forEach(Call::bye);
            run(Duration.ofSeconds(60));

            List<Row> ended = all("final");
            String where = "seed " + seed;
            assertThat(ended).as(where).hasSize(4 * 1 + 4 * 2 + 4 * 2);
            assertThat(ids(ended)).as(where).hasSameSizeAs(ended);
            assertThat(ended)
                    .as(where)
                    .allMatch(row -> row.endedBy().equals("caller") && row.status() == 200);
        }
    }

    @Test
    void whatIsOpenWhenANodeStopsIsNoBillAsOthersMayGoOn() {
        answered("uas");
        NodeRecords node = nodes.get(owner());
        node.close();
        assertThat(Stream.of("final", "lost").map(kind -> all(kind).size())).containsExactly(0, 1);
    }
}

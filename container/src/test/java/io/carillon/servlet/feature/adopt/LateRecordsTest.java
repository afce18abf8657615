package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Records that the store shows only after this node went on with their partition. */
class LateRecordsTest {
    private static final Duration SETTLES = Duration.ofMillis(LateRecords.SETTLES_MILLIS + 1_000);

    private final TwoNodes nodes =
            new TwoNodes(server -> {
                Keeper keeper = new Keeper();
                server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
            });

    private Leg called(String callId) {
        Leg alice =
                Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", callId));
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        return alice;
    }

    /** The next node has the partition, and the store shows it nothing there. */
    private void failsUnseen() {
        nodes.store.hides = true;
        nodes.fail();
        nodes.run(Duration.ofSeconds(1));
        assertThat(nodes.adoption.known()).isZero();
        nodes.store.hides = false;
    }

    /** The node that had it was behind a cut wire, alone with it. */
    @Test
    void aCallGoesOnOnceThePartsOfTheGridHaveMet() {
        Leg alice = called("c1");
        failsUnseen();
        nodes.store.meets();
        nodes.run(SETTLES);
        assertThat(nodes.adoption.known()).isOne();
        alice.bye();
        nodes.assertEnded(1);
    }

    /** Its removal is on its way, and comes before the second look. */
    @Test
    void aCallThatHasJustEndedIsNoRecordThatNobodyKnows() {
        called("c1");
        failsUnseen();
        nodes.store.meets();
        nodes.run(Duration.ofMillis(LateRecords.SETTLES_MILLIS / 2));
        nodes.store.records().clear();
        nodes.run(SETTLES);
        assertThat(nodes.adoption.known()).isZero();
    }

    @Test
    void aCallThatIsHereStaysAsItIs() {
        Leg alice = called("c1");
        nodes.fail();
        nodes.run(Duration.ofSeconds(1));
        alice.send("INFO");
        nodes.alice.response(200);
        nodes.store.meets();
        nodes.run(SETTLES.multipliedBy(2));
        assertThat(nodes.adoption.known()).isZero();
        alice.bye();
        nodes.assertEnded(1);
    }

    /** The part of the grid that had its record alone was dropped as the parts met. */
    @Test
    void aCallWhoseRecordWasLostWithAPartOfTheGridIsWrittenAgain() {
        TwoNodes protecting =
                TwoNodes.protecting(server -> {
                    Keeper keeper = new Keeper();
                    server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
                });
        Leg alice =
                Leg.caller(
                        protecting.alice,
                        AdoptedCallsTest.called(protecting, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        protecting.run(Duration.ofSeconds(1));
        protecting.store.records().clear();
        protecting.store.meets();
        protecting.run(Duration.ofSeconds(1));
        assertThat(protecting.store.records()).hasSize(1);
        protecting.fail();
        alice.bye();
        protecting.assertEnded(1);
    }

    /** Another node goes on with it. */
    @Test
    void aPartitionThatIsGoneIsNotLookedAtAgain() {
        called("c1");
        failsUnseen();
        nodes.store.meets();
        nodes.run(Duration.ofMillis(LateRecords.SETTLES_MILLIS / 2));
        nodes.store.records().values().forEach(state -> nodes.adoption.lost(state.partition()));
        nodes.run(SETTLES);
        assertThat(nodes.adoption.known()).isZero();
    }

    /** The store could not read it for longer than anybody waits. */
    @Test
    void aPartitionThatCouldNotBeReadIsReadLater() {
        Leg alice = called("c1");
        nodes.store.failing = 1_000;
        nodes.fail();
        nodes.run(Duration.ofSeconds(40));
        assertThat(nodes.adoption.loading()).isZero();
        assertThat(nodes.adoption.known()).isZero();

        nodes.store.failing = 0;
        nodes.run(Duration.ofMillis(LateRecords.AGAIN_MILLIS).plus(SETTLES));
        assertThat(nodes.adoption.known()).isOne();
        alice.bye();
        nodes.assertEnded(1);
    }

    /** Its header was read; then those that have it are out of sight for long. */
    @Test
    void aRecordThatCouldNotBeHadForLongIsFoundAgain() {
        Leg alice = called("c1");
        nodes.fail();
        nodes.run(Duration.ofSeconds(1));
        String id = nodes.store.records().keySet().iterator().next();
        nodes.store.failing = 1_000;
        nodes.adoption.bring(id, () -> {});
        nodes.run(Duration.ofSeconds(40));
        assertThat(nodes.adoption.known()).isZero();
        assertThat(nodes.adoption.lost()).isOne();

        nodes.store.failing = 0;
        nodes.run(Duration.ofMillis(2 * LateRecords.AGAIN_MILLIS).plus(SETTLES));
        assertThat(nodes.adoption.foundLate()).isOne();
        alice.bye();
        nodes.run(Duration.ofMinutes(2));
        assertThat(nodes.adoption.adopted()).isOne();
        nodes.server.assertEmpty();
    }
}

package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partition that another node owns: its calls are dropped here, and nobody hears of it. */
class LostPartitionsTest {
    private static TwoNodes keeping() {
        return new TwoNodes(server -> {
            Keeper keeper = new Keeper();
            server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
        });
    }

    private static Leg called(TwoNodes nodes, String callId) {
        Leg alice =
                Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", callId));
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        return alice;
    }

    @Test
    void itsCallsAreGoneWithoutAWord() {
        AdoptedTimersTest.Clock[] clock = new AdoptedTimersTest.Clock[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    clock[0] = new AdoptedTimersTest.Clock();
                    server.deploy(clock[0], ExecutionMode.ADAPTIVE, clock[0]);
                });
        called(nodes, "c1");
        Leg other = called(nodes, "c2");
        List<ApplicationSession> all = new ArrayList<>(nodes.server.container.sessions().all());
        nodes.write();
        nodes.run(AdoptedCallsTest.SHORT);
        ApplicationSession first =
                all.getFirst().sessions().getFirst().getCallId().equals("c1")
                        ? all.getFirst()
                        : all.getLast();
        int messages = nodes.alice.all.size();
        assertThat(CallPartition.known(all.getFirst()))
                .isNotEqualTo(CallPartition.known(all.getLast()));
        nodes.adoption.lost(CallPartition.known(first));
        nodes.run(Duration.ofSeconds(1));
        assertThat(first.isValid()).isFalse();
        assertThat(nodes.server.container.callsHeld()).isOne();
        assertThat(nodes.server.container.sessions().dialogs()).isOne();
        nodes.run(Duration.ofSeconds(70));
        assertThat(clock[0].seen).as("timers of the other call").hasSize(2);
        assertThat(nodes.alice.all).as("nothing was sent").hasSize(messages);
        other.bye();
    }

    /** The next node repeats it, as its record says. */
    @Test
    void a200WithoutItsAckIsNotRepeatedByWhoHasLostItsCall() {
        TwoNodes nodes =
                TwoNodes.inCluster(server -> {
                    Keeper keeper = new Keeper();
                    server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
                });
        AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1");
        ApplicationSession call = nodes.server.container.sessions().all().iterator().next();
        nodes.adoption.lost(CallPartition.known(call));
        nodes.run(AdoptedCallsTest.SHORT);
        long before = nodes.alice.responses(200);
        nodes.run(Duration.ofSeconds(40));
        assertThat(nodes.alice.responses(200)).isEqualTo(before);
        assertThat(nodes.server.node.leftovers()).isEmpty();
    }

    /** Whatever befalls a reading, what waits for it is not kept for ever. */
    @Test
    void aRecordOfWhichNobodyEverHearsIsGivenUp() {
        TwoNodes nodes = keeping();
        Leg call = called(nodes, "c1");
        nodes.fail();
        nodes.run(AdoptedCallsTest.SHORT);
        nodes.store.silent = true;
        call.send("BYE");
        nodes.run(Duration.ofMillis(KnownRecord.HANGS_MILLIS - 1_000));
        assertThat(nodes.adoption.lost()).isZero();
        nodes.run(Duration.ofSeconds(2));
        assertThat(nodes.adoption.lost()).isOne();
        assertThat(nodes.adoption.known()).isZero();
        assertThat(nodes.adoption.idle()).isTrue();
    }

    /** Of two calls, each in its partition, that of which something is not in the store stays. */
    @Test
    void whatIsHandedOverGoesInItsTurnAndStaysWhereTheStoreDoesNotHaveIt() {
        TwoNodes nodes = keeping();
        called(nodes, "c1");
        called(nodes, "c2");
        nodes.write();
        nodes.run(AdoptedCallsTest.SHORT);
        List<ApplicationSession> all = new ArrayList<>(nodes.server.container.sessions().all());
        ApplicationSession stays = all.getFirst();
        ApplicationSession busy = all.getLast();
        BitSet partitions = new BitSet();
        all.forEach(call -> partitions.set(CallPartition.known(call)));
        assertThat(partitions.cardinality()).isEqualTo(2);
        List<String> told = new ArrayList<>();
        assertThat(busy.enter()).isTrue();
        nodes.adoption
                .leaving()
                .letGo(partitions, call -> call != stays, (p, whole) -> told.add(p + " " + whole));
        nodes.run(AdoptedCallsTest.SHORT);
        String kept = CallPartition.known(stays) + " false";
        assertThat(told).as("a handler runs in the other one").containsExactly(kept);
        busy.exit();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(told).containsExactly(kept, CallPartition.known(busy) + " true");
        assertThat(nodes.server.container.sessions().all()).containsExactly(stays);
        BitSet present = nodes.adoption.leaving().present(partitions);
        assertThat(present.stream()).containsExactly(CallPartition.known(stays));
    }

    @Test
    void whatIsHandedOverWithoutACallIsToldAtOnce() {
        TwoNodes nodes = keeping();
        List<Integer> told = new ArrayList<>();
        BitSet partitions = new BitSet();
        partitions.set(5, 7);
        nodes.adoption.leaving().letGo(partitions, call -> true, (p, whole) -> told.add(p));
        assertThat(told).containsExactly(5, 6);
    }

    /** While the grid looks for the copies of a dead node a read gives nothing: no call is lost. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void whatTheStoreCannotGiveAtOnceIsAskedForAgain(int failing) {
        TwoNodes nodes = keeping();
        Leg call = called(nodes, "c1");
        nodes.store.failing = failing;
        nodes.fail();
        call.bye();
        nodes.assertEnded(1);
    }

    /**
     * The store shows a record, and cannot say yet that it has shown all. What came before that
     * waits, and what comes after it waits behind it: RFC 3261 12.2.2 refuses with 500 what is out
     * of order.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageThatWaitsForItsPartitionIsNotOvertakenByTheNextOne(boolean taken) {
        TwoNodes nodes = keeping();
        Leg call = called(nodes, "c1");
        nodes.store.failingLate = 2;
        nodes.store.slowNanos = 50_000_000;
        nodes.fail();
        call.send("INFO");
        nodes.run(Duration.ofMillis(100));
        assertThat(nodes.adoption.known()).as("its record was found").isOne();
        if (taken) {
            // Something else has asked for the call.
            String id = nodes.store.records().keySet().iterator().next();
            assertThat(nodes.adoption.bring(id, () -> {})).isTrue();
            nodes.run(Duration.ofMillis(100));
            assertThat(nodes.adoption.adopted()).isOne();
        }
        call.send("INFO");
        nodes.run(Duration.ofSeconds(2));
        assertThat(informed(nodes)).containsExactly(200, 200);
        call.bye();
        nodes.assertEnded(1);
    }

    /**
     * What has waited for its record comes again by the queue of its shard: RFC 3261 12.2.2 refuses
     * with 500 what is out of order, so what the network brings just then goes behind it.
     */
    @Test
    void aMessageThatHasWaitedIsNotOvertakenByTheNextOne() {
        for (int micros = 0; micros < 8_000; micros += 100) {
            TwoNodes nodes = keeping();
            Leg call = called(nodes, "c1");
            nodes.fail();
            call.send("INFO");
            nodes.run(Duration.ofNanos(1_000L * micros));
            call.send("INFO");
            nodes.run(Duration.ofNanos(300_000));
            call.send("INFO");
            nodes.run(Duration.ofSeconds(2));
            assertThat(informed(nodes)).as("%d us behind", micros).containsExactly(200, 200, 200);
            call.bye();
            nodes.assertEnded(1);
        }
    }

    /** What was answered to each INFO. */
    private static List<Integer> informed(TwoNodes nodes) {
        return nodes.alice.all.stream()
                .filter(message ->
                        message instanceof SipResponse && message.cseq().method().equals("INFO"))
                .map(message -> ((SipResponse) message).status())
                .toList();
    }

    /** Its header was read, and then those that have it are out of sight for a while. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void aRecordThatTheStoreCannotGiveNowIsAskedForAgain(int failing) {
        TwoNodes nodes = keeping();
        Leg call = called(nodes, "c1");
        nodes.fail();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(nodes.adoption.known()).isOne();
        nodes.store.failing = failing;
        call.bye();
        nodes.assertEnded(1);
    }

    @Test
    void whatWasNeverTakenOverIsForgotten() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        called(nodes, "c1");
        nodes.fail();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(nodes.adoption.known()).isOne();
        int partition = nodes.store.records().values().iterator().next().partition();
        nodes.adoption.lost(partition);
        assertThat(nodes.adoption.known()).isZero();
        nodes.run(Duration.ofMinutes(5));
        assertThat(nodes.adoption.adopted()).isZero();
        assertThat(nodes.server.node.leftovers()).isEmpty();
        nodes.server.assertEmpty();
    }

    @Test
    void whatIsReadOfAPartitionThatIsLostMeanwhileIsNotKept() {
        TwoNodes nodes = keeping();
        Leg alice = called(nodes, "c1");
        nodes.store.slowNanos = Duration.ofSeconds(2).toNanos();
        nodes.fail();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(nodes.adoption.loading()).isOne();
        nodes.adoption.lost(nodes.store.records().values().iterator().next().partition());
        nodes.run(Duration.ofSeconds(5));
        assertThat(nodes.adoption.known()).isZero();
        alice.send("BYE");
        nodes.alice.response(481);
    }

    /** Says of itself when its handler of INFO runs. */
    private static final class Busy extends Keeper {
        private static final long serialVersionUID = 1L;
        private transient Runnable meanwhile = () -> {};

        @Override
        protected void doInfo(SipServletRequest request) throws IOException {
            meanwhile.run();
            request.getSession().setAttribute("text", "of who had lost it");
            super.doInfo(request);
        }
    }

    /**
     * A handler holds the turn while its partition goes and comes back: what it was part of is
     * dropped when it ends, and the record goes on.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCallWhoseHandlerOutlastsALossAndAReturnGoesOn(int losses) {
        Busy[] busy = new Busy[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    busy[0] = new Busy();
                    server.deploy(busy[0], ExecutionMode.ADAPTIVE, busy[0]);
                });
        Leg alice = called(nodes, "c1");
        String known = busy[0].seen.getLast();
        nodes.write();
        nodes.run(AdoptedCallsTest.SHORT);
        int partition = nodes.store.records().values().iterator().next().partition();
        int[] records = new int[1];
        busy[0].meanwhile =
                () -> {
                    for (int loss = 1; loss <= losses; loss++) {
                        nodes.adoption.lost(partition);
                        nodes.adoption.promoted(partition, 1 + loss);
                        nodes.run(AdoptedCallsTest.SHORT);
                    }
                    records[0] = nodes.adoption.known();
                    alice.send("INVITE");
                    nodes.run(AdoptedCallsTest.SHORT);
                };
        alice.send("INFO");
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(records[0]).as("records that wait for the handler").isOne();
        nodes.alice.response(200); // that of the re-INVITE: the handler's own is not sent
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(busy[0].seen.getLast()).isEqualTo(known);
        alice.bye();
        nodes.assertEnded(1);
    }
}

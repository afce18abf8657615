package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.PeerId;
import io.carillon.sip.hop.Transport;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What came by connections and waits for a node, or for an answer. */
class UndeliveredTest {
    private static final byte[] NOTHING = {};
    private static final byte[] TEXT = RouterWorld.bytes("MESSAGE sip:bob@example.com SIP/2.0\r\n");

    private final Undelivered undelivered = new Undelivered(new RouterCounts());
    private final List<Integer> sent = new ArrayList<>();
    private final Map<Integer, Integer> owners = new HashMap<>();
    private final Map<Integer, Long> boots = new HashMap<>();
    private final List<Long> numbers = new ArrayList<>();
    private final Undelivered.Again again =
            new Undelivered.Again() {
                @Override
                public int node(int partition) {
                    return owners.getOrDefault(partition, 1);
                }

                @Override
                public long boot(int node) {
                    return boots.getOrDefault(node, 1L);
                }

                @Override
                public void send(int node, LinkMessage message) {
                    sent.add(node);
                    numbers.add(message.number());
                }
            };

    private static LinkMessage message(int partition, long connection) {
        return new LinkMessage()
                .of(partition)
                .by(0, 0, Transport.TCP)
                .on(connection, NOTHING)
                .between(RouterWorld.PHONE, RouterWorld.PUBLIC)
                .message(TEXT, 0, TEXT.length);
    }

    private long keep(int partition, long connection, long branch) {
        LinkMessage message = message(partition, connection);
        undelivered.keep(message, branch, 1, 1, 0);
        return message.number();
    }

    /** Many requests that nobody answers do not make each message of others dear. */
    @Test
    void whatWaitsForItsAnswerIsNotWalkedThroughForEachMessage() {
        for (int i = 1; i <= 20_000; i++) {
            undelivered.taken(keep(i % 1024, i / 100 + 1, i), 1, 0, again);
        }
        keep(5, 1_000, 30_000);
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = memory.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                undelivered.before(5, 1, i, again);
            }
            least = Math.min(least, memory.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least / 100).as("bytes for each message").isLessThan(500);
        assertThat(sent).isEmpty();
    }

    @Test
    void whatWentToAnotherNodeGoesFirst() {
        keep(5, 1, 1);
        long taken = keep(5, 2, 2);
        keep(6, 1, 3);
        undelivered.taken(taken, 1, 0, again);
        undelivered.before(5, 2, 1, again);
        assertThat(sent).containsExactly(2);
        undelivered.before(5, 2, 1, again);
        assertThat(sent).hasSize(1);
    }

    /** An ACK that is lost between router and node, and the BYE behind it. */
    @Test
    void whatComesBehindWaitsUntilTheOneBeforeIsTaken() {
        LinkMessage ack = message(5, 1);
        LinkMessage bye = message(5, 1);
        LinkMessage other = message(5, 2);
        assertThat(undelivered.keep(ack, 0, 1, 1, 0)).isTrue();
        assertThat(undelivered.keep(bye, 7, 1, 1, 0)).isFalse();
        assertThat(undelivered.keep(other, 8, 1, 1, 0)).as("of another connection").isTrue();
        undelivered.advance(Undelivered.FIRST_NANOS, again);
        assertThat(numbers).containsExactly(ack.number(), other.number());
        undelivered.taken(ack.number(), 1, 0, again);
        assertThat(numbers).endsWith(bye.number()).hasSize(3);
        undelivered.taken(bye.number(), 1, 0, again);
        assertThat(numbers).hasSize(3);
    }

    @Test
    void whatIsGivenUpKeepsNobodyFromGoing() {
        long first = keep(5, 1, 0);
        long second = keep(5, 1, 0);
        undelivered.refused(first, 0, again);
        assertThat(numbers).containsExactly(second);
        assertThat(keep(5, 1, 0)).isPositive();
        undelivered.advance(Undelivered.MESSAGE_NANOS + 1, again);
        assertThat(undelivered.isEmpty()).isTrue();
        assertThat(undelivered.bytes()).isZero();
    }

    /** One after the other also to the node that goes on. */
    @Test
    void whatWaitedGoesToTheNodeThatGoesOn() {
        long first = keep(5, 1, 0);
        long second = keep(5, 1, 0);
        undelivered.before(5, 2, 1, again);
        assertThat(sent).containsExactly(2);
        undelivered.taken(first, 2, 1, again);
        assertThat(numbers).containsExactly(first, second);
    }

    /** It went to a node that was not the owner any more, and passed it on. */
    @Test
    void whatAnotherNodeHasTakenGoesAgainOnlyWhenThatOneStartsAgain() {
        owners.put(5, 2);
        boots.put(2, 20L);
        undelivered.taken(keep(5, 1, 1), 2, 0, again);
        undelivered.advance(Undelivered.REPEAT_NANOS, again);
        assertThat(sent).as("node 2 lives").isEmpty();
        boots.put(2, 21L);
        undelivered.advance(2 * Undelivered.REPEAT_NANOS, again);
        assertThat(sent).containsExactly(2);
    }

    /** Its bytes lead to node 1, its call is node 2's. */
    @Test
    void aRequestThatWasHandedOnGoesAgainWhenTheNodeThatAnswersItIsNoMore() {
        owners.put(6, 2);
        keep(5, 1, 1);
        undelivered.handedOn(1, 1, new HandedOn(2, 6), 0, again);
        undelivered.advance(TimeUnit.SECONDS.toNanos(1), again);
        assertThat(sent).as("node 2 lives").isEmpty();
        owners.put(6, 3);
        undelivered.advance(TimeUnit.SECONDS.toNanos(2), again);
        assertThat(sent).containsExactly(3);
        undelivered.answered(1, 0, again);
        assertThat(undelivered.isEmpty()).isTrue();
    }

    /** Who has taken it died before the router heard that it has it. */
    @Test
    void aRequestThatWasHandedOnGoesToTheOneThatFollowsOnWhoHasTakenIt() {
        owners.put(6, 1);
        keep(5, 1, 1);
        undelivered.handedOn(1, 1, new HandedOn(2, 6), 0, again);
        undelivered.advance(TimeUnit.SECONDS.toNanos(1), again);
        assertThat(sent).containsExactly(1);
    }

    @Test
    void anOlderNodeDoesNotSayWhoHasTakenIt() {
        owners.put(6, 2);
        keep(5, 1, 1);
        undelivered.handedOn(1, 1, new HandedOn(PeerId.NONE, 6), 0, again);
        undelivered.advance(TimeUnit.SECONDS.toNanos(1), again);
        assertThat(sent).as("node 2 lives").isEmpty();
    }

    @Test
    void whoHasNotGotItCannotHandItOn() {
        owners.put(6, 2);
        undelivered.taken(keep(5, 1, 1), 1, 0, again);
        undelivered.handedOn(1, 4, new HandedOn(2, 6), 0, again);
        owners.put(6, 3);
        undelivered.advance(TimeUnit.SECONDS.toNanos(1), again);
        assertThat(sent).isEmpty();
    }

    @Test
    void aRequestThatWasTakenGoesAgainWhenItsNodeIsNoMore() {
        long number = keep(5, 1, 1);
        undelivered.taken(number, 2, 0, again);
        undelivered.advance(TimeUnit.MILLISECONDS.toNanos(400), again);
        assertThat(sent).isEmpty();
        undelivered.advance(TimeUnit.MILLISECONDS.toNanos(501), again);
        assertThat(sent).containsExactly(1);
        undelivered.answered(1, 0, again);
        assertThat(undelivered.isEmpty()).isTrue();
        assertThat(undelivered.bytes()).isZero();
    }
}

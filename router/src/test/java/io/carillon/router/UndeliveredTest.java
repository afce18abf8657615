package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.sip.hop.Transport;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What came by connections and waits for a node, or for an answer. */
class UndeliveredTest {
    private static final byte[] NOTHING = {};
    private static final byte[] TEXT = RouterWorld.bytes("MESSAGE sip:bob@example.com SIP/2.0\r\n");

    private final Undelivered undelivered = new Undelivered(new RouterCounts());
    private final List<Integer> sent = new ArrayList<>();
    private final Undelivered.Again again =
            new Undelivered.Again() {
                @Override
                public int node(int partition) {
                    return 1;
                }

                @Override
                public long boot(int node) {
                    return 1;
                }

                @Override
                public void send(int node, LinkMessage message) {
                    sent.add(node);
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
            undelivered.taken(keep(i % 1024, i / 100 + 1, i), 1);
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
        long taken = keep(5, 1, 2);
        keep(6, 1, 3);
        undelivered.taken(taken, 1);
        undelivered.before(5, 2, 1, again);
        assertThat(sent).containsExactly(2);
        undelivered.before(5, 2, 1, again);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aRequestThatWasTakenGoesAgainWhenItsNodeIsNoMore() {
        long number = keep(5, 1, 1);
        undelivered.taken(number, 2);
        undelivered.advance(TimeUnit.MILLISECONDS.toNanos(400), again);
        assertThat(sent).isEmpty();
        undelivered.advance(TimeUnit.MILLISECONDS.toNanos(501), again);
        assertThat(sent).containsExactly(1);
        undelivered.answered(1);
        assertThat(undelivered.isEmpty()).isTrue();
        assertThat(undelivered.bytes()).isZero();
    }
}

package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import org.junit.jupiter.api.Test;

/** What a node sends for connections, until a router has taken it. */
class UnacknowledgedTest {
    private final LinkCounts counts = new LinkCounts();
    private final Unacknowledged sent = new Unacknowledged(counts, 1_000, 3);
    private int again;

    private LinkMessage message(int length) {
        return new LinkMessage()
                .of(1)
                .by(PeerId.router(0), 0, Transport.TCP)
                .on(5, new byte[0])
                .between(LinkWorld.PHONE, null)
                .message(new byte[length], 0, length);
    }

    private Unacknowledged.Fate sendAgain(LinkMessage message) {
        again++;
        return Unacknowledged.Fate.SENT;
    }

    @Test
    void itIsSentAgainUntilItIsTaken() {
        LinkMessage message = message(10);
        sent.keep(message, 0);
        sent.advance(Unacknowledged.FIRST_NANOS - 1, this::sendAgain);
        assertThat(again).isZero();
        sent.advance(Unacknowledged.FIRST_NANOS, this::sendAgain);
        sent.advance(Unacknowledged.FIRST_NANOS + 1, this::sendAgain);
        assertThat(again).isEqualTo(1);
        sent.taken(message.number(), 0, this::sendAgain);
        assertThat(sent.isEmpty()).isTrue();
    }

    @Test
    void itIsGivenUpWithItsRouterOrItsTime() {
        sent.keep(message(10), 0);
        sent.advance(Unacknowledged.FIRST_NANOS, none -> Unacknowledged.Fate.NOBODY);
        assertThat(sent.isEmpty()).isTrue();
        sent.keep(message(10), 0);
        sent.advance(Unacknowledged.MOST_NANOS + 1, this::sendAgain);
        assertThat(sent.isEmpty()).isTrue();
        assertThat(again).isZero();
        assertThat(counts.get(LinkCounter.UNTAKEN)).isEqualTo(2);
    }

    @Test
    void whatComesBehindWaitsUntilTheOneBeforeIsTaken() {
        LinkMessage first = message(10);
        LinkMessage second = message(10);
        LinkMessage elsewhere = message(10).on(6, new byte[0]);
        assertThat(sent.keep(first, 0)).isTrue();
        assertThat(sent.keep(second, 0)).isFalse();
        assertThat(sent.keep(elsewhere, 0)).as("for another connection").isTrue();
        sent.advance(Unacknowledged.FIRST_NANOS, this::sendAgain);
        assertThat(again).as("the first, and the other one").isEqualTo(2);
        sent.taken(first.number(), 1, this::sendAgain);
        assertThat(again).isEqualTo(3);
        sent.taken(second.number(), 1, this::sendAgain);
        sent.taken(elsewhere.number(), 1, this::sendAgain);
        assertThat(sent.isEmpty()).isTrue();
        assertThat(sent.keep(message(10), 2)).isTrue();
    }

    @Test
    void whatIsGivenUpKeepsNobodyFromGoing() {
        sent.keep(message(10), 0);
        sent.keep(message(10), 0);
        sent.advance(Unacknowledged.MOST_NANOS + 1, this::sendAgain);
        assertThat(again).as("the second").isEqualTo(1);
        sent.advance(
                Unacknowledged.MOST_NANOS + Unacknowledged.FIRST_NANOS + 1,
                none -> Unacknowledged.Fate.NOBODY);
        assertThat(sent.isEmpty()).isTrue();
    }

    @Test
    void allTogetherHaveABound() {
        for (int i = 0; i < 100; i++) {
            sent.keep(message(60_000), 0);
        }
        assertThat(counts.get(LinkCounter.UNKEPT)).isGreaterThan(25);
        LinkMessage more = message(60_000);
        sent.keep(more, 0);
        assertThat(more.number()).isZero();
    }
}

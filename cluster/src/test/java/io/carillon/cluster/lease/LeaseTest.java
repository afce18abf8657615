package io.carillon.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A lease is what a majority acknowledged, counted from when the beat was sent. */
class LeaseTest {
    private static final long MILLIS = 1_000_000;
    private static final long LENGTH = 1_500 * MILLIS;

    @Test
    void nobodyHoldsALeaseAtFirst() {
        assertThat(new Lease(3, LENGTH).holds(0)).isFalse();
        assertThat(new Lease(3, LENGTH).holds(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void aMajorityIsNeeded() {
        Lease lease = new Lease(5, LENGTH);
        lease.acked(0, 100 * MILLIS);
        lease.acked(1, 100 * MILLIS);
        assertThat(lease.holds(200 * MILLIS)).isFalse();
        lease.acked(2, 100 * MILLIS);
        assertThat(lease.holds(200 * MILLIS)).isTrue();
    }

    @Test
    void itLastsFromTheSentBeatOfTheSlowestOfTheMajority() {
        Lease lease = new Lease(3, LENGTH);
        lease.acked(0, 900 * MILLIS);
        lease.acked(1, 400 * MILLIS);
        assertThat(lease.until()).isEqualTo(400 * MILLIS + LENGTH);
        assertThat(lease.holds(400 * MILLIS + LENGTH - 1)).isTrue();
        assertThat(lease.holds(400 * MILLIS + LENGTH)).isFalse();
        lease.acked(2, 700 * MILLIS);
        assertThat(lease.until()).isEqualTo(700 * MILLIS + LENGTH);
    }

    @Test
    void anAcknowledgementThatWaitedForLongGivesNothing() {
        Lease lease = new Lease(3, LENGTH);
        lease.acked(0, 0);
        lease.acked(1, 0);
        long heard = 20_000 * MILLIS;
        lease.acked(2, 0);
        assertThat(lease.holds(heard)).isFalse();
    }

    @Test
    void anOlderAcknowledgementDoesNotShortenIt() {
        Lease lease = new Lease(1, LENGTH);
        lease.acked(0, 500 * MILLIS);
        lease.acked(0, 100 * MILLIS);
        assertThat(lease.until()).isEqualTo(500 * MILLIS + LENGTH);
    }

    @Test
    void whatWasAcknowledgedEndsWithTheLife() {
        Lease lease = new Lease(3, LENGTH);
        lease.acked(0, 100);
        lease.acked(1, 100);
        lease.end();
        assertThat(lease.holds(200)).isFalse();
        lease.acked(2, 300);
        assertThat(lease.holds(400)).as("one of three").isFalse();
    }

    @Test
    void ownershipEndsWithTheLease() {
        Lease lease = new Lease(1, LENGTH);
        AtomicLong clock = new AtomicLong();
        LeasedOwnership ownership = new LeasedOwnership(lease, clock::get, 8);
        ownership.set(3, 7, true, true, true);
        assertThat(ownership.owns(3)).as("without a lease").isFalse();
        lease.acked(0, 0);
        assertThat(ownership.owns(3)).isTrue();
        assertThat(ownership.takesNewWork(3)).isTrue();
        assertThat(ownership.owns(4)).isFalse();
        assertThat(ownership.term(3)).isEqualTo(7);
        ownership.set(3, 7, true, false, false);
        assertThat(ownership.mayBegin(3)).as("of a previous owner").isFalse();
        assertThat(ownership.takesNewWork(3)).isFalse();
        assertThat(ownership.owns(3)).isTrue();
        clock.set(LENGTH);
        assertThat(ownership.owns(3)).isFalse();
        assertThat(ownership.mayOwnAgain(3)).isTrue();
    }

    @Test
    void beatsAndAnswersAreReadAsTheyWereWritten() {
        Beat beat = new Beat(254, Long.MAX_VALUE, 123_456_789_012L, 9, -17, true);
        assertThat(Beat.read(beat.toBytes())).isEqualTo(beat);
        Ack ack = new Ack(1, 2, 3, 4, 5);
        assertThat(Ack.read(ack.toBytes())).isEqualTo(ack);
    }
}

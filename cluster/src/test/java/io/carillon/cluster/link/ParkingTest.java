package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of partitions without a living owner: which of them a message looks at, and when. */
class ParkingTest {
    private static final InetSocketAddress PHONE = new InetSocketAddress("192.0.2.7", 5060);

    private final Parking parking = new Parking(1 << 20, new LinkCounts());
    private final List<String> asked = new ArrayList<>();

    private void park(int partition, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        LinkMessage message =
                new LinkMessage()
                        .of(partition)
                        .by(PeerId.router(0), 0, Transport.UDP)
                        .between(PHONE, PHONE)
                        .message(bytes, 0, bytes.length);
        assertThat(parking.park(message, 0)).isTrue();
    }

    private boolean asks(LinkMessage message, boolean gone) {
        asked.add(new String(message.copy(), StandardCharsets.US_ASCII));
        return gone;
    }

    /** Thousands may wait while a node is dead: messages of others do not pay for them. */
    @Test
    void aMessageLooksAtThoseOfItsPartitionAloneInTheirOrder() {
        park(5, "a");
        park(6, "b");
        park(5, "c");
        parking.settle(7, 1, (message, now) -> asks(message, false));
        assertThat(asked).isEmpty();
        parking.settle(5, 1, (message, now) -> asks(message, true));
        assertThat(asked).containsExactly("a", "c");
        asked.clear();
        parking.settle(Parking.ALL, 1, (message, now) -> asks(message, true));
        assertThat(asked).containsExactly("b");
        assertThat(parking.isEmpty()).isTrue();
        assertThat(parking.bytes()).isZero();
    }

    @Test
    void aRepeatOfOneThatWaitsIsNotKeptTwice() {
        park(5, "a");
        long once = parking.bytes();
        park(5, "a");
        assertThat(parking.bytes()).isEqualTo(once);
    }

    @Test
    void nothingWaitsLongerThanItsTime() {
        park(5, "a");
        parking.settle(Parking.ALL, Parking.MOST_NANOS, (message, now) -> asks(message, false));
        assertThat(parking.isEmpty()).isFalse();
        parking.settle(Parking.ALL, Parking.MOST_NANOS + 1, (message, now) -> asks(message, false));
        assertThat(parking.isEmpty()).isTrue();
    }
}

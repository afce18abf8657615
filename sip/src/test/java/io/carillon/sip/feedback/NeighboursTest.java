package io.carillon.sip.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Places for peers that take part in overload control. */
class NeighboursTest {
    private final Neighbours neighbours = new Neighbours(0);

    private static InetAddress address(int i) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void fill(long nowNanos) {
        for (int i = 0; i < 3 * Neighbours.MOST; i++) {
            neighbours.client(address(i), nowNanos);
            neighbours.server(new InetSocketAddress(address(i), 5060), nowNanos);
        }
    }

    @Test
    void moreThanThereArePlacesForAreNotControlled() {
        fill(0);
        assertThat(neighbours.clients()).isEqualTo(Neighbours.MOST);
        assertThat(neighbours.servers()).isEqualTo(Neighbours.MOST);
        assertThat(neighbours.client(address(3 * Neighbours.MOST), 0)).isNull();
        assertThat(neighbours.client(address(0), 0)).isNotNull();
    }

    @Test
    void whoWasSilentForTenSecondsGivesWay() {
        fill(0);
        long later = TimeUnit.SECONDS.toNanos(10);
        neighbours.client(address(0), later);
        assertThat(neighbours.client(address(5_000), later)).isNotNull();
        assertThat(neighbours.clients()).isLessThan(Neighbours.MOST);
    }
}

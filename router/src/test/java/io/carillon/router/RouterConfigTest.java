package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a router is told has to be something that it can do. */
class RouterConfigTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final ListeningPoint UDP = new ListeningPoint(Transport.UDP, "127.0.0.1", 0);
    private static final InetSocketAddress LINK = new InetSocketAddress(LOOPBACK, 0);
    private static final Map<Integer, InetSocketAddress> NODES =
            Map.of(1, new InetSocketAddress(LOOPBACK, 7061));

    private static RouterConfig of(
            int number,
            List<ListeningPoint> listen,
            InetSocketAddress link,
            Map<Integer, InetSocketAddress> nodes) {
        return new RouterConfig(number, listen, link, nodes, 5, RouterWorld.secrets(), null);
    }

    private static void wrong(
            int number,
            List<ListeningPoint> listen,
            InetSocketAddress link,
            Map<Integer, InetSocketAddress> nodes,
            String told) {
        assertThatThrownBy(() -> of(number, listen, link, nodes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(told);
    }

    @Test
    void namesWhatIsWrong() {
        ListeningPoint tls = new ListeningPoint(Transport.TLS, "127.0.0.1", 0);
        wrong(256, List.of(UDP), LINK, NODES, "a router's number");
        wrong(0, List.of(), LINK, NODES, "listen:");
        wrong(0, List.of(tls), LINK, NODES, "listen: tls:127.0.0.1:0 needs a certificate");
        wrong(0, List.of(UDP), new InetSocketAddress(7060), NODES, "link:");
        wrong(0, List.of(UDP), LINK, Map.of(), "nodes:");
    }

    @Test
    void aPointOnAllAddressesNeedsAName() {
        ListeningPoint all = new ListeningPoint(Transport.UDP, "0.0.0.0", 0);
        RouterConfig config = of(0, List.of(all), LINK, NODES);
        assertThatThrownBy(() -> Router.start(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("as HOST");
    }
}

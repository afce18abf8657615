package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which listening point a message is counted for. */
class ListenerNamesTest {
    private static ListenerNames listening(String... points) {
        List<ListeningPoint> all = List.of(points).stream().map(ListeningPoint::parse).toList();
        return new ListenerNames(() -> all);
    }

    private static Hop hop(Transport transport, @Nullable InetSocketAddress local) {
        return new Hop(transport, local, new InetSocketAddress("192.0.2.9", 5060), 0);
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(host, port);
    }

    @Test
    void theOneOfThatTransportAddressAndPort() {
        ListenerNames names =
                listening(
                        "udp:192.0.2.1:5060",
                        "tcp:192.0.2.1:5060",
                        "udp:192.0.2.2:5060",
                        "udp:[2001:db8::1]:5060 as sip.example.com");
        assertThat(names.of(hop(Transport.TCP, at("192.0.2.1", 5060))))
                .isEqualTo("tcp:192.0.2.1:5060");
        assertThat(names.of(hop(Transport.UDP, at("192.0.2.2", 5060))))
                .isEqualTo("udp:192.0.2.2:5060");
        assertThat(names.of(hop(Transport.UDP, at("2001:db8::1", 5060))))
                .as("as the configuration has it, without what others call it")
                .isEqualTo("udp:[2001:db8::1]:5060");
    }

    @Test
    void oneThatListensEverywhereIsOneListener() {
        ListenerNames names = listening("udp:0.0.0.0:5060", "udp:192.0.2.2:5060");
        assertThat(names.of(hop(Transport.UDP, at("192.0.2.1", 5060))))
                .isEqualTo("udp:0.0.0.0:5060");
        assertThat(names.of(hop(Transport.UDP, at("192.0.2.2", 5060))))
                .as("the narrower one")
                .isEqualTo("udp:192.0.2.2:5060");
    }

    @Test
    void aConnectionOfOursIsOfNone() {
        ListenerNames names = listening("tcp:192.0.2.1:5060");
        assertThat(names.of(hop(Transport.TCP, at("192.0.2.1", 49152)))).isEmpty();
        assertThat(names.of(hop(Transport.TLS, at("192.0.2.1", 5060)))).isEmpty();
        assertThat(names.of(hop(Transport.TCP, null))).isEmpty();
    }
}

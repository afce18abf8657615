package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Which addresses are a router's: those that it sends from, and those that others write to. */
class LinkListenerTest {
    private static final InetSocketAddress ROUTER = LinkWorld.address("192.0.2.1", 5060);
    private static final InetSocketAddress PEER = LinkWorld.address("198.51.100.7", 5060);

    @Test
    void oneOnAllAddressesSendsFromAnyAndIsNobodyElsesAddress() {
        LinkListener any =
                new LinkListener(Transport.UDP, LinkWorld.address("0.0.0.0", ROUTER.getPort()));
        assertThat(any.covers(Transport.UDP, ROUTER)).isTrue();
        assertThat(any.is(Transport.UDP, PEER)).as("a peer at the port of SIP").isFalse();
    }

    @Test
    void oneOnAnAddressIsThatOne() {
        LinkListener one = new LinkListener(Transport.TCP, ROUTER);
        assertThat(one.covers(Transport.TCP, ROUTER)).isTrue();
        assertThat(one.is(Transport.TCP, ROUTER)).isTrue();
        assertThat(one.is(Transport.UDP, ROUTER)).isFalse();
        assertThat(one.is(Transport.TCP, PEER)).isFalse();
    }
}

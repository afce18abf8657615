package io.carillon.net.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressFilterTest {
    private static final String OUTER = "203.0.113.5";

    private static LocalAddresses listening(String... hosts) {
        List<Listener> listeners = new ArrayList<>();
        for (String host : hosts) {
            listeners.add(
                    new Listener(
                            listeners.size(),
                            new ListeningPoint(Transport.UDP, host, 5060),
                            new InetSocketAddress(InetAddress.ofLiteral(host), 5060)));
        }
        return new LocalAddresses(listeners, List.of());
    }

    private static EgressFilter filter(String... hosts) {
        return new EgressFilter(EgressConfig.defaults(), listening(hosts));
    }

    private static EgressFilter filter(List<String> allow, List<String> deny) {
        return new EgressFilter(
                EgressConfig.defaults()
                        .withAllow(AddressRanges.of(allow))
                        .withDeny(AddressRanges.of(deny)),
                listening(OUTER));
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 0, PORT",
        "0.0.0.0, 5060, UNSPECIFIED",
        "0.1.2.3, 5060, UNSPECIFIED",
        "::, 5060, UNSPECIFIED",
        "255.255.255.255, 5060, BROADCAST",
        "240.0.0.1, 5060, BROADCAST",
        "224.0.1.75, 5060, MULTICAST",
        "ff02::1, 5060, MULTICAST",
        "127.0.0.1, 5070, LOOPBACK",
        "127.9.9.9, 5070, LOOPBACK",
        "::1, 5070, LOOPBACK",
        "::ffff:127.0.0.1, 5070, LOOPBACK",
        "169.254.169.254, 80, METADATA",
        "169.254.169.253, 80, LINK_LOCAL",
        "fe80::1, 5060, LINK_LOCAL",
        "fd00:ec2::254, 80, METADATA",
        "100.100.100.200, 80, METADATA",
        "64:ff9b::7f00:1, 5060, DENIED",
        "64:ff9b::a9fe:a9fe, 80, DENIED",
        "2002:7f00:1::1, 5060, DENIED",
        "::127.0.0.1, 5060, DENIED",
    })
    void whereNothingIsSent(String host, int port, EgressReason reason) {
        assertThat(filter(OUTER).refusal(at(host, port), false)).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "10.0.0.1", "2001:db8::1", "64:ff9b::c000:201", "fd00::1"})
    void whereItIs(String host) {
        assertThat(filter(OUTER).refusal(at(host, 5060), false)).isNull();
        assertThat(filter(OUTER).refusal(at(host, 5060), true)).isNull();
    }

    @Test
    @DisplayName("the broadcast addresses of the networks that this machine is in")
    void directedBroadcast() throws Exception {
        for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress each : device.getInterfaceAddresses()) {
                // Java says 0.0.0.0 where an interface was given none.
                if (each.getBroadcast() != null
                        && !each.getBroadcast().isAnyLocalAddress()
                        && each.getNetworkPrefixLength() <= 30) {
                    assertThat(
                                    filter(OUTER)
                                            .refusal(
                                                    new InetSocketAddress(
                                                            each.getBroadcast(), 5060),
                                                    false))
                            .isEqualTo(EgressReason.BROADCAST);
                }
            }
        }
    }

    @Test
    @DisplayName("loopback with a loopback listening point only; a response goes back to it always")
    void loopback() {
        assertThat(filter("127.0.0.1").refusal(at("127.0.0.1", 5070), false)).isNull();
        assertThat(filter("0.0.0.0").refusal(at("127.0.0.1", 5070), false))
                .isEqualTo(EgressReason.LOOPBACK);
        assertThat(filter("0.0.0.0").refusal(at("127.0.0.1", 5070), true)).isNull();
        assertThat(filter(OUTER).refusal(at("169.254.1.1", 5070), true))
                .isEqualTo(EgressReason.LINK_LOCAL);
    }

    @ParameterizedTest
    @CsvSource({
        "OWN, 127.0.0.1, ",
        "LOOPBACK, 127.0.0.1, ",
        "LINK_LOCAL, 127.0.0.1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, 127.0.0.1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, 127.9.9.9, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, ::1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, ::ffff:127.0.0.1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, 64:ff9b::7f00:1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, 2002:7f00:1::1, LOOPBACK_BY_ORIGIN",
        "OUTSIDE, 169.254.1.1, LINK_LOCAL_BY_ORIGIN",
        "OUTSIDE, fe80::1, LINK_LOCAL_BY_ORIGIN",
        "LINK_LOCAL, 169.254.1.1, ",
        "LOOPBACK, 169.254.1.1, ",
        "OUTSIDE, 192.0.2.1, ",
    })
    @DisplayName(
            "to loopback goes what came by a loopback listening point, not all of the server's")
    void origins(Origin origin, String host, EgressReason reason) {
        EgressFilter filter = filter(OUTER, "127.0.0.1", "169.254.3.4");
        assertThat(filter.refusal(origin, at(host, 5070))).isEqualTo(reason);
    }

    @Test
    @DisplayName("what was refused for where it came from says so, not that no point is there")
    void reasonsOfOrigins() {
        EgressFilter mixed = filter(OUTER, "127.0.0.1", "169.254.3.4");
        for (String host : List.of("127.0.0.1", "169.254.1.1")) {
            EgressReason reason = mixed.refusal(Origin.OUTSIDE, at(host, 5070));
            assertThat(reason).isNotNull();
            assertThat(reason.text())
                    .contains("for a request that came by another listening point")
                    .doesNotContain("no listening point");
        }
    }

    @Test
    @DisplayName(
            "services of this machine are for nobody elsewhere, under whatever of its addresses,"
                    + " but where we listen or allow opens")
    void servicesOfThisMachine() {
        LocalAddresses addresses = listening("0.0.0.0", "127.0.0.1");
        List<InetAddress> others =
                addresses.ofThisMachine().stream()
                        .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
                        .filter(Inet4Address.class::isInstance)
                        .toList();
        Assumptions.assumeThat(others).isNotEmpty();
        InetAddress other = others.getFirst();
        EgressFilter filter = new EgressFilter(EgressConfig.defaults(), addresses);
        EgressFilter wide = new EgressFilter(EgressConfig.defaults(), listening("0.0.0.0"));
        for (EgressFilter each : List.of(filter, wide)) {
            InetSocketAddress service = new InetSocketAddress(other, 6379);
            assertThat(each.refusal(Origin.OUTSIDE, service)).isEqualTo(EgressReason.THIS_MACHINE);
            assertThat(each.refusal(Origin.LINK_LOCAL, service))
                    .isEqualTo(EgressReason.THIS_MACHINE);
            assertThat(each.refusal(Origin.LOOPBACK, service)).isNull();
            assertThat(each.refusal(Origin.OWN, service)).isNull();
            InetSocketAddress point = new InetSocketAddress(other, 5060);
            assertThat(each.refusal(Origin.OUTSIDE, point)).isNull();
        }
        String digits = other.getHostAddress();
        assertThat(filter.refusal(Origin.OUTSIDE, at("::ffff:" + digits, 6379)))
                .isEqualTo(EgressReason.THIS_MACHINE);
        EgressFilter open =
                new EgressFilter(
                        EgressConfig.defaults().withAllow(AddressRanges.of(List.of(digits))),
                        addresses);
        assertThat(open.refusal(Origin.OUTSIDE, new InetSocketAddress(other, 6379))).isNull();
        assertThat(filter("127.0.0.1").refusal(Origin.OUTSIDE, new InetSocketAddress(other, 6379)))
                .as("a server that only this machine reaches")
                .isNull();
    }

    @Test
    @DisplayName(
            "to ourselves goes everything but, from elsewhere, to a point on loopback; allow opens;"
                    + " of one kind of points nothing is asked")
    void originsThatAreNotAsked() {
        EgressFilter mixed = filter(OUTER, "127.0.0.1");
        assertThat(mixed.refusal(Origin.OUTSIDE, at(OUTER, 5060))).isNull();
        assertThat(mixed.refusal(Origin.LOOPBACK, at("127.0.0.1", 5060))).isNull();
        assertThat(mixed.refusal(Origin.OUTSIDE, at("127.0.0.1", 5060)))
                .isEqualTo(EgressReason.LOOPBACK_BY_ORIGIN);
        assertThat(filter("127.0.0.1").refusal(Origin.OUTSIDE, at("127.0.0.1", 5070))).isNull();
        assertThat(filter("0.0.0.0", "127.0.0.1").refusal(Origin.OUTSIDE, at("127.0.0.1", 5070)))
                .isEqualTo(EgressReason.LOOPBACK_BY_ORIGIN);
        EgressFilter open =
                new EgressFilter(
                        EgressConfig.defaults()
                                .withAllow(AddressRanges.of(List.of("127.0.0.2/32"))),
                        listening(OUTER, "127.0.0.1"));
        assertThat(open.refusal(Origin.OUTSIDE, at("127.0.0.2", 5070))).isNull();
        assertThat(open.refusal(Origin.OUTSIDE, at("127.0.0.3", 5070)))
                .isEqualTo(EgressReason.LOOPBACK_BY_ORIGIN);
    }

    @Test
    @DisplayName("a link-local listening point opens link-local addresses, but no cloud's metadata")
    void linkLocal() {
        EgressFilter filter = filter(OUTER, "169.254.3.4");
        assertThat(filter.refusal(at("169.254.1.1", 5070), false)).isNull();
        assertThat(filter.refusal(at("169.254.169.254", 80), false))
                .isEqualTo(EgressReason.METADATA);
    }

    @Test
    @DisplayName("our own socket is reached from inside under any of its addresses")
    void ourselves() {
        assertThat(filter("0.0.0.0").refusal(at("127.0.0.1", 5060), false)).isNull();
        assertThat(filter("0.0.0.0").refusal(at("127.0.0.1", 5061), false))
                .isEqualTo(EgressReason.LOOPBACK);
    }

    @Test
    @DisplayName("allow opens loopback, link-local and metadata, never broadcast; deny is stronger")
    void configured() {
        EgressFilter open = filter(List.of("0.0.0.0/0", "::/0"), List.of("198.51.100.0/24"));
        assertThat(open.refusal(at("127.0.0.1", 5070), false)).isNull();
        assertThat(open.refusal(at("169.254.169.254", 80), false)).isNull();
        assertThat(open.refusal(at("fd00:ec2::254", 80), false)).isNull();
        assertThat(open.refusal(at("255.255.255.255", 80), false))
                .isEqualTo(EgressReason.BROADCAST);
        assertThat(open.refusal(at("224.0.0.1", 80), false)).isEqualTo(EgressReason.MULTICAST);
        assertThat(open.refusal(at("198.51.100.7", 80), false)).isEqualTo(EgressReason.DENIED);
        assertThat(open.refusal(at("198.51.100.7", 80), true)).isEqualTo(EgressReason.DENIED);
    }

    @Test
    @DisplayName("the gate in front of the sockets counts each refusal by its reason")
    void gate() {
        LoopCounts tally = new LoopCounts();
        EgressGate gate = new EgressGate(filter("0.0.0.0"), tally);
        for (int i = 0; i < 2; i++) {
            assertThat(gate.refusal(at("192.0.2.1", 5060), false)).isNull();
            assertThat(gate.refusal(at("224.0.0.1", 5060), true)).isEqualTo(EgressReason.MULTICAST);
            assertThat(gate.refusal(at("127.0.0.1", 5070), true)).as("a response").isNull();
            assertThat(gate.refusal(at("127.0.0.1", 5070), false))
                    .as("a response opens nothing for requests")
                    .isEqualTo(EgressReason.LOOPBACK);
        }
        assertThat(tally.get(NetworkCounter.EGRESS_MULTICAST)).isEqualTo(2);
        assertThat(tally.get(NetworkCounter.EGRESS_LOOPBACK)).isEqualTo(2);
        assertThat(tally.get(NetworkCounter.TARGETS_REFUSED)).isEqualTo(4);
    }
}

package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.resolve.RequestBudget;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets, our own addresses, and what is printed as ours. */
class WireTest {

    private static Node loopback;
    private static Node wildcard;

    @BeforeAll
    static void start() throws Exception {
        loopback = new Node(Node.loopback(1).withDomains(List.of("Example.COM")));
        wildcard =
                new Node(
                        NetworkConfig.of(
                                        List.of(
                                                new ListeningPoint(Transport.UDP, "0.0.0.0", 0),
                                                new ListeningPoint(
                                                        Transport.TCP,
                                                        "127.0.0.1",
                                                        0,
                                                        "sip.example.net",
                                                        7000)))
                                .withShards(1));
    }

    @AfterAll
    static void stop() {
        loopback.close();
        wildcard.close();
    }

    private static boolean isLocal(Node node, String host, int port) throws Exception {
        return on(node, w -> w.isLocal(host, port));
    }

    private static boolean isOwnHost(Node node, String host) throws Exception {
        return on(node, w -> w.isOwnHost(host));
    }

    private static boolean mayPass(Node node, Origin origin, InetSocketAddress remote)
            throws Exception {
        return on(node, w -> w.mayPass(origin, remote));
    }

    private static HostPort sentBy(
            Node node,
            Transport transport,
            @Nullable InetSocketAddress local,
            InetSocketAddress remote)
            throws Exception {
        return on(node, w -> w.sentBy(transport, local, remote));
    }

    private static <T> T on(Node node, Function<Wire, T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        node.on(0, () -> answer.complete(question.apply(node.wires.getFirst())));
        return answer.get(10, TimeUnit.SECONDS);
    }

    private static List<Hop> resolve(String target, @Nullable Transport preferred)
            throws Exception {
        CompletableFuture<List<Hop>> answer = new CompletableFuture<>();
        loopback.on(
                0,
                () ->
                        loopback.wires
                                .getFirst()
                                .resolve(
                                        Node.uri(target),
                                        preferred,
                                        RequestBudget.ofNobody(),
                                        answer::complete));
        return answer.get(10, TimeUnit.SECONDS);
    }

    private static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    @ParameterizedTest
    @CsvSource({
        "sip:a@192.0.2.1, UDP, 192.0.2.1, 5060",
        "sip:a@192.0.2.1:5070, UDP, 192.0.2.1, 5070",
        "sip:a@192.0.2.1;transport=tcp, TCP, 192.0.2.1, 5060",
        "sip:a@192.0.2.1;transport=UDP, UDP, 192.0.2.1, 5060",
        "sip:a@[2001:db8::1]:5080;transport=tcp, TCP, 2001:db8::1, 5080",
        "sip:a@example.com;maddr=192.0.2.2, UDP, 192.0.2.2, 5060",
        "sip:a@example.com:5090;maddr=192.0.2.2, UDP, 192.0.2.2, 5090",
    })
    void transportAddressAndPortOfALiteral_rfc3263_4(
            String target, Transport transport, String address, int port) throws Exception {
        assertThat(resolve(target, null)).containsExactly(Hop.to(transport, at(address, port)));
    }

    @Test
    void thePreferenceCountsWhereTheUriIsSilent() throws Exception {
        assertThat(resolve("sip:a@192.0.2.1", Transport.TCP).getFirst().transport())
                .isEqualTo(Transport.TCP);
        assertThat(resolve("sip:a@192.0.2.1;transport=udp", Transport.TCP).getFirst().transport())
                .isEqualTo(Transport.UDP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:a@0.0.0.0",
                "sip:a@255.255.255.255",
                "sip:a@224.0.1.75",
                "sip:a@[ff02::1]",
                "sip:a@[::]",
                "sip:a@192.0.2.1:0"
            })
    void someTargetsAreRefused(String target) throws Exception {
        long before = loopback.count(NetworkCounter.TARGETS_REFUSED);
        assertThat(resolve(target, null)).isEmpty();
        assertThat(loopback.count(NetworkCounter.TARGETS_REFUSED)).isEqualTo(before + 1);
    }

    @Test
    void whatCameByAWidePointIsNotPassedOnToLoopbackAndThatIsCounted() throws Exception {
        InetSocketAddress inner = at("127.0.0.1", 9);
        long before = wildcard.count(NetworkCounter.EGRESS_LOOPBACK);
        assertThat(mayPass(wildcard, Origin.OUTSIDE, inner)).isFalse();
        assertThat(mayPass(wildcard, Origin.LOOPBACK, inner)).isTrue();
        assertThat(mayPass(wildcard, Origin.OUTSIDE, at("192.0.2.1", 9))).isTrue();
        assertThat(wildcard.count(NetworkCounter.EGRESS_LOOPBACK)).isEqualTo(before + 1);
        assertThat(mayPass(loopback, Origin.OUTSIDE, inner)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sips:a@192.0.2.1",
                "sip:a@192.0.2.1;transport=wss",
                "sip:a@192.0.2.1;transport=sctp",
                "tel:+15551234"
            })
    void someTargetsAreNotSupportedWithoutTlsOrAtAll(String target) throws Exception {
        assertThat(resolve(target, null)).isEmpty();
    }

    @Test
    void aNameIsLookedUpByTheSystem() throws Exception {
        assertThat(resolve("sip:a@localhost:5099", null))
                .contains(Hop.to(Transport.UDP, at("127.0.0.1", 5099)));
    }

    @Test
    void ourAddressesAreLocalWithTheirPorts() throws Exception {
        assertThat(isLocal(loopback, "127.0.0.1", loopback.udp())).isTrue();
        assertThat(isLocal(loopback, "localhost", loopback.tcp())).isTrue();
        assertThat(isLocal(loopback, "127.0.0.1", -1))
                .as("no port is 5060, and that is not ours")
                .isFalse();
        assertThat(isLocal(loopback, "127.0.0.2", loopback.udp())).isFalse();
        assertThat(isLocal(loopback, "192.0.2.1", loopback.udp())).isFalse();
    }

    @Test
    void aHostOfOursIsOursWhateverThePort() throws Exception {
        assertThat(isOwnHost(loopback, "127.0.0.1")).isTrue();
        assertThat(isOwnHost(loopback, "localhost")).isTrue();
        assertThat(isOwnHost(loopback, "EXAMPLE.com.")).isTrue();
        assertThat(isOwnHost(loopback, "127.0.0.2")).isFalse();
        assertThat(isOwnHost(loopback, "192.0.2.1")).isFalse();
        assertThat(isOwnHost(loopback, "example.org")).isFalse();
        assertThat(isOwnHost(wildcard, "127.3.2.1")).isTrue();
        assertThat(isOwnHost(wildcard, "sip.example.net")).isTrue();
    }

    @Test
    void domainsAreLocalInAnyCaseWithAndWithoutPort() throws Exception {
        assertThat(isLocal(loopback, "example.com", -1)).isTrue();
        assertThat(isLocal(loopback, "EXAMPLE.com.", -1)).isTrue();
        assertThat(isLocal(loopback, "example.com", loopback.udp())).isTrue();
        assertThat(isLocal(loopback, "example.com", 9)).isFalse();
        assertThat(isLocal(loopback, "example.org", -1)).isFalse();
    }

    @Test
    void aWildcardPointIsLocalByEveryAddressOfTheMachine() throws Exception {
        assertThat(isLocal(wildcard, "127.0.0.1", wildcard.udp())).isTrue();
        assertThat(isLocal(wildcard, "127.3.2.1", wildcard.udp())).isTrue();
        assertThat(isLocal(wildcard, "sip.example.net", 7000)).isTrue();
        assertThat(isLocal(wildcard, "sip.example.net", -1)).isTrue();
        assertThat(isLocal(wildcard, "sip.example.net", 7001)).isFalse();
    }

    @Test
    void aWildcardPointPrintsTheAddressThatTheRemoteSees() throws Exception {
        assertThat(sentBy(wildcard, Transport.UDP, null, at("127.0.0.1", 5060)))
                .isEqualTo(new HostPort("127.0.0.1", wildcard.udp()));
        assertThat(
                        sentBy(
                                wildcard,
                                Transport.UDP,
                                at("0.0.0.0", wildcard.udp()),
                                at("127.0.0.1", 5060)))
                .isEqualTo(new HostPort("127.0.0.1", wildcard.udp()));
    }

    @Test
    void anExternalHostIsPrintedAsConfigured() throws Exception {
        assertThat(sentBy(wildcard, Transport.TCP, at("127.0.0.1", 40_000), at("127.0.0.1", 5060)))
                .isEqualTo(new HostPort("sip.example.net", 7000));
    }

    @Test
    void aConnectionOfOursPrintsTheListeningPortNotItsOwn() throws Exception {
        assertThat(sentBy(loopback, Transport.TCP, at("127.0.0.1", 40_000), at("127.0.0.1", 5060)))
                .isEqualTo(new HostPort("127.0.0.1", loopback.tcp()));
    }
}

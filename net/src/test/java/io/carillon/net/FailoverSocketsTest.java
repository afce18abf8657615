package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.resolve.DnsConfig;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.resolve.LittleDns;
import io.carillon.net.resolve.MemoryZone;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import io.netty.channel.epoll.Epoll;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.AbstractQueue;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 3263 from the DNS to the server that lives, on real sockets. */
class FailoverSocketsTest {

    /** Answers 503 to everything. */
    private static final class Busy extends AbstractQueue<ServerTransaction> {
        @Override
        public boolean offer(ServerTransaction transaction) {
            transaction.claimFinal();
            transaction.respond(
                    MessageDraft.responseTo(
                                    transaction.request(), 503, null, transaction.localTag())
                            .freezeResponse());
            return true;
        }

        @Override
        public ServerTransaction poll() {
            return null;
        }

        @Override
        public ServerTransaction peek() {
            return null;
        }

        @Override
        public Iterator<ServerTransaction> iterator() {
            return Collections.emptyIterator();
        }

        @Override
        public int size() {
            return 0;
        }
    }

    /** A port of loopback that nobody listens on. */
    private static int deadPort() throws Exception {
        try (DatagramSocket udp = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
                ServerSocket tcp =
                        new ServerSocket(
                                udp.getLocalPort(), 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return tcp.getLocalPort();
        }
    }

    private static NetworkConfig asking(LittleDns dns) {
        return Node.loopback(2)
                .withDns(
                        DnsConfig.defaults()
                                .withHostsFile(null)
                                .withServers(List.of(dns.address())));
    }

    private static Node.Ended next(Node node) throws InterruptedException {
        Node.Ended ended = node.ended.poll(10, TimeUnit.SECONDS);
        if (ended == null) {
            throw new AssertionError("neither answer nor failure within 10 s");
        }
        return ended;
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void theFirstRefusesTheSecondIsBusyTheThirdAnswers_rfc3263_4_3(String transport)
            throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "ICMP is heard of with epoll only");
        MemoryZone zone = new MemoryZone();
        try (LittleDns dns = new LittleDns(zone);
                Node busy = new Node(Node.loopback(1));
                Node alive = new Node(Node.loopback(1));
                Node caller = new Node(asking(dns))) {
            busy.held = new Busy();
            boolean udp = transport.equals("udp");
            String service = "_sip._" + transport + ".pbx.test";
            zone.add(
                            "pbx.test",
                            "NAPTR 1 1 \"s\" \"SIP+D2"
                                    + (udp ? "U" : "T")
                                    + "\" \"\" "
                                    + service
                                    + ".")
                    .add(service, "SRV 1 1 " + deadPort() + " one.pbx.test.")
                    .add(service, "SRV 2 1 " + (udp ? busy.udp() : busy.tcp()) + " two.pbx.test.")
                    .add(
                            service,
                            "SRV 3 1 " + (udp ? alive.udp() : alive.tcp()) + " three.pbx.test.");
            for (String host : List.of("one", "two", "three")) {
                zone.add(host + ".pbx.test", "A 127.0.0.1");
            }

            caller.send(0, "INVITE", "sip:bob@pbx.test");

            assertThat(next(caller)).isEqualTo(new Node.Ended(200, null));
            assertThat(alive.next().request().method()).isEqualTo("INVITE");
            assertThat(busy.seen).hasSize(1);
            assertThat(caller.shards().getFirst().counters().get(Counter.FAILOVERS)).isEqualTo(2);
            assertThat(caller.shards().getFirst().counters().get(Counter.CLIENT_TIMEOUTS)).isZero();
        }
    }

    @Test
    void aHundredServersComeByTcpAndTheFirstOfThemAnswers() throws Exception {
        MemoryZone zone = new MemoryZone();
        try (LittleDns dns = new LittleDns(zone);
                Node alive = new Node(Node.loopback(1));
                Node caller = new Node(asking(dns))) {
            for (int i = 0; i < 100; i++) {
                zone.add(
                                "_sip._udp.big.test",
                                "SRV " + i + " 1 " + alive.udp() + " h" + i + ".big.test.")
                        .add("h" + i + ".big.test", "A 127.0.0.1");
            }
            caller.send(1, "OPTIONS", "sip:bob@big.test;transport=udp");
            assertThat(next(caller)).isEqualTo(new Node.Ended(200, null));
            assertThat(caller.count(NetworkCounter.LOOKUPS)).isEqualTo(1 + 16);
            assertThat(caller.count(NetworkCounter.LOOKUPS_LIMITED)).isEqualTo(1);
        }
    }

    @Test
    void aDnsThatIsGoneIsNoAnswerAndAnotherServerIsAsked() throws Exception {
        MemoryZone zone = new MemoryZone();
        try (LittleDns dns = new LittleDns(zone);
                Node alive = new Node(Node.loopback(1));
                Node caller =
                        new Node(
                                Node.loopback(1)
                                        .withDns(
                                                DnsConfig.defaults()
                                                        .withQuestions(
                                                                new DnsConfig.Questions(
                                                                        200, 1, 16, 16))
                                                        .withServers(
                                                                List.of(
                                                                        new java.net
                                                                                .InetSocketAddress(
                                                                                "127.0.0.1",
                                                                                deadPort()),
                                                                        dns.address()))))) {
            zone.add("there.test", "A 127.0.0.1");
            caller.send(0, "OPTIONS", "sip:bob@there.test:" + alive.udp());
            assertThat(next(caller)).isEqualTo(new Node.Ended(200, null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "::"})
    void icmpFailsTheRequestsThatItIsAboutAndNoOther_rfc3261_18_4(String host) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "ICMP is heard of with epoll only");
        NetworkConfig config =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.UDP, host, 0)))
                        .withShards(2)
                        .withEgress(
                                EgressConfig.defaults()
                                        .withAllow(AddressRanges.of(List.of("127.0.0.0/8"))));
        String peer = host.equals("::1") ? "[::1]" : "127.0.0.1";
        try (Node alive =
                        new Node(
                                NetworkConfig.of(
                                                List.of(
                                                        new ListeningPoint(
                                                                Transport.UDP,
                                                                peer.replaceAll("[\\[\\]]", ""),
                                                                0)))
                                        .withShards(1));
                Node caller = new Node(config)) {
            int dead = deadPort();
            for (int i = 0; i < 40; i++) {
                caller.send(
                        i % 2, "OPTIONS", "sip:x@" + peer + ":" + (i % 4 < 2 ? dead : alive.udp()));
            }
            int answered = 0;
            int failed = 0;
            for (int i = 0; i < 40; i++) {
                Node.Ended ended = next(caller);
                answered += ended.status() == 200 ? 1 : 0;
                failed += ended.failure() == Failure.TRANSPORT ? 1 : 0;
            }
            assertThat(answered).isEqualTo(20);
            assertThat(failed).isEqualTo(20);
            assertThat(caller.count(NetworkCounter.ICMP_ERRORS)).isPositive();
            assertThat(caller.count(NetworkCounter.DATAGRAM_SEND_ERRORS)).isZero();
            assertThat(caller.count(NetworkCounter.DATAGRAM_READ_ERRORS)).isZero();
        }
    }

    @Test
    void icmpCanBeSwitchedOff() throws Exception {
        try (Node alive = new Node(Node.loopback(1));
                Node caller =
                        new Node(
                                Node.loopback(1)
                                        .withEgress(EgressConfig.defaults().withIcmp(false)))) {
            caller.send(0, "OPTIONS", "sip:x@127.0.0.1:" + deadPort());
            caller.send(0, "OPTIONS", "sip:x@127.0.0.1:" + alive.udp());
            assertThat(next(caller)).isEqualTo(new Node.Ended(200, null));
            assertThat(caller.ended).isEmpty();
            assertThat(caller.count(NetworkCounter.ICMP_ERRORS)).isZero();
        }
    }
}

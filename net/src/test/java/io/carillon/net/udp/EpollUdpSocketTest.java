package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.FailureReport;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.token.OwnTokens;
import io.netty.channel.epoll.Epoll;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel may answer to a datagram that is sent, and the two forms of addresses. */
class EpollUdpSocketTest {
    private static final int EPERM = 1;

    private final LoopCounts tally = new LoopCounts();
    private final BlockingQueue<String> causes = new LinkedBlockingQueue<>();
    private ShardGroup group;
    private ShardLoop loop;
    private DatagramSocket peer;

    /** Answers the next sends by what was set; then the kernel does. */
    private static class Scripted extends DatagramCalls {
        private final List<Integer> errors = new ArrayList<>();
        private int error;

        Scripted(Integer... errors) {
            this.errors.addAll(List.of(errors));
        }

        private boolean failing() {
            error = errors.isEmpty() ? 0 : errors.removeFirst();
            return error != 0;
        }

        @Override
        int send(int fd, long vector, int count) {
            return failing() ? -1 : super.send(fd, vector, count);
        }

        @Override
        int sendOne(int fd, long bytes, long length, long address, int addressLength) {
            return failing() ? -1 : super.sendOne(fd, bytes, length, address, addressLength);
        }

        @Override
        int errno() {
            return error != 0 ? error : super.errno();
        }
    }

    @BeforeEach
    void open() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "epoll");
        group = new ShardGroup(1, true, new LoopCounts[] {tally}, System.nanoTime());
        loop = group.loop(0);
        peer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        peer.setSoTimeout(10_000);
    }

    @AfterEach
    void close() {
        if (group != null) {
            group.close();
            peer.close();
        }
    }

    private EpollUdpSocket socket(String host, DatagramCalls calls) throws Exception {
        ListeningPoint point = new ListeningPoint(Transport.UDP, host, 0);
        UdpConfig udp = new UdpConfig(1 << 20, 1 << 20, 8, 1 << 17, true);
        return EpollUdpSocket.open(
                point,
                new InetSocketAddress(InetAddress.getByName(host), 0),
                loop,
                false,
                udp,
                new DatagramScreening(null, new StunPings()),
                calls);
    }

    @Test
    void aSocketThatSharesItsPortWithNoneTakesNoProgramAndSaysWhy() throws Exception {
        int invalid = 22;
        EpollUdpSocket alone = socket("127.0.0.1", new DatagramCalls());
        assertThat(alone.chooseByShard(OwnTokens.ofNode(0), 2)).isIn(invalid, DatagramCalls.ENOMEM);
        alone.close();
    }

    private void send(EpollUdpSocket socket, InetSocketAddress remote, String... ids)
            throws Exception {
        loop.eventLoop()
                .submit(() -> {
                    for (String id : ids) {
                        Hop to = Hop.to(Transport.UDP, remote);
                        socket.send(
                                message(id),
                                remote,
                                new FailureReport(
                                        loop, to, (hop, why) -> causes.add(id + ": " + why)));
                    }
                })
                .get();
    }

    private static SipMessage message(String id) {
        byte[] bytes =
                ("MESSAGE sip:a@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK"
                                + id
                                + "\r\nFrom: <sip:b@127.0.0.1>;tag=1\r\nTo: <sip:a@127.0.0.1>\r\nCall-ID: "
                                + id
                                + "\r\nCSeq: 1 MESSAGE\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        return ((ParseResult.Parsed)
                        new MessageParser(Compliance.LENIENT, MessageLimits.DEFAULT)
                                .parseDatagram(bytes, bytes.length))
                .message();
    }

    private String received() throws Exception {
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        peer.receive(packet);
        String text =
                new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
        int start = text.indexOf("Call-ID: ") + 9;
        return text.substring(start, text.indexOf('\r', start));
    }

    private InetSocketAddress peerAddress() {
        return (InetSocketAddress) peer.getLocalSocketAddress();
    }

    /** What came and what left, in this order, when so many datagrams waited to be read. */
    private List<String> conversation(int waiting) throws Exception {
        List<String> events = new ArrayList<>();
        EpollUdpSocket socket = socket("127.0.0.1", new Noted(events));
        return conversation(waiting, socket, socket, events);
    }

    /** Calls of which is written down what leaves. */
    private static final class Noted extends DatagramCalls {
        private final List<String> events;

        Noted(List<String> events) {
            this.events = events;
        }

        @Override
        int send(int fd, long vector, int count) {
            events.add("out " + count);
            return super.send(fd, vector, count);
        }

        @Override
        int sendOne(int fd, long bytes, long length, long address, int addressLength) {
            events.add("out");
            return super.sendOne(fd, bytes, length, address, addressLength);
        }
    }

    private List<String> conversation(
            int waiting, EpollUdpSocket socket, EpollUdpSocket answersBy, List<String> events)
            throws Exception {
        loop.intake((message, length, from, nowNanos) -> {
            events.add("in");
            answersBy.send(message, length, peerAddress(), null);
        });
        socket.receive();
        loop.eventLoop()
                .submit(() -> {
                    for (int i = 0; i < waiting; i++) {
                        peer.send(new DatagramPacket(new byte[] {'a', 'b'}, 2, socket.local()));
                    }
                    return null;
                })
                .get();
        for (int i = 0; i < waiting; i++) {
            peer.receive(new DatagramPacket(new byte[10], 10));
        }
        socket.close();
        return events;
    }

    @Test
    void whatAMessageMakesLeavesBeforeTheNextOneIsDealtWith() throws Exception {
        assertThat(conversation(3)).containsExactly("in", "out", "in", "out", "in", "out");
    }

    /** A router reads by one socket and sends by another. */
    @Test
    void whatAMessageMakesAnotherSocketSendLeavesBeforeTheNextOneToo() throws Exception {
        List<String> events = new ArrayList<>();
        EpollUdpSocket other = socket("127.0.0.1", new Noted(events));
        EpollUdpSocket socket = socket("127.0.0.1", new DatagramCalls());
        assertThat(conversation(3, socket, other, events))
                .containsExactly("in", "out", "in", "out", "in", "out");
        other.close();
    }

    @Test
    void whereAWholeWindowWaitedEverythingLeavesTogether() throws Exception {
        List<String> events = conversation(10);
        assertThat(events.subList(0, 10)).containsOnly("in");
        assertThat(events.subList(10, events.size())).containsExactly("out 10");
    }

    @Test
    void aKernelThatTakesNoMoreIsAskedAgainAndTheOrderStays() throws Exception {
        EpollUdpSocket socket = socket("127.0.0.1", new Scripted(DatagramCalls.EAGAIN));
        send(socket, peerAddress(), "1", "2", "3");
        assertThat(List.of(received(), received(), received())).containsExactly("1", "2", "3");
        send(socket, peerAddress(), "4");
        assertThat(received()).isEqualTo("4");
        assertThat(causes).isEmpty();
        socket.close();
    }

    @Test
    void anInterruptedCallIsMadeAgain() throws Exception {
        EpollUdpSocket socket = socket("127.0.0.1", new Scripted(DatagramCalls.EINTR));
        send(socket, peerAddress(), "1");
        assertThat(received()).isEqualTo("1");
        assertThat(tally.get(NetworkCounter.DATAGRAM_SEND_ERRORS)).isZero();
        socket.close();
    }

    @Test
    void aRefusedDatagramIsToldAndTheOthersLeave() throws Exception {
        EpollUdpSocket socket = socket("127.0.0.1", new Scripted(EPERM));
        send(socket, peerAddress(), "1", "2", "3");
        assertThat(List.of(received(), received())).containsExactly("2", "3");
        assertThat(causes.poll(10, TimeUnit.SECONDS)).startsWith("1: ").contains("EPERM");
        assertThat(tally.get(NetworkCounter.DATAGRAM_SEND_ERRORS)).isEqualTo(1);
        socket.close();
    }

    @Test
    void moreThanMayWaitIsDroppedAndCounted() throws Exception {
        EpollUdpSocket socket =
                socket(
                        "127.0.0.1",
                        new Scripted(DatagramCalls.EAGAIN) {
                            @Override
                            int errno() {
                                return DatagramCalls.EAGAIN;
                            }
                        });
        String[] ids = new String[2000];
        java.util.Arrays.fill(ids, "x");
        send(socket, peerAddress(), ids);
        assertThat(tally.get(NetworkCounter.DATAGRAMS_UNSENT)).isPositive();
        assertThat(
                        tally.get(NetworkCounter.DATAGRAMS_UNSENT)
                                + tally.get(NetworkCounter.DATAGRAMS_OUT))
                .isEqualTo(2000);
        socket.close();
    }

    @Test
    void whatStillWaitsWhenTheSocketClosesIsCounted() throws Exception {
        Integer[] never = new Integer[1_000_000];
        java.util.Arrays.fill(never, DatagramCalls.EAGAIN);
        EpollUdpSocket socket = socket("127.0.0.1", new Scripted(never));
        send(socket, peerAddress(), "1", "2", "3");
        socket.close();
        assertThat(tally.get(NetworkCounter.DATAGRAMS_UNSENT)).isEqualTo(3);
    }

    @Test
    void anIpv4SocketRefusesAnIpv6Peer() throws Exception {
        EpollUdpSocket socket = socket("127.0.0.1", new DatagramCalls());
        send(socket, new InetSocketAddress(InetAddress.getByName("::1"), 5060), "1");
        assertThat(causes.poll(10, TimeUnit.SECONDS)).contains("EAFNOSUPPORT");
        socket.close();
    }

    /** RFC 4291 2.5.5.2: an IPv4 peer of an IPv6 socket has a mapped address. */
    @Test
    void aWildcardOfIpv6ReachesIpv4AndHearsIt() throws Exception {
        EpollUdpSocket socket;
        try {
            socket = socket("::", new DatagramCalls());
        } catch (java.io.IOException e) {
            Assumptions.abort("no IPv6 here");
            return;
        }
        send(socket, peerAddress(), "1");
        assertThat(received()).isEqualTo("1");
        MessageVector vector = new MessageVector(1);
        InetSocketAddress scoped =
                new InetSocketAddress(InetAddress.getByName("2001:db8::7"), 5061);
        int length = SocketAddresses.write(scoped, DatagramCalls.AF_INET6, vector.addresses(), 0);
        assertThat(length).isEqualTo(SocketAddresses.IN6_BYTES);
        assertThat(SocketAddresses.read(vector.addresses(), 0)).isEqualTo(scoped);
        var _ = SocketAddresses.write(peerAddress(), DatagramCalls.AF_INET6, vector.addresses(), 0);
        assertThat(SocketAddresses.read(vector.addresses(), 0)).isEqualTo(peerAddress());
        assertThat(SocketAddresses.read(vector.addresses(), 0).getAddress())
                .isInstanceOf(Inet4Address.class);
        socket.close();
    }
}

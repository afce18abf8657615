package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.keepalive.StunPings;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.overload.ToldDelay;
import io.carillon.sip.overload.Waiting;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.stack.StackUser;
import io.carillon.sip.token.RandomSource;
import io.netty.channel.epoll.Epoll;
import java.lang.reflect.Proxy;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** In which order a datagram socket serves what waits in it. */
class OvertakingTest {
    private static final int WINDOW = 8;
    private static final long LONGER_THAN_A_TURN = TimeUnit.MILLISECONDS.toNanos(3);

    private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
    private final AtomicLong nanos = new AtomicLong();
    private ShardGroup group;
    private ShardLoop loop;
    private Shard shard;
    private DatagramSocket peer;
    private EpollUdpSocket socket;

    /** A socket whose shard sheds all the time, or never. */
    private void open(boolean sheds) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "epoll");
        group = new ShardGroup(1, true, new LoopCounts[] {new LoopCounts()}, System.nanoTime());
        loop = group.loop(0);
        OverloadConfig overload = new OverloadConfig(true, sheds ? 0 : Long.MAX_VALUE, 0);
        shard =
                Stack.shard(
                        0,
                        StackConfig.builder().overload(overload).build(),
                        loop,
                        unused(Wire.class),
                        unused(StackUser.class),
                        RandomSource.secure(),
                        System.nanoTime());
        group.join(List.of(shard));
        loop.intake((message, length, from, nowNanos) -> took(message, length));
        peer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        UdpConfig udp = new UdpConfig(1 << 20, 1 << 20, WINDOW, 1 << 17, true);
        socket =
                EpollUdpSocket.open(
                        new ListeningPoint(Transport.UDP, "127.0.0.1", 0),
                        new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0),
                        loop,
                        false,
                        udp,
                        new DatagramScreening(null, new StunPings()),
                        new VirtualClock());
    }

    /** What a shard would do with it; here its Call-ID is written down. */
    private void took(byte[] message, int length) {
        String text = new String(message, 0, length, StandardCharsets.US_ASCII);
        int start = text.indexOf("Call-ID: ") + 9;
        served.add(text.substring(start, text.indexOf('\r', start)));
    }

    @AfterEach
    void close() {
        if (group != null) {
            socket.close();
            group.close();
            peer.close();
        }
    }

    /** Sends these before the socket reads any of them, and waits until all are served. */
    private List<String> order(List<String> messages) throws Exception {
        come(messages);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            all.add(served.poll(10, TimeUnit.SECONDS));
        }
        return all;
    }

    private void come(List<String> messages) throws Exception {
        socket.receive();
        loop.eventLoop()
                .submit(() -> {
                    for (String message : messages) {
                        byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
                        peer.send(new DatagramPacket(bytes, bytes.length, socket.local()));
                    }
                    return null;
                })
                .get();
    }

    private static String request(String method, String id, String toTag) {
        return message(method + " sip:a@127.0.0.1 SIP/2.0", method, id, toTag);
    }

    private static String message(String start, String method, String id, String toTag) {
        return start
                + "\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK"
                + id
                + "\r\nFrom: <sip:b@127.0.0.1>;tag=1\r\nTo: <sip:a@127.0.0.1>"
                + toTag
                + "\r\nCall-ID: "
                + id
                + "\r\nCSeq: 1 "
                + method
                + "\r\nContent-Length: 0\r\n\r\n";
    }

    private static List<String> callsAndABye(int calls) {
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            messages.add(request("INVITE", "new-" + i, ""));
        }
        messages.add(request("BYE", "bye", ";tag=2"));
        return messages;
    }

    @Test
    void whatIsUnderWayOvertakesNewWorkAndACancelStaysBehindItsInvite() throws Exception {
        open(true);
        List<String> messages =
                List.of(
                        request("INVITE", "invite", ""),
                        request("OPTIONS", "options", ""),
                        request("CANCEL", "cancel", ""),
                        request("BYE", "bye", ";tag=2"),
                        message("SIP/2.0 200 OK", "INVITE", "response", ";tag=2"),
                        request("INFO", "info", ";tag=2"),
                        request("ACK", "ack", ";tag=2"));
        assertThat(order(messages))
                .containsExactly("bye", "response", "info", "ack", "invite", "options", "cancel");
    }

    @Test
    void newWorkBeginsWhenTheKernelHasNoMore() throws Exception {
        open(true);
        assertThat(order(callsAndABye(3 * WINDOW))).startsWith("bye", "new-0", "new-1");
    }

    @Test
    void whileNothingIsShedTheOrderStays() throws Exception {
        open(false);
        assertThat(order(callsAndABye(3))).containsExactly("new-0", "new-1", "new-2", "bye");
    }

    /** Of the kernel's calls the clock alone: time passes where a test says so. */
    private final class VirtualClock extends DatagramCalls {
        @Override
        long nanoTime() {
            return nanos.get();
        }
    }

    /** Each takes longer than a turn of the loop. */
    private void takeLong() {
        nanos.addAndGet(LONGER_THAN_A_TURN);
    }

    private void slowly() {
        loop.intake((message, length, from, nowNanos) -> {
            took(message, length);
            takeLong();
        });
    }

    @Test
    void newWorkGoesOnWhenATurnIsOverAndNothingElseCame() throws Exception {
        open(true);
        slowly();
        assertThat(order(callsAndABye(20))).hasSize(21).doesNotContainNull();
    }

    @Test
    void whatIsUnderWayLeavesSomeNewWorkItsPlaceInEachTurn() throws Exception {
        open(true);
        slowly();
        List<String> messages = new ArrayList<>();
        messages.add(request("INVITE", "new", ""));
        for (int i = 0; i < 3 * WINDOW; i++) {
            messages.add(request("BYE", "bye-" + i, ";tag=2"));
        }
        assertThat(order(messages).indexOf("new")).isEqualTo(WINDOW - 1);
    }

    @Test
    void whatStillWaitsWhenTheSocketClosesIsServed() throws Exception {
        open(true);
        slowly();
        come(callsAndABye(20));
        assertThat(served.poll(10, TimeUnit.SECONDS)).isEqualTo("bye");
        socket.close();
        assertThat(served).hasSize(20);
    }

    /** The delay by which new work is let in: without that nothing would be refused. */
    @Test
    void theTimeThatItWaitsHereIsTold() throws Exception {
        open(true);
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        loop.intake((message, length, from, nowNanos) -> {
            told.add(ToldDelay.take(shard.overload().delay(), Waiting.SOCKET));
            took(message, length);
            takeLong();
        });
        assertThat(order(callsAndABye(3))).containsExactly("bye", "new-0", "new-1", "new-2");
        assertThat(List.copyOf(told).subList(2, 4)).allMatch(nanos -> nanos >= LONGER_THAN_A_TURN);
    }

    /** Whatever the shard would be asked: what comes is taken before it. */
    private static <T> T unused(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            throw new AssertionError(method.toString());
                        }));
    }
}

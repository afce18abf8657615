package io.carillon.net.udp;

import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.token.OwnTokens;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP listening point: with epoll one socket per shard on the same port (SO_REUSEPORT), and the
 * kernel puts each datagram into the socket of its shard where it can ({@link SocketChoice}), else
 * all datagrams of one sender into one, so that the order within a call is kept; without epoll one
 * socket on the first loop. Made and closed by the network's thread, immutable after.
 */
public final class UdpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UdpListener.class);

    private final List<UdpSocket> sockets;
    private final InetSocketAddress local;

    private UdpListener(List<UdpSocket> sockets) {
        this.sockets = List.copyOf(sockets);
        this.local = sockets.getFirst().local();
    }

    /**
     * Binds; nothing is received before {@link #receive}.
     *
     * @param address the point's host, resolved, and its port
     * @param icmp whether ICMP errors fail the requests that they are about; without epoll nobody
     *     hears of them
     * @param reception what datagrams meet before they are SIP
     * @throws BindFailure when the port cannot be bound
     */
    public static UdpListener bind(
            ListeningPoint point,
            InetSocketAddress address,
            ShardGroup shards,
            UdpConfig limits,
            boolean icmp,
            DatagramScreening reception)
            throws BindFailure {
        List<UdpSocket> sockets = new ArrayList<>();
        try {
            boolean shared = shards.epoll() && shards.size() > 1;
            InetSocketAddress chosen = address;
            if (shared) {
                // With SO_REUSEPORT the kernel would let a second server of the same user take half
                // of the traffic of the first one
                // without an error: ask once without it, which fails when anybody has the port.
                chosen = EpollUdpSocket.probe(address, limits);
            }
            int count = shared ? shards.size() : 1;
            for (int i = 0; i < count; i++) {
                ShardLoop loop = shards.loop(i);
                if (shards.epoll()) {
                    EpollUdpSocket socket =
                            EpollUdpSocket.open(
                                    point,
                                    chosen,
                                    loop,
                                    shared,
                                    limits,
                                    reception,
                                    new DatagramCalls());
                    sockets.add(socket);
                    if (icmp) {
                        socket.hearErrors();
                    }
                } else {
                    sockets.add(ChannelUdpSocket.open(point, chosen, loop, limits, reception));
                }
                chosen = sockets.getFirst().local();
            }
            if (shared && reception.taker() != null) {
                // Where the kernel takes no program, a loop passes frames on to another one.
                var _ = ((EpollUdpSocket) sockets.getFirst()).chooseByPartition(shards.size());
            } else if (shared && limits.socketByCall()) {
                chooseByShard(point, (EpollUdpSocket) sockets.getFirst(), shards);
            }
            return new UdpListener(sockets);
        } catch (IOException | RuntimeException e) {
            for (UdpSocket socket : sockets) {
                socket.close();
            }
            throw BindFailure.of(point, e);
        }
    }

    private static void chooseByShard(
            ListeningPoint point, EpollUdpSocket first, ShardGroup shards) {
        OwnTokens tokens = shards.loop(0).shard().config().tokens();
        int error = first.chooseByShard(tokens, shards.size());
        if (error != 0) {
            LOG.info(
                    "{}: the kernel does not choose the socket by the call (error {}{}); one event"
                            + " loop passes messages on to another, which costs more CPU",
                    point,
                    error,
                    error == DatagramCalls.ENOMEM
                            ? ": it needs net.core.optmem_max of 131072"
                            : "");
        }
    }

    /** The bound address, with the port that was chosen. */
    public InetSocketAddress local() {
        return local;
    }

    /** The socket that a loop sends by. */
    public UdpSocket socketOf(ShardLoop loop) {
        return sockets.size() == 1 ? sockets.getFirst() : sockets.get(loop.index());
    }

    /** Begins to receive. */
    public void receive() {
        for (UdpSocket socket : sockets) {
            socket.receive();
        }
    }

    /** What the kernel granted each socket. */
    public List<ReceiveBuffer> receiveBuffers() {
        return sockets.stream().map(UdpSocket::receiveBuffer).toList();
    }

    @Override
    public void close() {
        for (UdpSocket socket : sockets) {
            socket.close();
        }
    }
}

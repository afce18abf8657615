package io.carillon.net.udp;

import io.carillon.net.BindFailure;
import io.carillon.net.ListeningPoint;
import io.carillon.net.NetworkConfig;
import io.carillon.net.ReceiveBuffer;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.shard.ShardLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A UDP listening point: with epoll one socket per shard on the same port (SO_REUSEPORT: the kernel
 * gives all datagrams of one sender to one socket, so their order is kept), else one socket on the
 * first loop. Made and closed by the network's thread, immutable after.
 */
public final class UdpListener implements AutoCloseable {

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
     * @throws BindFailure when the port cannot be bound
     */
    public static UdpListener bind(
            ListeningPoint point,
            InetSocketAddress address,
            ShardGroup shards,
            NetworkConfig.Udp limits,
            boolean icmp)
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
                                    point, chosen, loop, shared, limits, new DatagramCalls());
                    sockets.add(socket);
                    if (icmp) {
                        socket.hearErrors();
                    }
                } else {
                    sockets.add(ChannelUdpSocket.open(point, chosen, loop, limits));
                }
                chosen = sockets.getFirst().local();
            }
            return new UdpListener(sockets);
        } catch (IOException | RuntimeException e) {
            for (UdpSocket socket : sockets) {
                socket.close();
            }
            throw BindFailure.of(point, e);
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

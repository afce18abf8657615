package io.carillon.net;

import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.Listener;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.ShardGroup;
import io.carillon.net.stream.StreamTransport;
import io.carillon.net.stream.TcpListener;
import io.carillon.net.udp.DatagramScreening;
import io.carillon.net.udp.UdpListener;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listening point with its sockets. One thread at a time.
 *
 * @param asked as configured
 * @param point the same with the port that was chosen
 * @param local the bound address
 * @param udp null for streams
 * @param tcp null for datagrams
 */
record BoundPoint(
        ListeningPoint asked,
        ListeningPoint point,
        InetSocketAddress local,
        @Nullable UdpListener udp,
        @Nullable TcpListener tcp) {

    static BoundPoint bind(
            ListeningPoint point,
            ShardGroup loops,
            NetworkConfig config,
            DatagramScreening reception,
            StreamTransport streams)
            throws BindFailure {
        InetSocketAddress address = Network.address(point);
        if (point.transport() == Transport.UDP) {
            UdpListener udp =
                    UdpListener.bind(
                            point, address, loops, config.udp(), config.egress().icmp(), reception);
            return of(point, udp.local(), udp, null);
        }
        if (point.transport().secure() && config.tls() == null) {
            throw new BindFailure(
                    point,
                    "TLS is not configured: a certificate and its key are needed"
                            + " (tls.certificate and tls.key)",
                    new IllegalStateException("no TlsContexts"));
        }
        TcpListener tcp =
                TcpListener.bind(point, address, loops, streams, config.stream().backlog());
        return of(point, tcp.local(), null, tcp);
    }

    private static BoundPoint of(
            ListeningPoint asked,
            InetSocketAddress local,
            @Nullable UdpListener udp,
            @Nullable TcpListener tcp) {
        return new BoundPoint(asked, asked.withPort(local.getPort()), local, udp, tcp);
    }

    Listener listener(int index) {
        return new Listener(index, point, local);
    }

    List<ReceiveBuffer> receiveBuffers() {
        return udp == null ? List.of() : udp.receiveBuffers();
    }

    void receive() {
        if (udp != null) {
            udp.receive();
        }
        if (tcp != null) {
            tcp.receive();
        }
    }

    void stopAccepting() {
        if (tcp != null) {
            tcp.close();
        }
    }

    void close() {
        stopAccepting();
        if (udp != null) {
            udp.close();
        }
    }
}

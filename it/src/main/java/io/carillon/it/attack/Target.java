package io.carillon.it.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/**
 * Whom an attack is against, and from which addresses of loopback it comes.
 *
 * @param server UDP and TCP; the other doors of SIP are on the ports above
 * @param httpPort of the same address
 * @param network the attack's own /24: 127.0.network.x, so that a ban of one attack does not hide
 *     the next
 */
record Target(InetSocketAddress server, int httpPort, int network) {

    InetSocketAddress address(Door door) {
        int port = door == Door.HTTP ? httpPort : server.getPort() + door.above();
        return new InetSocketAddress(server.getAddress(), port);
    }

    InetAddress source(int index) {
        return InetAddress.ofLiteral("127.0." + network + "." + (1 + index % 250));
    }

    DatagramChannel datagrams(int source) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 1 << 20);
        channel.bind(new InetSocketAddress(source(source), 0));
        channel.configureBlocking(false);
        return channel;
    }

    SocketChannel connection(int source, Door door) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(source(source), 0));
            channel.connect(address(door));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}

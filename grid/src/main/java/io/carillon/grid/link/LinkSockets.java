package io.carillon.grid.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jgroups.util.DefaultSocketFactory;

/**
 * Sockets of JGroups' transport: TLS 1.3, the client proves itself too. It is the only port of a
 * channel, so nothing between nodes is in the clear and nobody without the key is listened to.
 */
final class LinkSockets extends DefaultSocketFactory {
    /** A peer that is stopped accepts a connection and says nothing more. */
    static final int HANDSHAKE_MILLIS = 2_000;

    private final SSLContext context;

    LinkSockets(SSLContext context) {
        this.context = context;
    }

    @Override
    public Socket createSocket(String service) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setEnabledProtocols(new String[] {LinkTls.PROTOCOL});
        socket.setSoTimeout(HANDSHAKE_MILLIS);
        socket.addHandshakeCompletedListener(event -> {
            try {
                event.getSocket().setSoTimeout(0);
            } catch (IOException e) {
                // It was closed in the meantime: there is nothing left to wait for.
                return;
            }
        });
        return socket;
    }

    @Override
    public Socket createSocket(String service, String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String service, InetAddress address, int port) throws IOException {
        return connected(new InetSocketAddress(address, port), null);
    }

    @Override
    public Socket createSocket(
            String service, String host, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return connected(
                new InetSocketAddress(host, port), new InetSocketAddress(localAddress, localPort));
    }

    @Override
    public Socket createSocket(
            String service, InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return connected(
                new InetSocketAddress(address, port),
                new InetSocketAddress(localAddress, localPort));
    }

    private Socket connected(
            InetSocketAddress to, @org.jspecify.annotations.Nullable InetSocketAddress from)
            throws IOException {
        Socket socket = createSocket("");
        try {
            if (from != null) {
                socket.bind(from);
            }
            socket.connect(to, HANDSHAKE_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return new ProvedConnections(context);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port) throws IOException {
        return bound(new InetSocketAddress(port), 0);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port, int backlog)
            throws IOException {
        return bound(new InetSocketAddress(port), backlog);
    }

    @Override
    public ServerSocket createServerSocket(
            String service, int port, int backlog, InetAddress bindAddress) throws IOException {
        return bound(new InetSocketAddress(bindAddress, port), backlog);
    }

    /**
     * @param backlog 0 for the usual one
     */
    private ServerSocket bound(InetSocketAddress address, int backlog) throws IOException {
        ServerSocket socket = new ProvedConnections(context);
        try {
            socket.bind(address, backlog);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}

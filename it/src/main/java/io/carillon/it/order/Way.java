package io.carillon.it.order;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** How a phone reaches the router. Owner: one thread. */
interface Way extends AutoCloseable {
    /** So long {@link #receive} waits. */
    int WAIT_MILLIS = 100;

    int BUFFER_BYTES = 4 << 20;

    /** Transport and sent-by, as they stand in a Via. */
    String via();

    void send(byte[] message, int length) throws IOException;

    /** The length of the next message, which is put in there; 0 when none comes for a while. */
    int receive(byte[] into) throws IOException;

    @Override
    void close() throws IOException;

    /** UDP. */
    final class Datagrams implements Way {
        private final DatagramSocket socket;
        private final InetSocketAddress router;

        Datagrams(int port) throws IOException {
            router = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            socket.setReceiveBufferSize(BUFFER_BYTES);
            socket.setSoTimeout(WAIT_MILLIS);
        }

        @Override
        public String via() {
            return "UDP 127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void send(byte[] message, int length) throws IOException {
            socket.send(new DatagramPacket(message, length, router));
        }

        @Override
        public int receive(byte[] into) throws IOException {
            DatagramPacket packet = new DatagramPacket(into, into.length);
            try {
                socket.receive(packet);
                return packet.getLength();
            } catch (SocketTimeoutException e) {
                return 0;
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** TCP. Messages have no body. */
    final class Connection implements Way {
        private final Socket socket;
        private final InputStream in;
        private int filled;

        Connection(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(WAIT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        }

        @Override
        public String via() {
            return "TCP 127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void send(byte[] message, int length) throws IOException {
            socket.getOutputStream().write(message, 0, length);
        }

        @Override
        public int receive(byte[] into) throws IOException {
            try {
                while (true) {
                    int next = in.read();
                    if (next < 0) {
                        throw new IOException("the router has ended the connection");
                    }
                    into[filled++] = (byte) next;
                    if (next == '\n' && filled >= 4 && into[filled - 3] == '\n') {
                        int length = filled;
                        filled = 0;
                        return length;
                    }
                }
            } catch (SocketTimeoutException e) {
                return 0; // what has come of a message stays
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

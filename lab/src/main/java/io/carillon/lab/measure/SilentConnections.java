package io.carillon.lab.measure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * TCP connections to a server of this machine that asked for something once and are silent since
 * then: one that never says anything is closed. Owner: one thread.
 */
final class SilentConnections implements AutoCloseable {
    private static final int ANSWER_MILLIS = 10_000;

    private final List<Socket> sockets = new ArrayList<>();

    private SilentConnections() {}

    /**
     * Opens them.
     *
     * @throws IOException where one gets no answer
     */
    static SilentConnections open(int port, int count) throws IOException {
        SilentConnections all = new SilentConnections();
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                all.sockets.add(socket);
                socket.getOutputStream().write(question(socket.getLocalPort(), port));
                awaitAnswer(socket);
            }
            return all;
        } catch (IOException e) {
            try (all) {
                throw e;
            }
        }
    }

    /** RFC 3261 16.3: an OPTIONS that may go no further is answered where it is. */
    private static byte[] question(int from, int port) {
        String text =
                """
                OPTIONS sip:127.0.0.1:%2$d SIP/2.0
                Via: SIP/2.0/TCP 127.0.0.1:%1$d;branch=z9hG4bKidle%1$d
                From: <sip:idle@127.0.0.1>;tag=%1$d
                To: <sip:127.0.0.1:%2$d>
                Call-ID: idle-%1$d
                CSeq: 1 OPTIONS
                Max-Forwards: 0
                Content-Length: 0

                """
                        .formatted(from, port);
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void awaitAnswer(Socket socket) throws IOException {
        socket.setSoTimeout(ANSWER_MILLIS);
        byte[] begin = new byte[1024];
        int length = socket.getInputStream().read(begin);
        String said = new String(begin, 0, Math.max(0, length), StandardCharsets.US_ASCII);
        if (!said.startsWith("SIP/2.0 ")) {
            throw new IOException("an OPTIONS over TCP was not answered, but: '" + said + "'");
        }
    }

    /**
     * Are all of them open still?
     *
     * @throws IOException where the server closed one
     */
    void check() throws IOException {
        for (Socket socket : sockets) {
            socket.setSoTimeout(1);
            byte[] rest = new byte[1024];
            try {
                while (socket.getInputStream().read(rest) >= 0) {
                    // the end of the answer
                }
                throw new IOException("the server closed a silent connection");
            } catch (SocketTimeoutException e) {
                // nothing came: it is open
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}

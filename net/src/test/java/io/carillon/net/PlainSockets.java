package io.carillon.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Plain sockets and plain text: the other side of the wire. */
final class PlainSockets {

    private static final int PATIENCE_MILLIS = 10_000;

    private PlainSockets() {}

    /** A small request. */
    static String options(String transport, String via, String callId, int cseq) {
        return "OPTIONS sip:server@127.0.0.1 SIP/2.0\r\n"
                + "Via: SIP/2.0/"
                + transport
                + " "
                + via
                + ";branch=z9hG4bK"
                + callId
                + cseq
                + "\r\n"
                + "From: <sip:peer@127.0.0.1>;tag=f"
                + callId
                + "\r\n"
                + "To: <sip:server@127.0.0.1>\r\n"
                + "Call-ID: "
                + callId
                + "\r\nCSeq: "
                + cseq
                + " OPTIONS\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n";
    }

    /** A response of 200 to a request in text. */
    static String ok(String request) {
        StringBuilder response = new StringBuilder("SIP/2.0 200 OK\r\n");
        for (String line : request.split("\r\n", -1)) {
            if (line.startsWith("Via:")
                    || line.startsWith("From:")
                    || line.startsWith("Call-ID:")
                    || line.startsWith("CSeq:")) {
                response.append(line).append("\r\n");
            } else if (line.startsWith("To:")) {
                response.append(line).append(";tag=peer\r\n");
            }
        }
        return response.append("Content-Length: 0\r\n\r\n").toString();
    }

    static DatagramSocket datagrams() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    static void send(DatagramSocket socket, int port, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        socket.send(
                new DatagramPacket(
                        bytes,
                        bytes.length,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads one message without a body. */
    static String receive(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int b = in.read();
            if (b < 0) {
                throw new IOException(
                        "closed after: " + text.toString(StandardCharsets.ISO_8859_1));
            }
            text.write(b);
            matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
        }
        return text.toString(StandardCharsets.ISO_8859_1);
    }

    /** Closes before the test's end. */
    static void close(Socket socket) throws IOException {
        socket.close();
    }

    /** True when the peer has closed: nothing but the end comes. */
    static boolean closedByPeer(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }
}

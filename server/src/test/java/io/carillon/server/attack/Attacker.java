package io.carillon.server.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.net.websocket.FrameWriter;
import io.carillon.net.websocket.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * Sends bytes from a socket of its own, one character per byte, and says what came back. In the
 * text {@code %PORT%} stands for the port of that socket.
 */
final class Attacker {
    /** For what has to come. */
    private static final int PATIENCE_MILLIS = 20_000;

    /** For more, once something has come. */
    private static final int SILENCE_MILLIS = 50;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /**
     * @param responses all final ones; each once
     * @param closed the server closed the connection
     */
    record Outcome(List<String> responses, boolean closed) {
        int status() {
            return responses.isEmpty() ? 0 : Attacker.status(responses.getFirst());
        }
    }

    private Attacker() {}

    /** By udp, tcp, tls, ws or wss. */
    static Outcome over(RunningServer server, String transport, String message, int millis)
            throws IOException, GeneralSecurityException {
        int port = server.port(transport);
        return transport.equals("udp")
                ? udp(port, message, millis)
                : stream(
                        port,
                        transport.equals("tls") || transport.equals("wss"),
                        transport.startsWith("ws"),
                        message,
                        millis);
    }

    /**
     * Sends a datagram.
     *
     * @param millis how long to wait for a first answer
     */
    static Outcome udp(int server, String message, int millis) throws IOException {
        try (DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            byte[] bytes = bytes(message, socket.getLocalPort());
            socket.send(
                    new DatagramPacket(
                            bytes, bytes.length, InetAddress.getLoopbackAddress(), server));
            List<String> all = new ArrayList<>();
            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            while (true) {
                socket.setSoTimeout(all.isEmpty() ? millis : SILENCE_MILLIS);
                try {
                    socket.receive(packet);
                } catch (SocketTimeoutException silence) {
                    return new Outcome(all, false);
                }
                String text = new String(packet.getData(), 0, packet.getLength(), ISO_8859_1);
                if (status(text) >= 200 && !all.contains(text)) {
                    all.add(text);
                }
            }
        }
    }

    /**
     * Sends on a connection, and reads until a final response has come, or the server closes. When
     * the answer is 400, 413, 505 or 513 the server may close; it is given that time.
     */
    static Outcome tcp(int server, String message, int millis) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server)) {
            return stream(socket, bytes(message, socket.getLocalPort()), millis);
        }
    }

    /**
     * The same inside TLS, in one message of WebSocket, or in both; any certificate is believed.
     */
    static Outcome stream(int server, boolean tls, boolean webSocket, String message, int millis)
            throws IOException, GeneralSecurityException {
        try (Socket socket =
                tls
                        ? believing()
                                .getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), server)
                        : new Socket(InetAddress.getLoopbackAddress(), server)) {
            byte[] bytes = bytes(message, socket.getLocalPort());
            if (!webSocket) {
                return stream(socket, bytes, millis);
            }
            socket.getOutputStream().write(Upgrade.request("localhost", "/", Upgrade.newKey()));
            socket.setSoTimeout(PATIENCE_MILLIS);
            int matched = 0;
            while (matched < 4) {
                int b = socket.getInputStream().read();
                if (b < 0) {
                    throw new IOException("the upgrade was refused");
                }
                matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
            }
            ByteBuf frame =
                    FrameWriter.message(
                            UnpooledByteBufAllocator.DEFAULT, bytes, bytes.length, true);
            byte[] framed = new byte[frame.readableBytes()];
            frame.readBytes(framed);
            frame.release();
            return stream(socket, framed, millis);
        }
    }

    private static SSLContext believing() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }

    private static Outcome stream(Socket socket, byte[] bytes, int millis) throws IOException {
        socket.getOutputStream().write(bytes);
        StringBuilder text = new StringBuilder();
        boolean closed = false;
        byte[] buffer = new byte[65_535];
        InputStream in = socket.getInputStream();
        while (!closed) {
            socket.setSoTimeout(responses(text).isEmpty() ? millis : SILENCE_MILLIS);
            try {
                int n = in.read(buffer);
                closed = n < 0;
                text.append(new String(buffer, 0, Math.max(0, n), ISO_8859_1));
            } catch (SocketTimeoutException silence) {
                break;
            } catch (SocketException reset) {
                closed = true;
            }
        }
        return new Outcome(responses(text), closed);
    }

    /** All final responses in a stream. */
    private static List<String> responses(CharSequence stream) {
        List<String> all = new ArrayList<>();
        for (String part : stream.toString().split("(?=SIP/2\\.0 \\d{3} )")) {
            if (status(part) >= 200 && part.contains("\r\n\r\n") && !all.contains(part)) {
                all.add(part);
            }
        }
        return all;
    }

    private static int status(String text) {
        return text.startsWith("SIP/2.0 ") ? Integer.parseInt(text.substring(8, 11)) : 0;
    }

    private static byte[] bytes(String message, int port) {
        return message.replace("%PORT%", Integer.toString(port)).getBytes(ISO_8859_1);
    }

    /** Does an ordinary caller get an ordinary answer? */
    static boolean answers(RunningServer server) throws IOException {
        return udp(server.udp, options("UDP"), PATIENCE_MILLIS).status() == 200
                && tcp(server.tcp, options("TCP"), PATIENCE_MILLIS).status() == 200;
    }

    private static String options(String transport) {
        int number = NUMBERS.incrementAndGet();
        return """
        OPTIONS sip:someone@127.0.0.1 SIP/2.0
        Via: SIP/2.0/%s 127.0.0.1:%%PORT%%;branch=z9hG4bKcheck%d;rport
        Max-Forwards: 70
        From: <sip:check@localhost>;tag=check
        To: <sip:someone@127.0.0.1>
        Call-ID: check%d
        CSeq: 1 OPTIONS
        Content-Length: 0

        """
                .formatted(transport, number, number)
                .replace("\n", "\r\n");
    }
}

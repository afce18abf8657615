package io.carillon.server.http;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A caller of one call, on a datagram socket. One thread. */
final class SipCaller implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final DatagramSocket socket =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final int port;
    private int cseq;

    SipCaller(int port) throws IOException {
        this.port = port;
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** Calls and returns the tag of the other side. */
    String call() throws IOException {
        String ok = ask("INVITE", "");
        String tag = ok.replaceAll("(?s).*\nTo:[^\n]*;tag=([^;\\s]+).*", "$1");
        send("ACK", cseq, tag);
        return tag;
    }

    /** Sends a request and waits for its final response. */
    String ask(String method, String toTag) throws IOException {
        cseq++;
        send(method, cseq, toTag);
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            socket.receive(packet);
            String response =
                    new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
            if (!response.startsWith("SIP/2.0 1") && response.contains(" " + cseq + " " + method)) {
                return response;
            }
        }
    }

    private void send(String method, int number, String toTag) throws IOException {
        String own = "127.0.0.1:" + socket.getLocalPort();
        String to = "<sip:phone@127.0.0.1>" + (toTag.isEmpty() ? "" : ";tag=" + toTag);
        String request =
                method
                        + " sip:phone@127.0.0.1:%d SIP/2.0\r\n".formatted(port)
                        + "Via: SIP/2.0/UDP %s;branch=z9hG4bK%s%d\r\n"
                                .formatted(own, method, number)
                        + "Max-Forwards: 70\r\n"
                        + "From: <sip:caller@example.com>;tag=from\r\n"
                        + "To: %s\r\n".formatted(to)
                        + "Call-ID: converged\r\n"
                        + "CSeq: %d %s\r\n".formatted(number, method)
                        + "Contact: <sip:caller@%s>\r\n".formatted(own)
                        + "Content-Length: 0\r\n\r\n";
        byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
        socket.send(
                new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    @Override
    public void close() {
        socket.close();
    }
}

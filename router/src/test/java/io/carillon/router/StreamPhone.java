package io.carillon.router;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A phone on a connection: writes text, reads one message after the other. */
final class StreamPhone implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;

    StreamPhone(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = socket.getInputStream();
    }

    static StreamPhone connect(int port) throws IOException {
        return new StreamPhone(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    void says(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** The next message, its body included; what was read so far when the connection ends. */
    String hears() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int left = -1;
        while (left != 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            bytes.write(next);
            String text = bytes.toString(StandardCharsets.ISO_8859_1);
            if (left > 0) {
                left--;
            } else if (text.endsWith("\r\n\r\n")) {
                left = bodyLength(text);
            }
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private static int bodyLength(String head) {
        int at = head.indexOf("Content-Length: ") + "Content-Length: ".length();
        return Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
    }

    /** Has the other side ended the connection? */
    boolean ended() throws IOException {
        return in.read() < 0;
    }

    static String request(String method, String transport, String branch, String callId) {
        return method
                + " sip:bob@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/"
                + transport
                + " 192.0.2.50:5099;branch=z9hG4bK"
                + branch
                + "\r\nMax-Forwards: 70\r\nFrom: <sip:alice@example.com>;tag=a1\r\n"
                + "To: <sip:bob@example.com>\r\nCall-ID: "
                + callId
                + "\r\nCSeq: 1 "
                + method
                + "\r\nContact: <sip:alice@192.0.2.50:5099;transport=tcp>\r\n"
                + "Content-Length: 0\r\n\r\n";
    }

    /** A response to a request that was heard. */
    static String answer(int status, String request) {
        StringBuilder answer = new StringBuilder("SIP/2.0 " + status + " Answer\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|From|To|Call-ID|CSeq):.*"))
                .forEach(line -> answer.append(line).append("\r\n"));
        return answer + "Content-Length: 0\r\n\r\n";
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

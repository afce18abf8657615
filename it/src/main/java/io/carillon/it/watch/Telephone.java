package io.carillon.it.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls the application under edit over UDP, one request after the other. One thread. */
final class Telephone implements AutoCloseable {
    private static final int T1_MILLIS = 500;
    private static final int TRIES = 8;

    private final DatagramSocket socket;
    private final InetSocketAddress server;
    private int calls;

    Telephone(int serverPort) throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        this.socket = new DatagramSocket(0, loopback);
        this.server = new InetSocketAddress(loopback, serverPort);
        socket.setSoTimeout(T1_MILLIS);
    }

    /** A call, from its INVITE on. */
    final class Call {
        private final String id = "watch-" + ++calls + "-" + System.nanoTime();
        private String to = "<sip:edited@127.0.0.1>";
        private int cseq;
        private int version;

        /** The version that answered first. */
        int version() {
            return version;
        }

        private String text(String method, int number) {
            return method
                    + " sip:edited@127.0.0.1:"
                    + server.getPort()
                    + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:"
                    + socket.getLocalPort()
                    + ";branch=z9hG4bK-"
                    + id
                    + "-"
                    + method
                    + number
                    + "\r\nFrom: <sip:dev@127.0.0.1>;tag="
                    + id
                    + "\r\nTo: "
                    + to
                    + "\r\nCall-ID: "
                    + id
                    + "\r\nCSeq: "
                    + number
                    + " "
                    + method
                    + "\r\nMax-Forwards: 70\r\nContact: <sip:dev@127.0.0.1:"
                    + socket.getLocalPort()
                    + ">\r\nContent-Length: 0\r\n\r\n";
        }

        /** Sends a request of the call; the version that answered it. */
        int ask(String method) throws IOException {
            cseq++;
            String answer = exchange(text(method, cseq), id, cseq + " " + method);
            if (!answer.startsWith("SIP/2.0 200 ")) {
                String retryAfter = header(answer, "Retry-After");
                throw new IOException(
                        method
                                + " got "
                                + answer.lines().findFirst().orElse("")
                                + (retryAfter.isEmpty()
                                        ? ""
                                        : ", Retry-After: " + retryAfter + " s"));
            }
            if (method.equals("INVITE")) {
                to = header(answer, "To");
                send(text("ACK", cseq));
            }
            return Integer.parseInt(header(answer, "X-Version"));
        }
    }

    /** Calls; the call is up. */
    Call call() throws IOException {
        Call call = new Call();
        call.version = call.ask("INVITE");
        return call;
    }

    private String exchange(String request, String callId, String cseq) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            send(request);
            String answer = receive(callId, cseq);
            if (!answer.isEmpty()) {
                return answer;
            }
        }
        throw new IOException("no answer to " + request.lines().findFirst().orElse(""));
    }

    private void send(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, server));
    }

    /** A final response; empty where none comes in time. */
    private String receive(String callId, String cseq) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        try {
            while (true) {
                socket.receive(packet);
                String text = new String(packet.getData(), 0, packet.getLength(), UTF_8);
                boolean ours =
                        text.startsWith("SIP/2.0 ")
                                && !text.startsWith("SIP/2.0 1")
                                && header(text, "Call-ID").equals(callId)
                                && header(text, "CSeq").equals(cseq);
                if (ours) {
                    return text;
                }
                packet.setLength(65_535);
            }
        } catch (SocketTimeoutException e) {
            return ""; // it is sent again
        }
    }

    private static String header(String text, String name) {
        Matcher found = Pattern.compile("(?im)^" + name + ":\\s*(.*?)\\s*$").matcher(text);
        return found.find() ? found.group(1) : "";
    }

    @Override
    public void close() {
        socket.close();
    }
}

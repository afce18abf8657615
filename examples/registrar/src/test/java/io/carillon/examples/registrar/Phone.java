package io.carillon.examples.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.AuthHeader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A phone on a UDP socket of the loopback interface that registers with digest. */
final class Phone implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;
    private final DatagramSocket socket;
    private final InetSocketAddress server;
    private final String user;
    private final String password;
    private final String algorithm;
    private DigestClient digest;
    private int cseq;
    final String callId;

    Phone(InetSocketAddress server, String user, String password, String algorithm)
            throws IOException {
        this.server = server;
        this.user = user;
        this.password = password;
        this.algorithm = algorithm;
        this.socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0));
        this.callId = user + "-" + System.nanoTime();
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    String contact() {
        return "sip:" + user + "@127.0.0.1:" + socket.getLocalPort();
    }

    /** The final answer; a challenge is answered once. */
    String register(String... headers) throws Exception {
        String answer = ask("REGISTER sip:127.0.0.1", headers);
        if (answer.startsWith("SIP/2.0 401")) {
            Matcher challenge =
                    Pattern.compile(
                                    "WWW-Authenticate: (Digest [^\r]*algorithm="
                                            + algorithm
                                            + "(?![-\\w])[^\r]*)")
                            .matcher(answer);
            if (!challenge.find()) {
                throw new AssertionError("no challenge for " + algorithm + " in " + answer);
            }
            digest = DigestClient.of(AuthHeader.parse(challenge.group(1)), user, password);
            answer = ask("REGISTER sip:127.0.0.1", headers);
        }
        return answer;
    }

    private String ask(String line, String... headers) throws Exception {
        send(line, ++cseq, headers);
        return receive();
    }

    void send(String line, int number, String... headers) throws Exception {
        String method = line.substring(0, line.indexOf(' '));
        StringBuilder text = new StringBuilder(line).append(" SIP/2.0\r\n");
        text.append("Via: SIP/2.0/UDP 127.0.0.1:")
                .append(socket.getLocalPort())
                .append(";branch=z9hG4bK")
                .append(Long.toHexString(System.nanoTime()))
                .append("\r\nMax-Forwards: 70\r\nFrom: <sip:")
                .append(user)
                .append("@127.0.0.1>;tag=a\r\nTo: <sip:")
                .append(method.equals("REGISTER") ? user + "@127.0.0.1" : "bob@127.0.0.1")
                .append(">\r\nCall-ID: ")
                .append(callId)
                .append("\r\nCSeq: ")
                .append(number)
                .append(' ')
                .append(method)
                .append("\r\n");
        if (digest != null && method.equals("REGISTER")) {
            text.append("Authorization: ")
                    .append(digest.answer(method, "sip:127.0.0.1", new byte[0], "c0ffee"))
                    .append("\r\n");
        }
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        byte[] bytes = text.append("Content-Length: 0\r\n\r\n").toString().getBytes(UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, server));
    }

    void reply(String request, int status) throws IOException {
        StringBuilder text = new StringBuilder("SIP/2.0 " + status + " Test\r\n");
        for (String line : request.split("\r\n")) {
            if (line.matches("(Via|From|To|Call-ID|CSeq|Record-Route): .*")) {
                text.append(line)
                        .append(line.startsWith("To: ") ? ";tag=t" + user : "")
                        .append("\r\n");
            }
        }
        byte[] bytes = text.append("Content-Length: 0\r\n\r\n").toString().getBytes(UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, server));
    }

    /** The next message; 100s are skipped. */
    String receive() throws IOException {
        byte[] buffer = new byte[65_535];
        while (true) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                throw new AssertionError(user + " waited in vain", e);
            }
            String text = new String(buffer, 0, packet.getLength(), UTF_8);
            if (!text.startsWith("SIP/2.0 100")) {
                return text;
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}

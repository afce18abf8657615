package io.carillon.server.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows of the table of what waits that are filled at the running server, whose bounds are made
 * small: what a stranger sends, what he gets, the metric, and that nothing is left.
 */
final class WaitingFillers {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final String BOTH = "udp:127.0.0.1:0, tcp:127.0.0.1:0";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Path folder;

    WaitingFillers(Path folder) {
        this.folder = folder;
    }

    private static byte[] message(String line, String transport, String id, String more) {
        String method = line.substring(0, line.indexOf(' '));
        return """
        %s SIP/2.0
        Via: SIP/2.0/%s 127.0.0.1;branch=z9hG4bK%s%s;rport
        Max-Forwards: 70
        From: <sip:a@127.0.0.1>;tag=%s
        To: <sip:uas@127.0.0.1>%s
        Call-ID: %s
        CSeq: %d %s
        Contact: <sip:a@127.0.0.1:9>
        """
                .formatted(
                        line,
                        transport,
                        method,
                        id,
                        id,
                        more,
                        id,
                        method.equals("BYE") ? 2 : 1,
                        method)
                .replace("\n", "\r\n")
                .getBytes(ISO_8859_1);
    }

    private static byte[] end(byte[] head) {
        return (new String(head, ISO_8859_1) + "Content-Length: 0\r\n\r\n").getBytes(ISO_8859_1);
    }

    private static byte[] options(String id) {
        return end(message("OPTIONS sip:uas@127.0.0.1", "TCP", id, ""));
    }

    private static Socket connect(RunningServer server) throws IOException {
        Socket socket = new Socket(HERE, server.tcp);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Connections over the limit are closed, those there are stay. */
    void connections() throws Exception {
        RunningServer server = new RunningServer(folder, "tcp: {max-connections: 3}\n", BOTH);
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                Socket socket = connect(server);
                open.add(socket);
                socket.getOutputStream().write(options("c" + i));
                assertThat(socket.getInputStream().read()).isEqualTo('S');
            }
            try (Socket more = connect(server)) {
                assertThat(more.getInputStream().read()).as("closed").isEqualTo(-1);
            } catch (IOException reset) {
                assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
            }
            assertThat(server.metric("net_closed_too_many")).isEqualTo(1);
            assertThat(server.metric("net_connections_open")).isEqualTo(3);
            open.getFirst().getOutputStream().write(options("again"));
            closeAll(open);
            await().atMost(LONG).until(() -> server.metric("net_connections_open") == 0);
        } finally {
            closeAll(open);
            server.close();
        }
    }

    /** Halves of messages on many connections hold no more than all together may. */
    void unfinishedMessages() throws Exception {
        RunningServer server =
                new RunningServer(folder, "guard: {unfinished-messages: 1 MiB}\n", BOTH);
        byte[] half =
                (new String(message("MESSAGE sip:uas@127.0.0.1", "TCP", "half", ""), ISO_8859_1)
                                + "Content-Length: 64000\r\n\r\n"
                                + "x".repeat(50_000))
                        .getBytes(ISO_8859_1);
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = connect(server);
                open.add(socket);
                try {
                    socket.getOutputStream().write(half);
                } catch (IOException closed) {
                    // it had no room, as is wanted
                }
                assertThat(server.metric("net_stream_bytes_waiting"))
                        .isLessThanOrEqualTo((1 << 20) + 65_535);
            }
            await().atMost(LONG).until(() -> server.metric("net_closed_unfinished_messages") > 0);
            closeAll(open);
            await().atMost(LONG).until(() -> server.metric("net_stream_bytes_waiting") == 0);
        } finally {
            closeAll(open);
            server.close();
        }
    }

    /** Who asks and does not read what he asked for loses his connection. */
    void deafPeer() throws Exception {
        RunningServer server = new RunningServer(folder, "tcp: {write-queue: 64 KiB}\n", BOTH);
        String large = ";x=" + "y".repeat(15_000);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(HERE, server.tcp));
            try {
                for (int i = 0; i < 3000; i++) {
                    deaf.getOutputStream()
                            .write(
                                    end(
                                            message(
                                                    "OPTIONS sip:uas@127.0.0.1",
                                                    "TCP",
                                                    "deaf" + i,
                                                    large)));
                }
            } catch (IOException closed) {
                // as is wanted
            }
            await().atMost(LONG).until(() -> server.metric("net_closed_write_queue_full") > 0);
            await().atMost(LONG).until(() -> server.metric("net_stream_bytes_unsent") == 0);
            try (Socket other = connect(server)) {
                other.getOutputStream().write(options("other"));
                assertThat(other.getInputStream().read()).isEqualTo('S');
            }
        } finally {
            server.close();
        }
    }

    /** Sends a request by UDP and gives the final answer. */
    private static String ask(DatagramSocket peer, RunningServer server, byte[] request)
            throws IOException {
        peer.send(new DatagramPacket(request, request.length, HERE, server.udp));
        String answer;
        do {
            answer = receive(peer);
        } while (answer.startsWith("SIP/2.0 1") || !answer.contains(callId(request)));
        return answer;
    }

    private static String callId(byte[] request) {
        String text = new String(request, ISO_8859_1);
        int from = text.indexOf("Call-ID: ");
        String callId = text.substring(from, text.indexOf('\r', from));
        int method = text.indexOf("CSeq: ");
        return callId + "\r\n" + text.substring(method, text.indexOf('\r', method)) + "\r";
    }

    private static String receive(DatagramSocket peer) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        peer.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), ISO_8859_1);
    }

    private static byte[] call(String method, int number, String toTag) {
        return end(message(method + " sip:uas@127.0.0.1", "UDP", "call" + number, toTag));
    }

    /** A call beyond the number of application sessions is refused. */
    void applicationSessions() throws Exception {
        RunningServer server = new RunningServer(folder, "sessions: {max: 3}\n", BOTH);
        try (DatagramSocket peer = new DatagramSocket(0, HERE)) {
            peer.setSoTimeout(20_000);
            List<String> tags = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String answer = ask(peer, server, call("INVITE", i, ""));
                assertThat(answer).startsWith("SIP/2.0 200 ");
                tags.add(answer.replaceAll("(?s).*\r\nTo: [^\r]*(;tag=[^;\r]*).*", "$1"));
                byte[] ack = call("ACK", i, tags.get(i));
                peer.send(new DatagramPacket(ack, ack.length, HERE, server.udp));
            }
            assertThat(ask(peer, server, call("INVITE", 3, "")))
                    .startsWith("SIP/2.0 503 ")
                    .contains("Retry-After: ");
            assertThat(server.metric("applications_refused")).isEqualTo(1);
            assertThat(server.metric("application_sessions")).isEqualTo(3);
            for (int i = 0; i < 3; i++) {
                assertThat(ask(peer, server, call("BYE", i, tags.get(i))))
                        .startsWith("SIP/2.0 200 ");
            }
            await().atMost(LONG).until(() -> server.metric("application_sessions") == 0);
        } finally {
            server.close();
        }
    }

    /**
     * Requests beyond the number of transactions are refused; with their time over all are gone.
     */
    void transactions() throws Exception {
        RunningServer server =
                new RunningServer(
                        folder,
                        "",
                        BOTH,
                        ", max-transactions: 1000, t1: 50 ms, t2: 100 ms, t4: 100 ms");
        try (DatagramSocket peer = new DatagramSocket(0, HERE)) {
            peer.setSoTimeout(20_000);
            Set<String> statuses = new HashSet<>();
            // Forty at a time: with one after the other a slow machine never has so many.
            for (int i = 0; i < 50 && !statuses.contains("503"); i++) {
                for (int j = 0; j < 40; j++) {
                    byte[] request =
                            end(
                                    message(
                                            "OPTIONS sip:uas@127.0.0.1",
                                            "UDP",
                                            "many" + i + "-" + j,
                                            ""));
                    peer.send(new DatagramPacket(request, request.length, HERE, server.udp));
                }
                for (int j = 0; j < 40; j++) {
                    String answer = receive(peer);
                    String status = answer.substring(8, 11);
                    statuses.add(status);
                    if (status.equals("503")) {
                        assertThat(answer).contains("Retry-After: ");
                    }
                }
                assertThat(server.metric("transactions")).isLessThanOrEqualTo(1000);
            }
            assertThat(statuses).containsExactlyInAnyOrder("200", "503");
            assertThat(server.metric("sip_refused_full")).isPositive();
            await().atMost(LONG).until(() -> server.metric("transactions") == 0);
        } finally {
            server.close();
        }
    }

    /** The names of all metrics of a server that has done nothing. */
    Set<String> names() throws Exception {
        RunningServer server = new RunningServer(folder, "", BOTH);
        try {
            return server.metrics().keySet();
        } finally {
            server.close();
        }
    }
}

package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The probe on a socket, which is its subject. */
@Timeout(60)
class AnswerProbeTest {
    @Test
    void asksAndCountsEachAnswerOnce() throws IOException {
        try (DatagramSocket peer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
                AnswerProbe probe = AnswerProbe.start(address(peer))) {
            DatagramPacket first = receive(peer);
            DatagramPacket second = receive(peer);
            assertThat(text(first))
                    .startsWith("OPTIONS sip:")
                    .contains("Max-Forwards: 0\r\n")
                    .endsWith("\r\n\r\n");
            assertThat(probe.count()).isZero();

            answer(peer, second);
            answer(peer, second);
            answer(peer, first);
            while (probe.count() < 2) {
                receive(peer);
            }
            receive(peer);

            assertThat(probe.count()).isEqualTo(2);
            assertThat(probe.takeLongestNanos()).isPositive();
            assertThat(probe.lost()).isZero();
        }
    }

    @Test
    void whatIsNoAnswerIsNotTaken() throws IOException {
        try (DatagramSocket peer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
                AnswerProbe probe = AnswerProbe.start(address(peer))) {
            DatagramPacket question = receive(peer);
            byte[] other =
                    "SIP/2.0 200 OK\r\nCall-ID: x-0@probe\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1);
            peer.send(new DatagramPacket(other, other.length, question.getSocketAddress()));
            receive(peer);
            receive(peer);

            assertThat(probe.count()).isZero();
            assertThat(probe.fault()).isEmpty();
        }
    }

    private static InetSocketAddress address(DatagramSocket socket) {
        return new InetSocketAddress("127.0.0.1", socket.getLocalPort());
    }

    private static DatagramPacket receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        socket.receive(packet);
        return packet;
    }

    private static String text(DatagramPacket packet) {
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    private static void answer(DatagramSocket socket, DatagramPacket question) throws IOException {
        String answer = text(question).replaceFirst("OPTIONS [^\r]*", "SIP/2.0 483 Too Many Hops");
        byte[] bytes = answer.getBytes(StandardCharsets.ISO_8859_1);
        socket.send(new DatagramPacket(bytes, bytes.length, question.getSocketAddress()));
    }
}

package io.carillon.server.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads the file with a parser of its own, checksums included. */
class CaptureFileTest {
    private record Packet(
            long micros,
            int version,
            int protocol,
            String from,
            String to,
            long sequence,
            long acknowledged,
            String payload) {}

    private static List<Packet> read(byte[] file) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(file);
        assertThat(in.getInt()).isEqualTo(0xa1b2c3d4);
        assertThat(in.getShort()).isEqualTo((short) 2);
        assertThat(in.getShort()).isEqualTo((short) 4);
        assertThat(in.getLong()).isZero();
        assertThat(in.getInt()).isGreaterThanOrEqualTo(65_535);
        assertThat(in.getInt()).as("LINKTYPE_RAW").isEqualTo(101);
        List<Packet> packets = new ArrayList<>();
        while (in.hasRemaining()) {
            long micros = in.getInt() * 1_000_000L + in.getInt();
            int length = in.getInt();
            assertThat(in.getInt()).isEqualTo(length);
            byte[] packet = new byte[length];
            in.get(packet);
            packets.add(packet(micros, ByteBuffer.wrap(packet)));
        }
        return packets;
    }

    private static Packet packet(long micros, ByteBuffer ip) throws Exception {
        int version = (ip.get(0) & 0xff) >> 4;
        int protocol;
        byte[] source = new byte[version == 4 ? 4 : 16];
        byte[] destination = source.clone();
        if (version == 4) {
            assertThat(ip.getShort(2) & 0xffff).isEqualTo(ip.capacity());
            assertThat(sum(ip.slice(0, 20), 0)).as("checksum of the IP header").isEqualTo(0xffff);
            protocol = ip.get(9);
            ip.get(12, source).get(16, destination).position(20);
        } else {
            assertThat(ip.getShort(4) & 0xffff).isEqualTo(ip.capacity() - 40);
            protocol = ip.get(6);
            ip.get(8, source).get(24, destination).position(40);
        }
        ByteBuffer segment = ip.slice();
        long pseudo = protocol + segment.capacity();
        pseudo += sum(ByteBuffer.wrap(source), 0) + sum(ByteBuffer.wrap(destination), 0);
        assertThat(sum(segment, pseudo)).as("checksum of the segment").isEqualTo(0xffff);
        int head = 8;
        long sequence = 0;
        long acknowledged = 0;
        if (protocol == 6) {
            head = (segment.get(12) >> 4 & 0xf) * 4;
            sequence = segment.getInt(4) & 0xffffffffL;
            acknowledged = segment.getInt(8) & 0xffffffffL;
        } else {
            assertThat(segment.getShort(4) & 0xffff).isEqualTo(segment.capacity());
        }
        byte[] payload = new byte[segment.capacity() - head];
        segment.get(head, payload);
        return new Packet(
                micros,
                version,
                protocol,
                InetAddress.getByAddress(source).getHostAddress()
                        + " "
                        + (segment.getShort(0) & 0xffff),
                InetAddress.getByAddress(destination).getHostAddress()
                        + " "
                        + (segment.getShort(2) & 0xffff),
                sequence,
                acknowledged,
                new String(payload, StandardCharsets.UTF_8));
    }

    private static int sum(ByteBuffer bytes, long start) {
        long sum = start;
        for (int i = 0; i < bytes.capacity(); i++) {
            int b = bytes.get(i) & 0xff;
            sum += i % 2 == 0 ? b << 8 : b;
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return (int) sum;
    }

    private static CallTrace call(TraceEvent... events) {
        return new CallTrace("x", List.of("x"), List.of(), "n", false, List.of(events));
    }

    @Test
    void eachMessageIsOnePacketWithItsTimeAddressesAndBytes() throws Exception {
        List<Packet> packets = read(CaptureFile.of(List.of(SampleEvents.call())));

        assertThat(packets).hasSize(5);
        Packet first = packets.getFirst();
        assertThat(first.micros).isEqualTo(SampleEvents.BEGAN);
        assertThat(first.protocol).isEqualTo(17);
        assertThat(first.from).isEqualTo("10.0.1.1 5060");
        assertThat(first.to).isEqualTo("10.0.0.1 5060");
        assertThat(first.payload).startsWith("INVITE sip:bob@10.0.0.1 SIP/2.0\r\n");
        Packet second = packets.get(1);
        assertThat(second.protocol).as("TLS in the clear is UDP").isEqualTo(17);
        assertThat(second.from).isEqualTo("10.0.0.1 5060");
        assertThat(second.to).isEqualTo("10.0.1.2 5060");
    }

    @Test
    void aStreamsSegmentsFollowEachOther() throws Exception {
        String request = SampleEvents.request("OPTIONS", "");
        String response = SampleEvents.response(200, "OK", "OPTIONS");
        List<Packet> packets =
                read(
                        CaptureFile.of(
                                List.of(
                                        call(
                                                SampleEvents.received(
                                                        1,
                                                        0,
                                                        "x",
                                                        request,
                                                        "TCP",
                                                        "10.0.1.1:40000"),
                                                SampleEvents.message(
                                                        2,
                                                        1,
                                                        "x",
                                                        response,
                                                        "TCP",
                                                        "10.0.1.1:40000",
                                                        false,
                                                        false),
                                                SampleEvents.received(
                                                        3,
                                                        2,
                                                        "x",
                                                        request,
                                                        "TCP",
                                                        "10.0.1.1:40000")))));

        assertThat(packets).extracting(Packet::protocol).containsOnly(6);
        assertThat(packets.get(1).acknowledged - packets.get(0).sequence)
                .isEqualTo(request.length());
        assertThat(packets.get(2).sequence).isEqualTo(packets.get(1).acknowledged);
        assertThat(packets.get(2).acknowledged - packets.get(1).sequence)
                .isEqualTo(response.length());
    }

    @Test
    void addressesOfTheNewKindAndOddLengthsAndOneWithoutAnAddress() throws Exception {
        String odd = SampleEvents.request("OPTIONS", "X: 1\r\n");
        TraceEvent six = SampleEvents.received(1, 0, "x", odd, "UDP", "[2001:db8::7]:5070");
        TraceEvent named =
                new TraceEvent(
                        2,
                        TraceEvent.time(1),
                        "x",
                        TraceEvent.Message.of(
                                false,
                                false,
                                "UDP",
                                "sip.example.com:5060",
                                "10.0.1.1:5060",
                                false,
                                new byte[] {(byte) 0xff, 1, 2}),
                        null,
                        null);
        List<Packet> packets = read(CaptureFile.of(List.of(call(six), call(named))));
        assertThat(packets.get(1).version).isEqualTo(6);
        assertThat(packets.get(1).from).isEqualTo("2001:db8:0:0:0:0:0:7 5070");
        assertThat(packets.get(1).to).isEqualTo("2001:db8:0:0:0:0:0:5 5060");
        assertThat(packets.get(0).from).isEqualTo("0.0.0.0 5060");
        assertThat(named.message().bytes())
                .as("not UTF-8")
                .isEqualTo(new byte[] {(byte) 0xff, 1, 2});
    }
}

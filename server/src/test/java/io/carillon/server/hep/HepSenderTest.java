package io.carillon.server.hep;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.TraceSettings;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A small collector that takes the chunks apart. */
class HepSenderTest {
    private static final byte[] INVITE =
            "INVITE sip:b SIP/2.0\r\nAuthorization: Basic c2VjcmV0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private static TraceSettings settings(String yaml) throws Exception {
        Configuration configuration =
                ConfigurationReader.read("test", "trace: {" + yaml + "}", null);
        return configuration.trace();
    }

    /** Values by type. */
    static Map<Integer, byte[]> chunks(byte[] datagram, int length) {
        ByteBuffer in = ByteBuffer.wrap(datagram, 0, length);
        byte[] magic = new byte[4];
        in.get(magic);
        assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("HEP3");
        assertThat(in.getShort() & 0xffff).isEqualTo(length);
        Map<Integer, byte[]> chunks = new TreeMap<>();
        while (in.hasRemaining()) {
            assertThat(in.getShort()).as("vendor").isZero();
            int type = in.getShort();
            byte[] value = new byte[(in.getShort() & 0xffff) - 6];
            in.get(value);
            assertThat(chunks.put(type, value)).isNull();
        }
        return chunks;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aMessageArrivesWithItsChunksAndWithoutItsSecrets() throws Exception {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("10.0.1.1"), 40_000);
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 5060);
        try (DatagramSocket collector = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                HepSender sender =
                        HepSender.start(
                                new HostPort("127.0.0.1", collector.getLocalPort()),
                                settings("hep-capture-id: 77, hep-key: pw, hep: udp:127.0.0.1:1"),
                                "node1",
                                () -> 5_000_000L,
                                () -> 1_700_000_000_123_456L)) {
            collector.setSoTimeout(20_000);
            Hop hop = new Hop(Transport.TCP, local, remote, 3);
            byte[] longer = Arrays.copyOf(INVITE, INVITE.length + 10);
            sender.offer("call-1", true, hop, null, 0, longer, INVITE.length, 4_000_000L);
            sender.offer(
                    "call-1",
                    false,
                    Hop.to(Transport.UDP, remote),
                    "10.0.0.9",
                    5070,
                    INVITE,
                    INVITE.length,
                    5_000_000L);

            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            collector.receive(packet);
            Map<Integer, byte[]> in = chunks(packet.getData(), packet.getLength());
            assertThat(in.get(HepPacket.FAMILY)).containsExactly(2);
            assertThat(in.get(HepPacket.PROTOCOL)).containsExactly(6);
            assertThat(in.get(HepPacket.IP4_SOURCE)).containsExactly(10, 0, 1, 1);
            assertThat(in.get(HepPacket.IP4_DESTINATION)).containsExactly(10, 0, 0, 1);
            assertThat(ByteBuffer.wrap(in.get(HepPacket.SOURCE_PORT)).getShort() & 0xffff)
                    .isEqualTo(40_000);
            assertThat(ByteBuffer.wrap(in.get(HepPacket.DESTINATION_PORT)).getShort())
                    .isEqualTo((short) 5060);
            assertThat(ByteBuffer.wrap(in.get(HepPacket.SECONDS)).getInt())
                    .isEqualTo(1_700_000_000);
            assertThat(ByteBuffer.wrap(in.get(HepPacket.MICROSECONDS)).getInt())
                    .as("1 ms before now")
                    .isEqualTo(122_456);
            assertThat(in.get(HepPacket.PAYLOAD_KIND)).containsExactly(1);
            assertThat(ByteBuffer.wrap(in.get(HepPacket.CAPTURE_ID)).getInt()).isEqualTo(77);
            assertThat(text(in.get(HepPacket.KEY))).isEqualTo("pw");
            assertThat(text(in.get(HepPacket.NODE))).isEqualTo("node1");
            assertThat(text(in.get(HepPacket.CORRELATION))).isEqualTo("call-1");
            assertThat(text(in.get(HepPacket.PAYLOAD)))
                    .isEqualTo("INVITE sip:b SIP/2.0\r\nAuthorization: Basic*********\r\n\r\n");

            collector.receive(packet);
            Map<Integer, byte[]> out = chunks(packet.getData(), packet.getLength());
            assertThat(out.get(HepPacket.PROTOCOL)).containsExactly(17);
            assertThat(out.get(HepPacket.IP4_SOURCE)).containsExactly(10, 0, 0, 9);
            assertThat(ByteBuffer.wrap(out.get(HepPacket.SOURCE_PORT)).getShort())
                    .isEqualTo((short) 5070);
            assertThat(out.get(HepPacket.IP4_DESTINATION)).containsExactly(10, 0, 1, 1);
        }
    }

    @Test
    void addressesOfSixteenBytesHaveChunksOfTheirOwn() {
        byte[] packet =
                new HepPacket(
                                new byte[16],
                                1,
                                new byte[16],
                                2,
                                true,
                                1,
                                3,
                                null,
                                "n",
                                "c",
                                new byte[] {'x'})
                        .encode();
        Map<Integer, byte[]> chunks = chunks(packet, packet.length);
        assertThat(chunks.get(HepPacket.FAMILY)).containsExactly(10);
        assertThat(chunks).containsKeys(HepPacket.IP6_SOURCE, HepPacket.IP6_DESTINATION);
        assertThat(chunks).doesNotContainKeys(HepPacket.IP4_SOURCE, HepPacket.KEY);
    }

    @Test
    void whatFindsNoRoomIsDroppedAndCountedAndNobodyWaits() throws Exception {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("10.0.1.1"), 5060);
        Hop hop = Hop.to(Transport.UDP, remote);
        HepSender sender =
                HepSender.start(
                        new HostPort("127.0.0.1", 9),
                        settings("hep-queue: 16"),
                        "n",
                        () -> 0,
                        () -> 0);
        sender.close(); // nobody takes anything out any more
        for (int i = 0; i < 100; i++) {
            sender.offer("c", true, hop, null, 0, INVITE, INVITE.length, 0);
        }
        assertThat(sender.dropped()).isGreaterThanOrEqualTo(100 - 17);
        assertThat(sender.dropped() + sender.sent()).isLessThanOrEqualTo(100);
    }

    @Test
    void largeMessagesDoNotTakeTheMemoryOfManySmallOnes() throws Exception {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("10.0.1.1"), 5060);
        Hop hop = Hop.to(Transport.UDP, remote);
        HepSender sender =
                HepSender.start(
                        new HostPort("127.0.0.1", 9),
                        settings("hep-queue: 1000"),
                        "n",
                        () -> 0,
                        () -> 0);
        sender.close(); // nobody takes anything out any more
        byte[] large = Arrays.copyOf(INVITE, 60_000);
        for (int i = 0; i < 1000; i++) {
            sender.offer("c", true, hop, null, 0, large, large.length, 0);
        }
        // 1,000 messages of 2 KiB are as much as 34 of these.
        assertThat(sender.dropped()).isGreaterThanOrEqualTo(1000 - 35);
    }
}

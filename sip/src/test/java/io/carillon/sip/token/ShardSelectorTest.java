package io.carillon.sip.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShardSelectorTest {
    private static final int SHARDS = 8;

    private static int shardOf(String text) {
        byte[] bytes = bytes(text);
        return ShardSelector.shardOf(bytes, bytes.length, SHARDS);
    }

    private static String request(String headers) {
        return "INVITE sip:bob@example.com SIP/2.0\n" + headers + "\n";
    }

    @Test
    void aResponseGoesWhereItsTopViaSays() {
        String branch = "z9hG4bK" + ShardToken.encode(5, 99);
        String other = "z9hG4bK" + ShardToken.encode(6, 99);
        assertThat(
                        shardOf(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 192.0.2.1;branch="
                                        + branch
                                        + "\nVia: SIP/2.0/UDP x;branch="
                                        + other
                                        + "\nCall-ID: a\n\n"))
                .isEqualTo(5);
        assertThat(
                        shardOf(
                                "SIP/2.0 200 OK\nv : SIP/2.0/UDP 192.0.2.1;rport ;\n Branch = "
                                        + branch
                                        + ".x, SIP/2.0/UDP y\nCall-ID: a\n\n"))
                .isEqualTo(5);
    }

    @Test
    void aForeignResponseGoesByItsCallId() {
        assertThat(
                        shardOf(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1\nCall-ID: abc\n\n"))
                .isEqualTo(ShardSelector.shardOf("abc", SHARDS));
    }

    @Test
    void aRequestGoesByRouteThenToTagThenCallId() {
        String tag = ShardToken.encode(4, 1);
        String route = ShardToken.encode(2, 1);
        String to =
                "To: \"a;tag=no <\" <sip:bob@example.com;tag="
                        + ShardToken.encode(7, 1)
                        + ">;x=1;tag="
                        + tag
                        + "\n";
        String routes =
                "Route: <sip:h:5060;lr;crl="
                        + route
                        + ">, <sip:o;crl="
                        + ShardToken.encode(1, 1)
                        + ">\n";
        assertThat(shardOf(request("Call-ID: abc\n" + to + routes))).isEqualTo(2);
        assertThat(shardOf(request("Call-ID: abc\n" + to))).isEqualTo(4);
        assertThat(shardOf(request("i: abc\nt: sip:bob@example.com;tag=" + tag + "\n")))
                .isEqualTo(4);
        assertThat(shardOf(request("To: <sip:bob@example.com>\nCALL-ID :  abc \n")))
                .isEqualTo(ShardSelector.shardOf("abc", SHARDS));
        assertThat(
                        shardOf(
                                request(
                                        "Route: <sip:foreign;lr>\nRoute: <sip:h;crl="
                                                + route
                                                + ">\nCall-ID: abc\n")))
                .as("only the top Route")
                .isEqualTo(ShardSelector.shardOf("abc", SHARDS));
    }

    @Test
    void aTokenOfMoreShardsThanThereAreFallsBackToTheHash() {
        assertThat(
                        shardOf(
                                request(
                                        "To: <sip:b@x>;tag="
                                                + ShardToken.encode(700, 1)
                                                + "\nCall-ID: abc\n")))
                .isEqualTo(ShardSelector.shardOf("abc", SHARDS));
    }

    @Test
    void initialRequestsSpreadEvenly() {
        int[] hits = new int[SHARDS];
        for (int i = 0; i < 80_000; i++) {
            hits[ShardSelector.shardOf(i + "-4711@192.0.2.1", SHARDS)]++;
        }
        for (int n : hits) {
            assertThat(n).isBetween(9_000, 11_000);
        }
    }

    @Test
    void garbageFindsSomeShardWithoutAnException() {
        Random random = new Random(3);
        String seedText =
                request(
                        "Via: SIP/2.0/UDP h;branch=z9hG4bKx\nTo: <sip:b@x>;tag=k0123456789abcdef\nCall-ID: abc\n");
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = bytes(seedText);
            for (int k = random.nextInt(8); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(bytes.length + 1);
            assertThat(ShardSelector.shardOf(bytes, length, SHARDS)).isBetween(0, SHARDS - 1);
        }
    }

    private static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}

package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.ShardSelector;
import io.carillon.sip.token.ShardToken;
import io.carillon.sip.token.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The kernel's choice is ours, wherever it finds what ours goes by. */
class SocketChoiceTest {
    private static final int NODE = 77;
    private static final int BY_ADDRESS = -1;

    private final Random random = new Random(11);

    private static String request(String padding, String to, String callId, String more) {
        return "OPTIONS sip:callee@127.0.0.1 SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKcall-1\r\n"
                + "Subject: "
                + padding
                + "\r\nFrom: <sip:caller@example.com>;tag=3\r\nTo: "
                + to
                + "\r\n"
                + callId
                + "\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\n"
                + more
                + "Content-Length: 0\r\n\r\n";
    }

    private int chosen(String message, int shards) {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        return FilterInterpreter.run(
                SocketChoice.program(OwnTokens.ofNode(NODE), shards), bytes, bytes.length);
    }

    private void asOurs(String message, int shards) {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(chosen(message, shards))
                .as(message)
                .isEqualTo(ShardSelector.shardOf(bytes, bytes.length, shards, NODE));
    }

    private String token(int shard) {
        return ShardToken.encode(NODE, shard, random.nextLong());
    }

    @Test
    void aRequestGoesByTheHashOfItsCallIdWhereverThatStands() {
        for (int padding = 0; padding < 300; padding++) {
            int shards = 2 + random.nextInt(9);
            String id = Long.toString(random.nextLong() >>> 1, 36).repeat(1 + padding % 4);
            for (String name : new String[] {"Call-ID: ", "call-id:", "CALL-ID: "}) {
                asOurs(request("x".repeat(padding), "<sip:callee@b>", name + id, ""), shards);
            }
        }
    }

    @Test
    void aRequestWithinADialogGoesByOurToTag() {
        for (int padding = 0; padding < 150; padding++) {
            int shards = 2 + random.nextInt(9);
            String to = "<sip:callee@b>;tag=" + token(random.nextInt(shards));
            asOurs(request("x".repeat(padding), to, "Call-ID: 1-77@h", ""), shards);
        }
    }

    @Test
    void aRequestGoesByTheRouteThatWeGave() {
        for (int padding = 0; padding < 200; padding++) {
            int shards = 2 + random.nextInt(9);
            String route = "Route: <sip:10.0.0.1;lr;crl=" + token(random.nextInt(shards)) + ">\r\n";
            asOurs(
                    request("x".repeat(padding), "<sip:b>;tag=theirs", "Call-ID: k@h", route),
                    shards);
        }
    }

    @Test
    void aResponseGoesByOurBranch() {
        for (int padding = 0; padding < 80; padding++) {
            int shards = 2 + random.nextInt(9);
            String branch = ShardToken.MAGIC_COOKIE + token(random.nextInt(shards));
            asOurs(
                    "SIP/2.0 200 "
                            + "k".repeat(padding)
                            + "\r\nVia: SIP/2.0/UDP 10.0.0.1:5060;branch="
                            + branch
                            + "\r\nFrom: <sip:a>;tag=1\r\nTo: <sip:b>;tag=2\r\nCall-ID: a7\r\n"
                            + "CSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n",
                    shards);
        }
    }

    @Test
    void tokensOfAnotherNodeAndWhatLooksLikeOneAreLeftAside() {
        for (int i = 0; i < 200; i++) {
            String foreign = ShardToken.encode(NODE + 1, i % 4, random.nextLong());
            String to = "<sip:b>;tag=" + (i % 2 == 0 ? foreign : "crln0xyz");
            String message = request("", to, "Call-ID: " + i + "@h", "");
            byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
            int ours = ShardSelector.shardOf(bytes, bytes.length, 4, NODE);
            assertThat(chosen(message, 4)).isEqualTo(ours);
        }
        String ofMoreShards = "<sip:b>;tag=" + token(9);
        asOurs(request("", ofMoreShards, "Call-ID: 5@h", ""), 4);
    }

    @Test
    void tokensOfAServerBeforeUsAreNotTakenForTheRequests() {
        for (int i = 0; i < 200; i++) {
            int shards = 4;
            String before =
                    request("p".repeat(i % 16), "<sip:b>", "Call-ID: " + token(i % 3) + "id", "")
                            .replace("z9hG4bKcall-1", ShardToken.MAGIC_COOKIE + token(i % 2))
                            .replace("tag=3", "tag=" + token(1));
            asOurs(before, shards);
            asOurs(before.replace("To: <sip:b>", "To: <sip:b>;tag=" + token(i % 4)), shards);
            asOurs(before.replace("Call-ID:", "Remote-Party-ID: <sip:c>\r\nCall-ID:"), shards);
        }
    }

    @Test
    void whatCannotBeReadGoesByItsAddress() {
        String far = "x".repeat(SocketChoice.REACH);
        assertThat(chosen(request(far, "<sip:b>", "Call-ID: 1@h", ""), 2)).isEqualTo(BY_ADDRESS);
        String longId = "Call-ID: " + "k".repeat(SocketChoice.LONGEST_CALL_ID + 1);
        assertThat(chosen(request("", "<sip:b>", longId, ""), 2)).isEqualTo(BY_ADDRESS);
        assertThat(chosen(request("", "<sip:b>", "i: 1@h", ""), 2)).isEqualTo(BY_ADDRESS);
        assertThat(chosen(request("", "<sip:b>", "Call-ID:  1@h", ""), 2)).isEqualTo(BY_ADDRESS);
        assertThat(chosen(request("", "<sip:b>", "Call-ID: ", ""), 2)).isEqualTo(BY_ADDRESS);
        String other = "P-Global-ID: 7\r\nCall-ID: 1@h";
        assertThat(chosen(request("", "<sip:b>", other, ""), 2)).isEqualTo(BY_ADDRESS);
        String response = "SIP/2.0 200 " + far + "\r\nCall-ID: 1@h\r\nCSeq: 1 OPTIONS\r\n\r\n";
        assertThat(chosen(response, 2)).isEqualTo(BY_ADDRESS);
        assertThat(chosen("", 2)).isEqualTo(BY_ADDRESS);
        assertThat(chosen("\r\n\r\n", 2)).isEqualTo(BY_ADDRESS);
    }

    @Test
    void aMessageCutAnywhereOrChangedAnywhereChoosesASocketOrNone() {
        long[] program = SocketChoice.program(OwnTokens.ofNode(NODE), 3);
        assertThat(program.length).isLessThanOrEqualTo(FilterProgram.MOST_INSTRUCTIONS);
        String route = "Route: <sip:10.0.0.1;lr;crl=" + token(2) + ">\r\n";
        for (String to : new String[] {"<sip:b>", "<sip:b>;tag=" + token(1)}) {
            byte[] whole =
                    request("", to, "Call-ID: 1-77@h", route).getBytes(StandardCharsets.ISO_8859_1);
            for (int length = 0; length <= whole.length; length++) {
                assertThat(FilterInterpreter.run(program, whole, length)).isBetween(-1, 2);
                byte[] changed = whole.clone();
                changed[Math.min(length, whole.length - 1)] = (byte) random.nextInt();
                assertThat(FilterInterpreter.run(program, changed, changed.length))
                        .isBetween(-1, 2);
            }
        }
    }

    // In a cluster

    private static final int LOOPS = 3;

    private static final OwnTokens CLUSTER = cluster(ClusterKeys.of(1, 2));

    private static OwnTokens cluster(ClusterKeys keys) {
        return OwnTokens.ofCluster(new ClusterPlace(NODE, keys, Ownership.ALONE, LOOPS, () -> 0));
    }

    private final Tokens tokens = tokens(CLUSTER);

    private Tokens tokens(OwnTokens own) {
        return new Tokens(own, 0, () -> true, random::nextLong, new OwnMarks(3, 4));
    }

    private static void asThePartition(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        int partition = CLUSTER.partitionOf(bytes, bytes.length);
        int chosen =
                FilterInterpreter.run(SocketChoice.program(CLUSTER, LOOPS), bytes, bytes.length);
        assertThat(chosen).as(message).isEqualTo(partition % LOOPS);
    }

    @Test
    void inAClusterTheSocketIsThatOfThePartition() {
        for (int i = 0; i < 300; i++) {
            String padding = "x".repeat(i % 70);
            int partition = random.nextInt(Ownership.PARTITIONS);
            String id = "Call-ID: " + Long.toString(random.nextLong() >>> 1, 36);
            asThePartition(request(padding, "<sip:b>", id, ""));
            asThePartition(request(padding, "<sip:b>;tag=" + tokens.tag(partition), id, ""));
            String route = "Route: <sip:h;lr;crl=" + tokens.route(partition, "c", 0) + ">\r\n";
            asThePartition(request(padding, "<sip:b>;tag=1", id, route));
            String uri = request(padding, "<sip:b>", id, "");
            asThePartition(
                    uri.replace(
                            "callee@127.0.0.1",
                            "callee@127.0.0.1:5060;crl=" + tokens.uri(partition)));
            asThePartition(
                    "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 10.0.0.1:5060;branch="
                            + tokens.branch(partition, i % 2)
                            + "\r\nFrom: <sip:a>;tag=1\r\nTo: <sip:b>;tag=2\r\n"
                            + id
                            + "\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n");
        }
    }

    @Test
    void aPathLeadsToTheSocketOfItsCallAndNotToOneForAll() {
        for (int i = 0; i < 100; i++) {
            String path = "Route: <sip:flow@h;lr;crp=" + tokens.path() + ">\r\n";
            asThePartition(request("", "<sip:b>", "Call-ID: " + i + "@h", path));
        }
    }

    @Test
    void tokensOfServersThatAreAloneAreNotFollowedInACluster() {
        for (int i = 0; i < 100; i++) {
            String to = "<sip:b>;tag=" + ShardToken.encode(NODE + 1, i % 4, random.nextLong());
            asThePartition(request("", to, "Call-ID: " + i + "@h", ""));
        }
    }

    @Test
    void theProgramOfAClusterFitsTheKernel() {
        for (int loops : new int[] {2, 3, 64, 1024}) {
            OwnTokens own =
                    OwnTokens.ofCluster(
                            new ClusterPlace(-1, ClusterKeys.of(1, 2), Ownership.ALONE, loops, () -> 0));
            int alone = SocketChoice.program(OwnTokens.ofNode(-1), loops).length;
            int program = SocketChoice.program(own, loops).length;
            assertThat(program).isLessThanOrEqualTo(FilterProgram.MOST_INSTRUCTIONS);
            assertThat(program).as("one for the partition of a Call-ID").isEqualTo(alone + 1);
        }
    }
}

package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.router.RouterWorld.In;
import io.carillon.sip.token.ShardToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The router's core: bytes in, bytes out. RFC 3261 16.11, with nodes as the other half. */
class ForwarderTest {
    private static final Pattern VIA =
            Pattern.compile(
                    "Via: SIP/2\\.0/UDP cluster\\.example\\.com:5060;branch=(\\S+);rport\r\n");

    private final RouterWorld world = new RouterWorld();

    private static String rfc(String name) throws IOException {
        try (InputStream file = ForwarderTest.class.getResourceAsStream("/rfc3261/" + name)) {
            return new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String branch(int partition, long chance) {
        return RouterWorld.TOKENS.branchOf(partition, chance, 0);
    }

    private static String request(String method, String branch, String more) {
        return method
                + " sip:bob@203.0.113.9:5062 SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP cluster.example.com:5060;branch="
                + branch
                + ";rport\r\n"
                + "Max-Forwards: 70\r\n"
                + "From: <sip:alice@example.com>;tag=1\r\nTo: <sip:bob@example.com>\r\n"
                + "Call-ID: abc@cluster\r\nCSeq: 1 "
                + method
                + "\r\n"
                + more
                + "Content-Length: 0\r\n\r\n";
    }

    private String sentBranch() {
        Matcher via = VIA.matcher(world.lastOut().text());
        assertThat(via.find()).as(world.lastOut().text()).isTrue();
        return via.group(1);
    }

    /** The answer of somebody who repeats all Vias. */
    private static String answer(int status, String request) {
        StringBuilder answer = new StringBuilder("SIP/2.0 " + status + " Answer\r\n");
        for (String line : request.split("\r\n", -1)) {
            if (line.matches("(Via|From|To|Call-ID|CSeq):.*")) {
                answer.append(line).append("\r\n");
            }
        }
        return answer.append("Content-Length: 0\r\n\r\n").toString();
    }

    @Test
    void aRequestReachesItsOwnerByteForByteWithItsSource() throws IOException {
        world.nodes(1, 2, 3);
        world.spread(1, 2, 3);
        for (String name :
                List.of("0015_s24.2_INVITE.sip", "0026_s24.2_ACK.sip", "0027_s24.2_BYE.sip")) {
            String message = rfc(name);
            world.fromOutside(RouterWorld.PHONE, message);
            In got = world.lastIn();
            assertThat(got.text()).isEqualTo(message);
            assertThat(got.from()).isEqualTo(RouterWorld.PHONE);
            assertThat(got.local()).isEqualTo(RouterWorld.PUBLIC);
        }
        // One call, one node: hash of its Call-ID.
        assertThat(world.in.stream().map(In::node).distinct()).hasSize(1);
        assertThat(world.in.stream().map(In::partition).distinct()).hasSize(1);
        assertThat(world.count(RouterCounter.TO_OWNER)).isEqualTo(3);
    }

    @Test
    void lineBreaksBeforeARequestAreIgnored() throws IOException {
        world.nodes(1);
        world.spread(1);
        String message = rfc("0015_s24.2_INVITE.sip");
        world.fromOutside(RouterWorld.PHONE, "\r\n\r\n" + message);
        assertThat(world.lastIn().text()).isEqualTo(message);
        world.fromOutside(RouterWorld.PHONE, message);
        assertThat(world.in.getFirst().partition()).isEqualTo(world.lastIn().partition());
    }

    @Test
    void aNodesRequestLeavesWithTheRoutersViaOnTop() {
        world.nodes(1);
        String request = request("INVITE", branch(77, 1), "");
        world.nodes.get(1).sends(77, RouterWorld.CALLEE, request);
        assertThat(world.lastOut().to()).isEqualTo(RouterWorld.CALLEE);
        String sent = world.lastOut().text();
        Matcher via = VIA.matcher(sent);
        assertThat(via.find()).isTrue();
        // Directly above the node's Via, and else nothing is different: Max-Forwards is the node's.
        assertThat(sent.substring(via.end())).startsWith("Via: SIP/2.0/UDP");
        assertThat(sent.substring(0, via.start()) + sent.substring(via.end())).isEqualTo(request);
    }

    @Test
    void repeatsCancelAndAckToARefusalHaveTheSameBranch() {
        world.nodes(1, 2);
        String nodes = branch(77, 1);
        world.nodes.get(1).sends(77, RouterWorld.CALLEE, request("INVITE", nodes, ""));
        String first = sentBranch();
        world.nodes.get(1).sends(77, RouterWorld.CALLEE, request("INVITE", nodes, ""));
        assertThat(sentBranch()).isEqualTo(first);
        // Another node after a take-over, which repeats the INVITE's Via.
        world.nodes.get(2).sends(77, RouterWorld.CALLEE, request("CANCEL", nodes, ""));
        assertThat(sentBranch()).isEqualTo(first);
        world.nodes.get(2).sends(77, RouterWorld.CALLEE, request("ACK", nodes, ""));
        assertThat(sentBranch()).isEqualTo(first);
        world.nodes.get(1).sends(77, RouterWorld.CALLEE, request("BYE", branch(77, 2), ""));
        assertThat(sentBranch()).isNotEqualTo(first);
        assertThat(first).startsWith(ShardToken.MAGIC_COOKIE);
    }

    @Test
    void aResponseLosesTheRoutersViaAndReachesTheOwnerOfTheRequest() {
        world.nodes(1, 2, 3);
        world.spread(1, 2, 3);
        for (int partition = 0; partition < 1024; partition += 13) {
            String request = request("INVITE", branch(partition, partition), "");
            world.nodes.get(1).sends(partition, RouterWorld.CALLEE, request);
            world.fromOutside(RouterWorld.CALLEE, answer(200, world.lastOut().text()));
            assertThat(world.lastIn().node()).isEqualTo(1 + partition % 3);
            assertThat(world.lastIn().partition()).isEqualTo(partition);
            assertThat(world.lastIn().text()).isEqualTo(answer(200, request));
        }
    }

    @Test
    void itsViaIsFoundInAListInAFoldedLineAndByItsCompactName() {
        world.nodes(1);
        world.spread(1);
        String request = request("INVITE", branch(5, 1), "");
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, request);
        String router = "SIP/2.0/UDP cluster.example.com:5060;branch=" + sentBranch();
        String node = "SIP/2.0/UDP cluster.example.com:5060;branch=" + branch(5, 1);
        String rest = "Call-ID: abc@cluster\r\n\r\n";
        String start = "SIP/2.0 200 OK\r\n";
        Map<String, String> forms =
                Map.of(
                        start + "Via: " + router + ";rport=5060, " + node + "\r\n" + rest,
                        start + "Via: " + node + "\r\n" + rest,
                        start + "v:" + router + "\r\nv: " + node + "\r\n" + rest,
                        start + "v: " + node + "\r\n" + rest,
                        start
                                + "Via: "
                                + router
                                + "\r\n ;rport=5060\r\nVia: "
                                + node
                                + "\r\n"
                                + rest,
                        start + "Via: " + node + "\r\n" + rest,
                        start + "Server: x\r\nVIA : " + router + ",\r\n " + node + "\r\n" + rest,
                        start + "Server: x\r\nVIA : " + node + "\r\n" + rest);
        forms.forEach((from, to) -> {
            world.fromOutside(RouterWorld.CALLEE, from);
            assertThat(world.lastIn().text()).isEqualTo(to);
        });
        assertThat(world.in).hasSize(forms.size());
    }

    @Test
    void aResponseToNoRequestOfOursIsSilentlyDiscarded() throws IOException {
        world.nodes(1);
        world.spread(1);
        for (String name :
                List.of("0022_s24.2_180.sip", "0023_s24.2_200.sip", "0028_s24.2_200.sip")) {
            world.fromOutside(RouterWorld.CALLEE, rfc(name));
        }
        assertThat(world.in).isEmpty();
        assertThat(world.outside).isEmpty();
        assertThat(world.count(RouterCounter.DROPPED_STRAY)).isEqualTo(3);
    }

    /** What a token hides it hides from nobody: who has a pair of branches moves it nowhere. */
    @Test
    void aResponseThatNamesAnotherPartitionIsDropped() {
        world.nodes(1);
        world.spread(1);
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, request("INVITE", branch(5, 1), ""));
        String genuine = answer(200, world.lastOut().text());
        String token = sentBranch().substring(ShardToken.MAGIC_COOKIE.length());
        long chance = token.charAt(ShardToken.MARK.length()) - 'a';
        for (int i = ShardToken.CHANCE_LENGTH - 1; i >= 0; i--) {
            chance = chance << 5 | Character.digit(token.charAt(ShardToken.CHANCE + i), 32);
        }
        assertThat(ShardToken.encode(RouterWorld.CLUSTER, 5, chance)).isEqualTo(token);
        world.fromOutside(
                RouterWorld.CALLEE,
                genuine.replace(token, ShardToken.encode(RouterWorld.CLUSTER, 6, chance)));
        assertThat(world.in).isEmpty();
        assertThat(world.count(RouterCounter.DROPPED_FORGED)).isOne();
    }

    @Test
    void aResponseWhoseBranchesDoNotBelongTogetherIsDropped() {
        world.nodes(1);
        world.spread(1);
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, request("INVITE", branch(5, 1), ""));
        String genuine = answer(200, world.lastOut().text());
        String other = branch(5, 2);
        world.fromOutside(RouterWorld.CALLEE, genuine.replace(branch(5, 1), other));
        world.fromOutside(
                RouterWorld.CALLEE,
                genuine.replace(
                        sentBranch(),
                        ShardToken.MAGIC_COOKIE + ShardToken.encode(RouterWorld.CLUSTER, 5, 3)));
        world.fromOutside(
                RouterWorld.CALLEE,
                genuine.replaceFirst("Via: [^\r]*" + branch(5, 1) + "[^\r]*\r\n", ""));
        assertThat(world.in).isEmpty();
        assertThat(world.count(RouterCounter.DROPPED_FORGED)).isEqualTo(3);
        world.fromOutside(RouterWorld.CALLEE, genuine);
        assertThat(world.in).hasSize(1);
    }

    @Test
    void aStray2xxIsForItsOwner() {
        // RFC 6026 7.3: "a proxy MUST NOT forward it" without a transaction: the node knows.
        world.nodes(1, 2);
        world.spread(1, 2);
        world.nodes.get(1).sends(4, RouterWorld.CALLEE, request("INVITE", branch(4, 1), ""));
        String late = answer(200, world.lastOut().text());
        world.now += 200_000_000_000L;
        world.beat(1, 2);
        world.outside.clear();
        world.fromOutside(RouterWorld.CALLEE, late);
        assertThat(world.lastIn().node()).isEqualTo(1);
        assertThat(world.outside).isEmpty();
    }

    @Test
    void aNodesResponseGoesWhereTheNodeSaysAsItIs() throws IOException {
        world.nodes(1);
        String response = rfc("0025_s24.2_200.sip");
        world.nodes.get(1).sends(5, RouterWorld.PHONE, response);
        assertThat(world.lastOut()).isEqualTo(new RouterWorld.Out(RouterWorld.PHONE, response));
        assertThat(world.count(RouterCounter.RESPONSES_OUT)).isEqualTo(1);
    }

    @Test
    void aRequestThatComesBackToTheRouterGoesToItsOwner() {
        world.nodes(1, 2);
        world.spread(1, 2);
        String request = request("INVITE", branch(9, 1), "");
        world.nodes.get(1).sends(9, RouterWorld.PUBLIC, request);
        String spiral = world.lastOut().text();
        world.fromOutside(RouterWorld.PUBLIC, spiral);
        // Like any request: by its Call-ID, with all its Vias, so the node sees the loop.
        assertThat(world.lastIn().text()).isEqualTo(spiral);
        // Its answer finds the way back over both.
        world.nodes.get(world.lastIn().node()).sends(9, RouterWorld.PUBLIC, answer(482, spiral));
        world.fromOutside(RouterWorld.PUBLIC, world.lastOut().text());
        assertThat(world.lastIn().text()).isEqualTo(answer(482, request));
        assertThat(world.lastIn().node()).isEqualTo(2);
    }

    @Test
    void allMessagesOfACallReachTheSameNode() {
        world.nodes(1, 2, 3, 4);
        world.spread(1, 2, 3, 4);
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            world.in.clear();
            String callId = "c" + random.nextLong() + "@192.0.2." + random.nextInt(255);
            String invite = incoming("INVITE", callId, null, "b1", random);
            world.fromOutside(RouterWorld.PHONE, invite);
            int partition = world.lastIn().partition();
            String tag = RouterWorld.TOKENS.tag(partition);
            List<String> later = new ArrayList<>();
            later.add(incoming("INVITE", callId, null, "b1", random)); // a repeat
            later.add(incoming("CANCEL", callId, null, "b1", random));
            later.add(incoming("ACK", callId, tag, "b1", random)); // to a refusal
            later.add(incoming("ACK", callId, tag, "b2", random)); // to a 2xx
            later.add(incoming("PRACK", callId, tag, "b3", random));
            later.add(incoming("INVITE", callId, tag, "b4", random));
            later.add(incoming("BYE", callId, tag, "b5", random));
            // The node's own requests in the dialog, and in the second leg, which inherits it.
            for (String method : List.of("BYE", "INVITE", "OPTIONS")) {
                String own = request(method, branch(partition, random.nextLong()), "");
                world.nodes.get(1 + random.nextInt(4)).sends(partition, RouterWorld.CALLEE, own);
                later.add(answer(100 + random.nextInt(500), world.lastOut().text()));
            }
            // What the callee sends: our tag stands in To, our Call-ID in Call-ID.
            later.add(incoming("BYE", "other" + seed, tag, "b6", random));
            java.util.Collections.shuffle(later, random);
            later.forEach(each -> world.fromOutside(RouterWorld.PHONE, each));
            assertThat(world.in).as("seed %d", seed).hasSize(later.size() + 1);
            assertThat(world.in).extracting(In::partition).containsOnly(partition);
            assertThat(world.in.stream().map(In::node).distinct()).hasSize(1);
        }
    }

    /** Headers in any order, long or compact, folded or not. */
    private static String incoming(
            String method,
            String callId,
            @org.jspecify.annotations.Nullable String toTag,
            String branch,
            Random random) {
        List<String> lines = new ArrayList<>();
        boolean compact = random.nextBoolean();
        lines.add((compact ? "v" : "Via") + ": SIP/2.0/UDP 192.0.2.77;branch=z9hG4bK" + branch);
        lines.add((compact ? "f" : "From") + ": \"A;tag=x\" <sip:a@example.com;tag=y>;tag=f1");
        lines.add(
                (compact ? "t" : "To")
                        + ": <sip:b@example.com>"
                        + (toTag == null
                                ? ""
                                : (random.nextBoolean() ? "\r\n " : "") + ";tag=" + toTag));
        lines.add((compact ? "i" : "Call-ID") + (random.nextBoolean() ? " : " : ":") + callId);
        lines.add("CSeq: " + random.nextInt(1000) + " " + method);
        java.util.Collections.shuffle(lines, random);
        return method + " sip:b@example.com SIP/2.0\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    }

    @Test
    void whatTheOwnerCannotTakeGoesToTheNextOneElseToAnyThatLives() throws IOException {
        world.nodes(1, 2, 3);
        world.spread(1, 2, 3);
        String message = rfc("0015_s24.2_INVITE.sip");
        world.fromOutside(RouterWorld.PHONE, message);
        int owner = world.lastIn().node();
        int next = 1 + owner % 3;
        int other = 1 + next % 3;
        world.onlyAlive(next, other);
        world.fromOutside(RouterWorld.PHONE, message);
        assertThat(world.lastIn().node()).isEqualTo(next);
        assertThat(world.count(RouterCounter.TO_NEXT)).isEqualTo(1);
        world.onlyAlive(other);
        world.fromOutside(RouterWorld.PHONE, message);
        assertThat(world.lastIn().node()).isEqualTo(other);
        assertThat(world.count(RouterCounter.TO_ANY)).isEqualTo(1);
        world.nodes.get(other).link.say(NodeHealth.STARTING, 0);
        world.beat(other);
        world.fromOutside(RouterWorld.PHONE, message);
        assertThat(world.in).hasSize(3);
        assertThat(world.count(RouterCounter.DROPPED_NO_NODE)).isEqualTo(1);
        world.onlyAlive();
        world.fromOutside(RouterWorld.PHONE, message);
        assertThat(world.in).hasSize(3);
        assertThat(world.count(RouterCounter.DROPPED_NO_NODE)).isEqualTo(2);
    }

    @Test
    void aRequestIsAnsweredWhenNoNodeHasLivedForFourSeconds() {
        world.nodes(1);
        world.spread(1);
        world.onlyAlive();
        String invite =
                "INVITE sip:bob@example.com SIP/2.0\r\n"
                        + "v: SIP/2.0/UDP 10.1.1.1:5070;rport;branch=z9hG4bKa, SIP/2.0/UDP 10.1.1.2\r\n"
                        + "Via: SIP/2.0/UDP 10.1.1.3\r\n"
                        + "f: <sip:a@example.com>;tag=1\r\nt: <sip:b@example.com>\r\n"
                        + "i: abc\r\nCSeq: 7 INVITE\r\nSubject: x\r\nContent-Length: 0\r\n\r\n";
        world.fromOutside(RouterWorld.PHONE, invite);
        world.now += Forwarder.PATIENCE_NANOS;
        world.fromOutside(RouterWorld.PHONE, invite);
        assertThat(world.outside).isEmpty();
        world.now += 1;
        world.fromOutside(RouterWorld.PHONE, invite);
        assertThat(world.lastOut().to()).isEqualTo(RouterWorld.PHONE);
        assertThat(world.lastOut().text().replaceAll("unavailable-[0-9a-f]{16}", "unavailable"))
                .isEqualTo(
                        "SIP/2.0 503 Service Unavailable\r\n"
                                + "Via: SIP/2.0/UDP 10.1.1.1:5070;rport=40000;branch=z9hG4bKa"
                                + ";received=192.0.2.77, SIP/2.0/UDP 10.1.1.2\r\n"
                                + "Via: SIP/2.0/UDP 10.1.1.3\r\n"
                                + "f: <sip:a@example.com>;tag=1\r\n"
                                + "t: <sip:b@example.com>;tag=unavailable\r\n"
                                + "i: abc\r\nCSeq: 7 INVITE\r\nContent-Length: 0\r\n\r\n");
        // Without rport the answer goes to the port that the Via names (RFC 3261 18.2.2).
        world.fromOutside(RouterWorld.PHONE, invite.replace("rport;", ""));
        assertThat(world.lastOut().to()).isEqualTo(RouterWorld.address("192.0.2.77", 5070));
        // Within a dialog its sender goes on repeating it: the call may go on when a node is back.
        world.fromOutside(
                RouterWorld.PHONE,
                invite.replace("INVITE", "BYE").replace("b@example.com>", "b@example.com>;tag=2"));
        // RFC 3261 8.2.7: "MUST ignore ACK requests".
        world.fromOutside(RouterWorld.PHONE, invite.replace("INVITE", "ACK"));
        world.fromOutside(RouterWorld.PHONE, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x\r\n\r\n");
        assertThat(world.outside).hasSize(2);
        assertThat(world.count(RouterCounter.REFUSED)).isEqualTo(2);
        // A node is there again: nothing is refused.
        world.nodes(2);
        world.fromOutside(RouterWorld.PHONE, invite);
        assertThat(world.lastIn().text()).isEqualTo(invite);
    }

    @Test
    void anOlderTableIsNotTakenOver() {
        world.nodes(1);
        int[] all = new int[1024];
        Arrays.fill(all, 1);
        int[] none = new int[1024];
        Arrays.fill(none, PeerId.NONE);
        world.nodes.get(1).tells(Owners.of(7, all, none, Map.of()));
        world.nodes.get(1).tells(Owners.of(6, none, all, Map.of()));
        assertThat(world.forwarder.owners().version()).isEqualTo(7);
        assertThat(world.forwarder.owners().owner(0)).isEqualTo(1);
    }

    @Test
    void aTableThatNoNodeKnowsAnyMoreIsForgotten() {
        world.nodes(1);
        int[] all = new int[1024];
        Arrays.fill(all, 1);
        world.nodes.get(1).link.say(NodeHealth.READY, 7);
        world.nodes.get(1).tells(Owners.of(7, all, all, Map.of()));
        world.beat(1);
        world.nodes.get(1).link.say(NodeHealth.READY, 1);
        world.beat(1);
        world.now += Forwarder.PATIENCE_NANOS;
        world.beat(1);
        assertThat(world.forwarder.owners().version()).isEqualTo(7);
        world.now += 1;
        world.beat(1);
        assertThat(world.forwarder.owners().version()).isZero();
        world.nodes.get(1).tells(Owners.of(1, all, all, Map.of()));
        assertThat(world.forwarder.owners().version()).isEqualTo(1);
    }

    @Test
    void garbageIsDroppedAndKillsNothing() throws IOException {
        world.nodes(1);
        world.spread(1);
        Random random = new Random(1);
        byte[] seed = RouterWorld.bytes(rfc("0015_s24.2_INVITE.sip"));
        Set<Integer> nodes = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(seed, random.nextInt(seed.length + 1));
            for (int k = random.nextInt(8); k > 0 && bytes.length > 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            world.forwarder.received(bytes, bytes.length, RouterWorld.PHONE, 0, world.now);
            world.run();
        }
        world.in.forEach(each -> nodes.add(each.node()));
        assertThat(world.outside).isEmpty();
        assertThat(world.count(RouterCounter.DROPPED_MALFORMED)).isPositive();
        world.fromOutside(RouterWorld.PHONE, "");
        world.fromOutside(RouterWorld.PHONE, "SIP/2.0 ");
        world.fromOutside(RouterWorld.PHONE, "SIP/2.0 200 OK\r\n");
        world.fromOutside(RouterWorld.PHONE, "SIP/2.0 200 OK\r\nVia: x");
    }

    @Test
    void aNodesRequestThatWouldNotFitADatagramIsDropped() {
        world.nodes(1);
        String empty = request("MESSAGE", branch(5, 1), "X: \r\n");
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, empty);
        int room = 65_507 - world.lastOut().text().length();
        String most = request("MESSAGE", branch(5, 1), "X: " + "x".repeat(room) + "\r\n");
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, most);
        assertThat(world.lastOut().text()).hasSize(65_507);
        String more = request("MESSAGE", branch(5, 1), "X: x" + "x".repeat(room) + "\r\n");
        world.nodes.get(1).sends(5, RouterWorld.CALLEE, more);
        assertThat(world.count(RouterCounter.REQUESTS_OUT)).isEqualTo(2);
        assertThat(world.count(RouterCounter.DROPPED_TOO_LARGE)).isEqualTo(1);
    }

    @Test
    void eachNodesMessagesAreCounted() throws IOException {
        world.nodes(1, 2);
        world.spread(1, 2);
        world.fromOutside(RouterWorld.PHONE, rfc("0015_s24.2_INVITE.sip"));
        int node = world.lastIn().node();
        assertThat(world.counts.toNode(node)).isEqualTo(1);
        assertThat(world.counts.toNode(3 - node)).isZero();
        world.nodes.get(2).sends(5, RouterWorld.PHONE, rfc("0025_s24.2_200.sip"));
        assertThat(world.counts.fromNode(2)).isEqualTo(1);
    }
}

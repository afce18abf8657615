package io.carillon.sip.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which partition wins. */
class PartitionsTest {
    private static final int NUMBER = 12;
    private static final ClusterKeys KEYS = ClusterKeys.of(21, 22);
    private static final ClusterTokens TOKENS = new ClusterTokens(NUMBER, KEYS);
    private static final Partitions PARTITIONS = new Partitions(NUMBER, KEYS);
    private static final int BY_CALL_ID = Partitions.ofCallId("abc");

    private static String token(char kind, int partition) {
        return TOKENS.text(kind, partition, 99, new byte[ClusterTokens.LENGTH]);
    }

    private static String call(int partition) {
        return token(ClusterTokens.CALL, partition);
    }

    private static String route(char kind, int partition) {
        return "Route: <sip:h:5060;lr;crl=" + token(kind, partition) + ">\n";
    }

    private static int of(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return PARTITIONS.of(bytes, bytes.length);
    }

    private static int ofRequest(String uri, String headers) {
        return of("INVITE " + uri + " SIP/2.0\n" + headers + "Call-ID: abc\n\n");
    }

    private static int ofRequest(String headers) {
        return ofRequest("sip:bob@example.com", headers);
    }

    @Test
    void anInitialRequestGoesByTheHashOfItsCallId() {
        assertThat(ofRequest("To: <sip:b@x>\n")).isEqualTo(BY_CALL_ID);
        assertThat(of("INVITE sip:b@x SIP/2.0\ni:  abc \n\n")).isEqualTo(BY_CALL_ID);
        assertThat(of("INVITE sip:b@x SIP/2.0\nCall-ID: " + call(3) + "\n\n"))
                .as("a Call-ID that another call of ours was given")
                .isEqualTo(Partitions.ofCallId(call(3)));
    }

    @Test
    void aRequestWithinADialogGoesByOurToTag() {
        assertThat(ofRequest("To: <sip:b@x>;tag=" + call(3) + "\n")).isEqualTo(3);
        assertThat(ofRequest("t: <sip:b@x;tag=" + call(4) + ">;tag=theirs\n"))
                .isEqualTo(BY_CALL_ID);
    }

    @Test
    void theRouteOfADialogComesBeforeTheToTag() {
        String to = "To: <sip:b@x>;tag=" + call(3) + "\n";
        assertThat(ofRequest(to + route(ClusterTokens.ROUTE, 5))).isEqualTo(5);
        assertThat(ofRequest(route(ClusterTokens.ROUTE, 5) + to)).isEqualTo(5);
    }

    @Test
    void theRouteOfADialogIsFollowedWithoutAToTag() {
        assertThat(ofRequest("To: <sip:b@x>\n" + route(ClusterTokens.ROUTE, 5))).isEqualTo(5);
    }

    @Test
    void onlyTheFirstRouteCounts() {
        String foreign = "Route: <sip:foreign;lr>\n";
        assertThat(ofRequest(foreign + route(ClusterTokens.ROUTE, 5))).isEqualTo(BY_CALL_ID);
        String two =
                "Route: <sip:foreign;lr>, <sip:h;lr;crl=" + token(ClusterTokens.ROUTE, 5) + ">\n";
        assertThat(ofRequest(two)).isEqualTo(BY_CALL_ID);
    }

    @Test
    void aPathChoosesAFlowAndNeverAPartition() {
        assertThat(ofRequest(route(ClusterTokens.PATH, 5))).isEqualTo(BY_CALL_ID);
        String byName = "Route: <sip:flow@h;lr;ob;crp=" + token(ClusterTokens.PATH, 5) + ">\n";
        assertThat(ofRequest(byName)).isEqualTo(BY_CALL_ID);
        assertThat(ofRequest(byName + "To: <sip:b@x>;tag=" + call(3) + "\n")).isEqualTo(3);
    }

    @Test
    void aTokenThatIsMarkedForNothingOfTheKindIsNotFollowedInARoute() {
        assertThat(ofRequest(route(ClusterTokens.CALL, 5))).isEqualTo(BY_CALL_ID);
        assertThat(ofRequest("To: <sip:b@x>;tag=" + token(ClusterTokens.ROUTE, 5) + "\n"))
                .isEqualTo(BY_CALL_ID);
    }

    @Test
    void aUriThatStandsForASessionIsFollowedByAnInitialRequest() {
        String uri = "sip:app@h;crl=" + token(ClusterTokens.URI, 6) + ";x=1";
        assertThat(ofRequest(uri, "To: <sip:b@x>\n")).isEqualTo(6);
        assertThat(ofRequest(route(ClusterTokens.URI, 6))).as("as a route").isEqualTo(6);
        assertThat(ofRequest(uri, "To: <sip:b@x>;tag=" + call(3) + "\n"))
                .as("within a dialog the dialog's")
                .isEqualTo(3);
        assertThat(ofRequest(uri, route(ClusterTokens.ROUTE, 5))).isEqualTo(5);
        assertThat(ofRequest("sip:app@h?x=1;crl=" + token(ClusterTokens.URI, 6), ""))
                .as("a header of the URI")
                .isEqualTo(BY_CALL_ID);
    }

    @Test
    void byAStrictRouterTheRequestUriIsOurRoute() {
        String uri = "sip:h:5060;lr;crl=" + token(ClusterTokens.ROUTE, 7);
        assertThat(ofRequest(uri, "To: <sip:b@x>;tag=theirs\nRoute: <sip:b@x>\n")).isEqualTo(7);
    }

    @Test
    void theToTagOfAStatelessAnswerChoosesNothing() {
        String to = "To: <sip:b@x>;tag=" + token(ClusterTokens.STATELESS, 3) + "\n";
        assertThat(ofRequest(to)).as("its INVITE went by the Call-ID").isEqualTo(BY_CALL_ID);
        assertThat(ofRequest(to + route(ClusterTokens.ROUTE, 5))).isEqualTo(5);
    }

    @Test
    void aResponseGoesByTheBranchOfItsTopVia() {
        String own = "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK" + call(8);
        String below = "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK" + call(9) + "\n";
        assertThat(of("SIP/2.0 200 OK\n" + own + "\n" + below + "Call-ID: abc\n\n")).isEqualTo(8);
        assertThat(of("SIP/2.0 200 OK\n" + own + ".-l0123456789abc\nCall-ID: abc\n\n"))
                .as("with the hash of loop detection")
                .isEqualTo(8);
        assertThat(
                        of(
                                "SIP/2.0 200 OK\nv : SIP/2.0/UDP x;rport ;\n Branch = z9hG4bK"
                                        + call(8)
                                        + ", SIP/2.0/UDP y\nCall-ID: abc\n\n"))
                .isEqualTo(8);
        assertThat(
                        of(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP x;branch=z9hG4bK1\n"
                                        + below
                                        + "Call-ID: abc\n\n"))
                .as("only the top one")
                .isEqualTo(BY_CALL_ID);
    }

    @Test
    void whatAnotherClusterMadeIsNotFollowed() {
        ClusterTokens others = new ClusterTokens(NUMBER, ClusterKeys.of(21, 23));
        byte[] room = new byte[ClusterTokens.LENGTH];
        int taken = 0;
        for (int i = 0; i < 1_000; i++) {
            int partition = (BY_CALL_ID + 1) % Ownership.PARTITIONS;
            String to = others.text(ClusterTokens.CALL, partition, i, room);
            String route = others.text(ClusterTokens.ROUTE, partition, i, room);
            taken +=
                    ofRequest("To: <sip:b@x>;tag=" + to + "\nRoute: <sip:h;lr;crl=" + route + ">\n")
                                    == partition
                            ? 1
                            : 0;
        }
        assertThat(taken).isZero();
    }

    @Test
    void callsSpreadEvenly() {
        int[] hits = new int[Ownership.PARTITIONS];
        for (int i = 0; i < 1_024_000; i++) {
            hits[Partitions.ofCallId(i + "-4711@192.0.2.1")]++;
        }
        for (int n : hits) {
            assertThat(n).isBetween(850, 1_150);
        }
    }

    private static Partitions.By by(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return PARTITIONS.by(bytes, bytes.length);
    }

    @Test
    void whoAsksIsToldByWhatThePartitionWasFound() {
        String initial = "INVITE sip:b@x SIP/2.0\nTo: <sip:b@x>\nCall-ID: abc\n";
        assertThat(by(initial + "\n")).isEqualTo(Partitions.By.CALL_ID);
        assertThat(by(initial.replace("b@x>", "b@x>;tag=" + call(3)) + "\n"))
                .isEqualTo(Partitions.By.TO_TAG);
        assertThat(by(initial + route(ClusterTokens.ROUTE, 5) + "\n"))
                .isEqualTo(Partitions.By.ROUTE);
        assertThat(
                        by(
                                initial.replace(
                                                "sip:b@x ",
                                                "sip:h;crl=" + token(ClusterTokens.URI, 6) + " ")
                                        + "\n"))
                .isEqualTo(Partitions.By.URI);
        assertThat(
                        by(
                                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP h;branch=z9hG4bK"
                                        + call(8)
                                        + "\nCall-ID: abc\n\n"))
                .isEqualTo(Partitions.By.BRANCH);
    }

    @Test
    void garbageFindsSomePartitionTheSameEachTime() {
        Random random = new Random(3);
        String seed =
                "INVITE sip:b@x;crl="
                        + token(ClusterTokens.URI, 6)
                        + " SIP/2.0\r\nVia: SIP/2.0/UDP h;branch=z9hG4bK"
                        + call(1)
                        + "\r\nRoute: <sip:h;crl="
                        + token(ClusterTokens.ROUTE, 2)
                        + ">\r\nTo: <sip:b@x>;tag="
                        + call(3)
                        + "\r\nCall-ID: abc\r\n\r\n";
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = seed.getBytes(StandardCharsets.UTF_8);
            for (int k = random.nextInt(8); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(bytes.length + 1);
            int found = PARTITIONS.of(bytes, length);
            assertThat(found).isBetween(0, Ownership.PARTITIONS - 1);
            assertThat(PARTITIONS.of(bytes.clone(), length)).isEqualTo(found);
        }
    }
}

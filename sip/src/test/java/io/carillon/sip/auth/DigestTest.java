package io.carillon.sip.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.auth.DigestServer.Standing;
import io.carillon.sip.auth.DigestServer.Verdict;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** RFC 7616 examples, and the rules of RFC 8760 and RFC 3261 section 22 for both sides. */
class DigestTest {
    private static final byte[] NO_BODY = new byte[0];
    private static final String NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
    private static final String CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

    private final AtomicLong serial = new AtomicLong();
    private final Nonces nonces = new Nonces(new byte[32], serial::incrementAndGet);
    private final NonceCounts counts = new NonceCounts(100);
    private long now = 1_000_000;

    private final DigestServer server =
            new DigestServer(
                    "carillon.test",
                    List.of(
                            DigestAlgorithm.SHA_256,
                            DigestAlgorithm.SHA_512_256,
                            DigestAlgorithm.MD5),
                    true,
                    300,
                    nonces,
                    counts);

    /** An answer to another node's challenge is not taken, but known for one. */
    @Test
    void nodesOfAClusterKnowEachOthersNoncesAndTakeNone() {
        byte[] shared = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        byte[] ofOther = new byte[32];
        ofOther[0] = 1;
        Nonces one = new Nonces(new byte[32], List.of(shared), serial::incrementAndGet);
        Nonces other = new Nonces(ofOther, List.of(new byte[16], shared), serial::incrementAndGet);
        String nonce = one.issue("r", now);
        assertThat(one.read(nonce, "r")).isNotNull();
        assertThat(one.isOfCluster(nonce, "r")).isTrue();
        assertThat(other.read(nonce, "r")).isNull();
        assertThat(other.isOfCluster(nonce, "r")).isTrue();
        assertThat(other.isOfCluster(nonce, "another realm")).isFalse();
        assertThat(other.isOfCluster(nonce + "x", "r")).isFalse();
        assertThat(nonces.isOfCluster(nonce, "r")).isFalse();
        assertThat(other.isOfCluster(nonces.issue("r", now), "r")).isFalse();
        assertThat(nonces.isOfCluster(nonces.issue("r", now), "r")).isTrue();
    }

    private static String rfc7616(DigestAlgorithm algorithm) {
        return algorithm.response(
                algorithm.ha1("Mufasa", "http-auth@example.org", "Circle of Life"),
                NONCE,
                Qop.AUTH,
                "00000001",
                CNONCE,
                "GET",
                "/dir/index.html",
                NO_BODY);
    }

    @Test
    void rfc7616Section391Md5() {
        assertThat(rfc7616(DigestAlgorithm.MD5)).isEqualTo("8ca523f5e9506fed4657c9700eebdbec");
    }

    @Test
    void rfc7616Section391Sha256() {
        assertThat(rfc7616(DigestAlgorithm.SHA_256))
                .isEqualTo("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
    }

    /** The example as erratum 4897 has it; the text's values are those of SHA-512 cut short. */
    @Test
    void rfc7616Section392Sha512256() {
        DigestAlgorithm algorithm = DigestAlgorithm.SHA_512_256;
        assertThat(
                        algorithm.response(
                                algorithm.ha1(
                                        "J\u00e4s\u00f8n Doe",
                                        "api@example.org",
                                        "Secret, or not?"),
                                "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
                                Qop.AUTH,
                                "00000001",
                                "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
                                "GET",
                                "/doe.json",
                                NO_BODY))
                .isEqualTo("3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5");
    }

    @Test
    void rfc8760EmptyBodyHashesToTheHashOfTheEmptyString() {
        assertThat(DigestAlgorithm.SHA_256.hash(NO_BODY))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    private DigestCredentials credentials(DigestClient client, byte[] body) throws Exception {
        return DigestCredentials.parse(
                AuthHeader.parse(
                        client.answer("REGISTER", "sip:carillon.test", body, "abc").toString()));
    }

    private Verdict judge(DigestCredentials credentials, String password) {
        return server.judge(
                credentials,
                password == null
                        ? null
                        : credentials.algorithm().ha1("alice", "carillon.test", password),
                "REGISTER",
                NO_BODY,
                now);
    }

    private DigestClient client(int challenge) {
        return DigestClient.of(server.challenges(false, now).get(challenge), "alice", "secret");
    }

    @Test
    void oneChallengeForEachAlgorithmInOrderOfPreference() {
        assertThat(server.challenges(false, now))
                .extracting(c -> c.param("algorithm"))
                .containsExactly("SHA-256", "SHA-512-256", "MD5");
        assertThat(server.challenges(false, now))
                .allSatisfy(c -> assertThat(c.param("qop")).isEqualTo("auth,auth-int"));
    }

    @Test
    void everyOfferedAlgorithmIsAccepted() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(judge(credentials(client(i), NO_BODY), "secret"))
                    .isEqualTo(Verdict.ACCEPTED);
        }
    }

    @Test
    void wrongPasswordAndUnknownUserAreRefusedAlike() throws Exception {
        assertThat(judge(credentials(client(0), NO_BODY), "other")).isEqualTo(Verdict.REFUSED);
        assertThat(judge(credentials(client(0), NO_BODY), null)).isEqualTo(Verdict.REFUSED);
    }

    @Test
    void aCountIsUsedOnceAndLaterOnesMayOvertake() throws Exception {
        DigestClient client = client(0);
        DigestCredentials first = credentials(client, NO_BODY);
        DigestCredentials second = credentials(client, NO_BODY);
        assertThat(judge(second, "secret")).isEqualTo(Verdict.ACCEPTED);
        assertThat(judge(first, "secret")).isEqualTo(Verdict.ACCEPTED);
        assertThat(judge(first, "secret")).isEqualTo(Verdict.STALE);
        assertThat(judge(second, "secret")).isEqualTo(Verdict.STALE);
    }

    @Test
    void anOldNonceIsStaleOnlyWithTheRightSecret() throws Exception {
        DigestCredentials old = credentials(client(0), NO_BODY);
        now += 301_000;
        assertThat(judge(old, "secret")).isEqualTo(Verdict.STALE);
        assertThat(judge(old, "other")).isEqualTo(Verdict.REFUSED);
        assertThat(server.challenges(true, now).getFirst().param("stale")).isEqualTo("true");
    }

    @Test
    void anAnswerComesFromWhereItsChallengeWentOnly() throws Exception {
        byte[] here = {10, 0, 0, 1};
        byte[] there = {10, 0, 0, 2};
        DigestClient client =
                DigestClient.of(server.challenges(false, now, here).getFirst(), "alice", "x");
        DigestCredentials given = credentials(client, NO_BODY);
        assertThat(server.answersOurs(given, now, here)).isTrue();
        assertThat(server.answersOurs(given, now, there)).isFalse();
        assertThat(server.answersOurs(given, now + 301_000, here)).isFalse();
        assertThat(server.answersOurs(credentials(client(0), NO_BODY), now, here)).isFalse();
        assertThat(judge(given, "x")).as("whoever sends it").isEqualTo(Verdict.ACCEPTED);
    }

    @Test
    void aNonceOfAnotherKeyOrRealmIsNotOurs() {
        String nonce = nonces.issue("other", now);
        assertThat(nonces.read(nonce, "other")).isNotNull();
        assertThat(nonces.read(nonce, "carillon.test")).isNull();
        assertThat(nonces.read("@@@", "other")).isNull();
        assertThat(nonces.read("", "other")).isNull();
        byte[] key = new byte[32];
        key[0] = 1;
        assertThat(new Nonces(key, () -> 1).read(nonce, "other")).isNull();
    }

    @Test
    void authIntCoversTheBody() throws Exception {
        AuthHeader challenge =
                server.challenges(false, now).getFirst().withQuoted("qop", "auth-int");
        DigestClient client = DigestClient.of(challenge, "alice", "secret");
        DigestCredentials given = credentials(client, "hello".getBytes(US_ASCII));
        String ha1 = DigestAlgorithm.SHA_256.ha1("alice", "carillon.test", "secret");
        assertThat(server.judge(given, ha1, "REGISTER", "hellO".getBytes(US_ASCII), now))
                .isEqualTo(Verdict.REFUSED);
        assertThat(server.judge(given, ha1, "REGISTER", "hello".getBytes(US_ASCII), now))
                .isEqualTo(Verdict.ACCEPTED);
    }

    @Test
    void theTableOfCountsIsBoundedAndForgetsTowardsStale() {
        NonceCounts small = new NonceCounts(4);
        Nonces.Nonce first = new Nonces.Nonce(1, 1000, 0);
        assertThat(small.use(first, 1)).isTrue();
        for (int i = 2; i < 20; i++) {
            assertThat(small.use(new Nonces.Nonce(i, 1000 + i, 0), 1)).isTrue();
        }
        assertThat(small.size()).isLessThanOrEqualTo(4);
        assertThat(small.use(first, 1)).isFalse();
        assertThat(small.use(first, 2)).isFalse();
    }

    /** RFC 7616 3.3: stale is true for "a request for which the nonce is invalid". */
    @Test
    void whatNeedsNoSecretIsSeenBeforeAnybodyIsAskedForIt() throws Exception {
        DigestClient client = client(0);
        DigestCredentials given = credentials(client, NO_BODY);
        assertThat(server.look(given, now)).isEqualTo(Standing.DUE);
        assertThat(server.look(given, now)).as("looking takes nothing").isEqualTo(Standing.DUE);
        assertThat(judge(given, "wrong")).isEqualTo(Verdict.REFUSED);
        assertThat(server.look(given, now)).isEqualTo(Standing.DUE);
        assertThat(judge(given, "secret")).isEqualTo(Verdict.ACCEPTED);
        assertThat(server.look(given, now)).isEqualTo(Standing.STALE);
        DigestCredentials next = credentials(client, NO_BODY);
        assertThat(server.look(next, now)).isEqualTo(Standing.DUE);
        assertThat(server.look(next, now + 301_000)).isEqualTo(Standing.STALE);
        AuthHeader foreign =
                server.challenges(false, now).getFirst().withQuoted("nonce", "invented");
        assertThat(server.look(credentials(DigestClient.of(foreign, "alice", "x"), NO_BODY), now))
                .isEqualTo(Standing.STALE);
        DigestServer strict =
                new DigestServer(
                        "carillon.test", List.of(DigestAlgorithm.MD5), false, 300, nonces, counts);
        assertThat(strict.look(next, now)).isEqualTo(Standing.REFUSED);
    }

    @Test
    void oneLookAndOneUseSayTheSameOfEveryCount() {
        Nonces.Nonce nonce = new Nonces.Nonce(1, 1000, 0);
        for (int count : new int[] {1, 1, 3, 2, 2, 100, 37, 36, 37, 300, 299, 300, 236, 237}) {
            boolean used = counts.used(nonce, count);
            assertThat(counts.use(nonce, count)).as("count " + count).isEqualTo(!used);
        }
    }

    @Test
    void countsFarBehindAreRefused() {
        Nonces.Nonce nonce = new Nonces.Nonce(1, 1000, 0);
        assertThat(counts.use(nonce, 100)).isTrue();
        assertThat(counts.use(nonce, 37)).isTrue();
        assertThat(counts.use(nonce, 36)).isFalse();
        assertThat(counts.use(nonce, 300)).isTrue();
        assertThat(counts.use(nonce, 299)).isTrue();
        assertThat(counts.use(nonce, 300)).isFalse();
    }

    @Test
    void credentialsAreReadStrictly() {
        String right =
                "Digest username=\"a\", realm=\"r\", nonce=\"n\", uri=\"sip:r\", response=\""
                        + "0".repeat(32)
                        + "\"";
        for (String wrong :
                List.of(
                        right + ", username=\"b\"",
                        right + ", algorithm=SHA-256",
                        right + ", algorithm=MD4",
                        right + ", qop=auth, nc=1, cnonce=\"x\"",
                        right + ", qop=auth, nc=00000000, cnonce=\"x\"",
                        right + ", qop=auth, nc=-0000001, cnonce=\"x\"",
                        right + ", qop=auth, nc=00000001",
                        right + ", qop=auth-conf, nc=00000001, cnonce=\"x\"",
                        right + ", userhash=true",
                        right + ", username*=UTF-8''a",
                        right.replace("0\"", "g\""),
                        right.replace("realm=\"r\", ", ""),
                        right.replace("\"n\"", "\"\""),
                        "Basic dXNlcjpwYXNz=x")) {
            assertThatThrownBy(() -> DigestCredentials.parse(AuthHeader.parse(wrong)))
                    .as(wrong)
                    .isInstanceOf(SipParseException.class);
        }
    }

    @Test
    void aClientWithoutQopFollowsRfc2069AndUsesANonceOnce() throws Exception {
        String nonce = server.challenges(false, now).getFirst().param("nonce");
        AuthHeader old =
                AuthHeader.of("Digest")
                        .withQuoted("realm", "carillon.test")
                        .withQuoted("nonce", nonce);
        DigestCredentials given = credentials(DigestClient.of(old, "alice", "secret"), NO_BODY);
        assertThat(given.qop()).isNull();
        assertThat(judge(given, "secret")).isEqualTo(Verdict.ACCEPTED);
        assertThat(judge(given, "secret")).isEqualTo(Verdict.STALE);
    }

    @Test
    void aClientIgnoresChallengesItDoesNotUnderstand() throws Exception {
        for (String unknown :
                List.of(
                        "Basic realm=\"r\"",
                        "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-999",
                        "Digest realm=\"r\", nonce=\"n\", algorithm=MD5-sess",
                        "Digest realm=\"r\", nonce=\"n\", qop=\"auth-conf\"",
                        "Digest realm=\"r\"")) {
            assertThat(DigestClient.understands(AuthHeader.parse(unknown))).as(unknown).isFalse();
        }
    }

    @Test
    void theClientCountsAndReturnsOpaque() throws Exception {
        AuthHeader challenge =
                AuthHeader.parse(
                        "Digest realm=\"r\", nonce=\"n\", opaque=\"o\", qop=\"auth\", algorithm=MD5");
        DigestClient client = DigestClient.of(challenge, "a", "p");
        assertThat(client.answer("INVITE", "sip:b", NO_BODY, "c").param("nc"))
                .isEqualTo("00000001");
        AuthHeader second = client.answer("INVITE", "sip:b", NO_BODY, "c");
        assertThat(second.param("nc")).isEqualTo("00000002");
        assertThat(second.param("opaque")).isEqualTo("o");
        assertThat(second.param("algorithm")).isEqualTo("MD5");
    }
}

package io.carillon.servlet.feature.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Originator;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.SipDate;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8224: what was signed is valid, and nothing else. */
class Es256VerifierTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final String INFO = "https://cert.example.org/passport.cer";
    private static final String INSIDE = "10.0.1.9";
    private static final String OUTSIDE = "10.0.0.2";
    private static final AddressRanges PEERS = AddressRanges.of(List.of("10.0.1.0/24"));
    private static final int[] VALID = {2020, 2049};

    @TempDir private Path folder;
    private final KeyPair keys = TestCertificates.keys();
    private final Map<URI, CompletableFuture<byte[]>> web = new HashMap<>();
    private final List<URI> fetched = new ArrayList<>();
    private long clock = NOW;

    private static String date(long millis) {
        return new SipDate(Instant.ofEpochMilli(millis)).toString();
    }

    private static SipRequest request(String from, String to, String body, String... headers) {
        String text =
                "INVITE sip:b@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKx\r\n"
                        + "Max-Forwards: 70\r\nFrom: <"
                        + from
                        + ">;tag=a\r\nTo: <"
                        + to
                        + ">\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n"
                        + String.join("\r\n", headers)
                        + (headers.length == 0 ? "" : "\r\n")
                        + (body.isEmpty() ? "" : "Content-Type: application/sdp\r\n")
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ParseResult result =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        return (SipRequest) ((ParseResult.Parsed) result).message();
    }

    private static final String ALICE = "sip:+12155551212@example.com;user=phone";
    private static final String BOB = "sip:+12155551213@example.com;user=phone";

    private Es256Signer signer(boolean full, String attest) {
        return new Es256Signer(
                keys.getPrivate(),
                INFO,
                List.of("1215"),
                List.of("Example.com"),
                full,
                attest,
                attest == null ? null : "123e4567");
    }

    private String signed(Es256Signer signer, String from, String to, String body) {
        return signer.sign(
                request(from, to, body, "Date: " + date(NOW)), NOW, Originator.APPLICATION);
    }

    private void place(X509Certificate certificate) throws Exception {
        Path host = Files.createDirectories(folder.resolve("cert.example.org"));
        Files.writeString(host.resolve("passport.cer"), TestCertificates.pem(certificate));
    }

    private IdentityResult verify(SipRequest request) throws Exception {
        return verify(request, OUTSIDE);
    }

    private IdentityResult verify(SipRequest request, String source) throws Exception {
        return new Es256Verifier(TrustFolder.read(folder), 60, 1_000, PEERS)
                .verify(request, InetAddress.ofLiteral(source), NOW)
                .toCompletableFuture()
                .get();
    }

    @ParameterizedTest
    @CsvSource({
        "true, sip:+12155551212@example.com, sip:+12155551213@example.com, 12155551212",
        "false, sip:+12155551212@example.com, sip:+12155551213@example.com, 12155551212",
        "true, sip:alice@example.com, sip:bob@example.net, sip:alice@example.com",
        "false, sip:alice@example.com, tel:+12155551213, sip:alice@example.com",
    })
    void whatWasSignedIsValidInEitherForm(boolean full, String from, String to, String identity)
            throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        String header = signed(signer(full, null), from, to, "");
        assertThat(header.startsWith("..")).isEqualTo(!full);
        SipRequest request = request(from, to, "", "Date: " + date(NOW), "Identity: " + header);
        assertThat(verify(request)).isEqualTo(new IdentityResult(200, "OK", identity, null, null));
        // The compact name of the header, and another spelling of the same numbers.
        String other = from.replace("+1215555", "+1-215-555-");
        assertThat(verify(request(other, to, "", "Date: " + date(NOW), "y: " + header)).valid())
                .isTrue();
    }

    @Test
    void shakenTellsHowSureItIs() throws Exception {
        place(TestCertificates.of(keys, null));
        String header = signed(signer(false, "B"), ALICE, BOB, "");
        assertThat(header).endsWith(";alg=ES256;ppt=shaken");
        assertThat(verify(request(ALICE, BOB, "", "Identity: " + header)))
                .isEqualTo(new IdentityResult(200, "OK", "12155551212", "B", "123e4567"));
    }

    /** ATIS-1000074: the number of P-Asserted-Identity is what is vouched for. */
    @Test
    void shakenVouchesForTheAssertedNumber() throws Exception {
        place(TestCertificates.of(keys, null));
        String from = "sip:anonymous@anonymous.invalid";
        String asserted = "P-Asserted-Identity: <tel:+12155551212>";
        String header =
                signer(false, "A")
                        .sign(
                                request(from, BOB, "", "Date: " + date(NOW), asserted),
                                NOW,
                                Originator.APPLICATION);
        SipRequest request = request(from, BOB, "", asserted, "Identity: " + header);
        assertThat(verify(request, INSIDE).identity()).isEqualTo("12155551212");
        assertThat(verify(request(from, BOB, "", "Identity: " + header), INSIDE).status())
                .isEqualTo(438);
    }

    /** RFC 3325 5: what is shown is From; a stranger who asserts himself is not who it names. */
    @ParameterizedTest
    @CsvSource({
        "sip:+4989999999@bank.example;user=phone, 10.0.0.2, 438",
        "sip:anonymous@anonymous.invalid, 10.0.0.2, 438",
        "sip:+4989999999@bank.example;user=phone, 10.0.1.9, 200",
        "sip:+12155551212@example.com, 10.0.0.2, 200",
    })
    void whatStrangersAssertDoesNotStandInForFrom(String from, String source, int status)
            throws Exception {
        place(TestCertificates.of(keys, null));
        String header = signed(signer(true, null), ALICE, BOB, "");
        for (String asserted :
                new String[] {
                    "<tel:+12155551212>", "<tel:+12155551212>, <sip:+4989999999@bank.example>"
                }) {
            SipRequest request =
                    request(
                            from,
                            BOB,
                            "",
                            "P-Asserted-Identity: " + asserted,
                            "Identity: " + header);
            assertThat(verify(request, source).status()).isEqualTo(status);
        }
    }

    /** What comes from an application of ours was written by whoever called that. */
    @Test
    void anAssertionWithoutASourceCountsForNothing() throws Exception {
        place(TestCertificates.of(keys, null));
        SipRequest request =
                request(
                        "sip:+4989999999@bank.example",
                        BOB,
                        "",
                        "P-Asserted-Identity: <tel:+12155551212>",
                        "Identity: " + signed(signer(true, null), ALICE, BOB, ""));
        IdentityResult result =
                new Es256Verifier(TrustFolder.read(folder), 60, 1_000, PEERS)
                        .verify(request, NOW)
                        .toCompletableFuture()
                        .get();
        assertThat(result.status()).isEqualTo(438);
    }

    @ParameterizedTest
    @CsvSource({
        "sip:+12155551299@example.com, 438",
        "sip:alice@example.com, 438",
        "sip:+12155551212@elsewhere.com, 200",
    })
    void anotherCallerIsNotVouchedFor(String from, int status) throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        for (boolean full : new boolean[] {true, false}) {
            String header = signed(signer(full, null), ALICE, BOB, "");
            assertThat(
                            verify(
                                            request(
                                                    from,
                                                    BOB,
                                                    "",
                                                    "Date: " + date(NOW),
                                                    "Identity: " + header))
                                    .status())
                    .isEqualTo(status);
            assertThat(
                            verify(
                                            request(
                                                    ALICE,
                                                    "sip:mallory@x",
                                                    "",
                                                    "Date: " + date(NOW),
                                                    "Identity: " + header))
                                    .status())
                    .as("to another callee")
                    .isEqualTo(438);
        }
    }

    @Test
    void eachChangedCharacterOfTheTokenIsNoticed() throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        String header = signed(signer(true, null), ALICE, BOB, "");
        int end = header.indexOf(';');
        for (int i = 0; i < end - 1; i += 3) { // the last character has bits that mean nothing
            char c = header.charAt(i);
            String changed =
                    header.substring(0, i) + (c == 'A' ? 'B' : 'A') + header.substring(i + 1);
            assertThat(
                            verify(
                                            request(
                                                    ALICE,
                                                    BOB,
                                                    "",
                                                    "Date: " + date(NOW),
                                                    "Identity: " + changed))
                                    .status())
                    .as("character %d", i)
                    .isIn(438);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 200", "59, 200", "-60, 200", "61, 403", "-61, 403"})
    void anOldIdentityIsStale(int seconds, int status) throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        long then = NOW + seconds * 1000L;
        for (boolean full : new boolean[] {true, false}) {
            String header =
                    signer(full, null)
                            .sign(
                                    request(ALICE, BOB, "", "Date: " + date(then)),
                                    then,
                                    Originator.APPLICATION);
            IdentityResult result =
                    verify(request(ALICE, BOB, "", "Date: " + date(then), "Identity: " + header));
            assertThat(result.status()).isEqualTo(status);
            assertThat(result.reason()).isEqualTo(status == 200 ? "OK" : "Stale Date");
        }
    }

    @Test
    void theCompactFormNeedsItsDate() throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        String header = signed(signer(false, null), ALICE, BOB, "");
        assertThat(verify(request(ALICE, BOB, "", "Identity: " + header)).status()).isEqualTo(438);
        assertThat(
                        verify(
                                        request(
                                                ALICE,
                                                BOB,
                                                "",
                                                "Date: " + date(NOW + 1000),
                                                "Identity: " + header))
                                .status())
                .isEqualTo(438);
    }

    /** RFC 8225 5.2.2: keys of media are part of what is signed. */
    @Test
    void fingerprintsOfMediaAreSigned() throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        String body = "v=0\r\na=fingerprint:SHA-256 4a:AD\r\na=fingerprint:sha-256 02:1A\r\n";
        for (boolean full : new boolean[] {true, false}) {
            String header = signed(signer(full, null), ALICE, BOB, body);
            String date = "Date: " + date(NOW);
            String identity = "Identity: " + header;
            assertThat(verify(request(ALICE, BOB, body, date, identity)).valid()).isTrue();
            String other = body.replace("02:1A", "02:1B");
            assertThat(verify(request(ALICE, BOB, other, date, identity)).status()).isEqualTo(438);
            assertThat(verify(request(ALICE, BOB, "v=0\r\n", date, identity)).status())
                    .isEqualTo(438);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'x', 438, Invalid Identity Header",
        "'a.b;info=<https://cert.example.org/passport.cer>', 438, Invalid Identity Header",
        "'a.b.c;info=<https://cert.example.org/passport.cer>', 438, Invalid PASSporT",
        "'..AAAA;info=<https://cert.example.org/passport.cer>', 438, Invalid Identity Header",
        "'..AAAA;info=<https://cert.example.org/passport.cer>;ppt=shaken', 438, Invalid PASSporT",
        "'a.b.c;info=<https://cert.example.org/passport.cer>;ppt=div', 428, Use Supported PASSporT Format",
        "'a.b.c;info=<https://cert.example.org/passport.cer>;alg=RS256', 437, Unsupported Credential",
        "'a.b.c;info=<http://cert.example.org/passport.cer>', 436, Bad Identity Info",
        "'a.b.c;info=<cid:1234@example.com>', 436, Bad Identity Info",
    })
    void whatCannotBeReadIsRefusedByItsName(String header, int status, String reason)
            throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        IdentityResult result =
                verify(request(ALICE, BOB, "", "Date: " + date(NOW), "Identity: " + header));
        assertThat(result).isEqualTo(IdentityResult.failed(status, reason));
        assertThat(result.verstat())
                .isEqualTo(status == 428 ? "No-TN-Validation" : "TN-Validation-Failed");
    }

    @Test
    void withoutAHeaderOneIsAskedFor() throws Exception {
        assertThat(verify(request(ALICE, BOB, "")).status()).isEqualTo(428);
    }

    /** RFC 8224 6.2.1: one valid header is enough. */
    @Test
    void oneValidHeaderOfSeveralIsEnough() throws Exception {
        place(TestCertificates.of(keys, "example.com"));
        String good = signed(signer(true, null), ALICE, BOB, "");
        String bad = "a.b.c;info=<" + INFO + ">";
        String date = "Date: " + date(NOW);
        assertThat(verify(request(ALICE, BOB, "", date, "Identity: " + bad + ", " + good)).valid())
                .isTrue();
        assertThat(verify(request(ALICE, BOB, "", date, "Identity: " + bad, "y: " + good)).valid())
                .isTrue();
    }

    // ---- certificates ----

    @Test
    void aCertificateSpeaksForItsOwnDomainsAlone() throws Exception {
        place(TestCertificates.of(keys, "example.org"));
        String header =
                signed(signer(true, null), "sip:alice@example.com", "sip:bob@example.net", "");
        assertThat(
                        verify(
                                        request(
                                                "sip:alice@example.com",
                                                "sip:bob@example.net",
                                                "",
                                                "Identity: " + header))
                                .status())
                .isEqualTo(438);
    }

    @ParameterizedTest
    @ValueSource(strings = {"expired", "future", "curve"})
    void aCertificateThatIsNotInForceIsUnsupported(String fault) throws Exception {
        KeyPair own = fault.equals("curve") ? TestCertificates.keys("secp384r1") : keys;
        int[] years =
                switch (fault) {
                    case "expired" -> new int[] {2000, 2010};
                    case "future" -> new int[] {2040, 2049};
                    default -> VALID;
                };
        place(
                TestCertificates.certificate(
                        "x", own, years, null, own.getPrivate(), false, "example.com", null));
        String header = signed(signer(true, null), ALICE, BOB, "");
        assertThat(verify(request(ALICE, BOB, "", "Identity: " + header)).status()).isEqualTo(437);
    }

    @Test
    void aFolderWithSomethingElseInItIsAnErrorThatNamesIt() throws Exception {
        Files.writeString(folder.resolve("readme"), "hello");
        assertThatThrownBy(() -> TrustFolder.read(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("readme");
    }

    // ---- fetching ----

    private CredentialCache cache(TrustFolder trust, String... hosts) {
        CertificateFetcher fetcher =
                place -> {
                    fetched.add(place);
                    return web.computeIfAbsent(place, p -> new CompletableFuture<>());
                };
        return new CredentialCache(
                trust,
                fetcher,
                Set.of(hosts),
                3_600_000,
                new CredentialCache.Limits(1_000, 32),
                () -> clock);
    }

    private CompletionStage<IdentityResult> fetchAndVerify(CredentialCache cache, String header) {
        return new Es256Verifier(cache, 60, 1_000, PEERS)
                .verify(request(ALICE, BOB, "", "Identity: " + header), NOW);
    }

    private void serve(X509Certificate... chain) {
        web.computeIfAbsent(URI.create(INFO), p -> new CompletableFuture<>())
                .complete(TestCertificates.pem(chain).getBytes(StandardCharsets.US_ASCII));
    }

    private final KeyPair authority = TestCertificates.keys();

    private X509Certificate root() throws Exception {
        X509Certificate root =
                TestCertificates.certificate(
                        "root", authority, VALID, null, authority.getPrivate(), true, null, null);
        Files.writeString(folder.resolve("root.pem"), TestCertificates.pem(root));
        return root;
    }

    private X509Certificate leaf(byte[] numbers) {
        return TestCertificates.certificate(
                "leaf", keys, VALID, "root", authority.getPrivate(), false, null, numbers);
    }

    @Test
    void nobodyMakesUsFetchFromAHostThatIsNotOnTheList() throws Exception {
        root();
        String header = signed(signer(true, null), ALICE, BOB, "");
        CredentialCache cache = cache(TrustFolder.read(folder), "other.example.org");
        assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().status())
                .isEqualTo(436);
        for (String place :
                List.of(
                        "https://other.example.org:8443/x",
                        "https://u@other.example.org/x",
                        "https://169.254.169.254/x",
                        "https://x.other.example.org/x")) {
            assertThat(cache.find(URI.create(place)).toCompletableFuture())
                    .isCompletedExceptionally();
        }
        assertThat(fetched).isEmpty();
    }

    @Test
    void aCertificateIsFetchedOnceAndKept() throws Exception {
        X509Certificate root = root();
        String header = signed(signer(true, null), ALICE, BOB, "");
        CredentialCache cache = cache(TrustFolder.read(folder), "cert.example.org");
        CompletableFuture<IdentityResult> one = fetchAndVerify(cache, header).toCompletableFuture();
        CompletableFuture<IdentityResult> two = fetchAndVerify(cache, header).toCompletableFuture();
        assertThat(one).isNotDone();
        serve(leaf(TestCertificates.provider("1234")), root);
        assertThat(one.get().valid()).isTrue();
        assertThat(two.get().valid()).isTrue();
        clock += 3_599_000;
        assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().valid()).isTrue();
        assertThat(fetched).hasSize(1);
        clock += 2_000;
        assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().valid()).isTrue();
        assertThat(fetched).hasSize(2);
    }

    @Test
    void aFailureIsRememberedForAMinute() throws Exception {
        root();
        String header = signed(signer(true, null), ALICE, BOB, "");
        CredentialCache cache = cache(TrustFolder.read(folder), "cert.example.org");
        CompletableFuture<IdentityResult> one = fetchAndVerify(cache, header).toCompletableFuture();
        web.get(URI.create(INFO)).completeExceptionally(new IllegalStateException("no route"));
        assertThat(one.get()).isEqualTo(IdentityResult.failed(436, "Bad Identity Info"));
        assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().status())
                .isEqualTo(436);
        assertThat(fetched).hasSize(1);
        clock += 61_000;
        web.clear();
        assertThat(fetchAndVerify(cache, header).toCompletableFuture()).isNotDone();
        assertThat(fetched).hasSize(2);
    }

    @Test
    void whatIsKeptAndWhatIsBeingFetchedAreBounded() throws Exception {
        root();
        CredentialCache cache = cache(TrustFolder.read(folder), "cert.example.org");
        for (int i = 0; i < 40; i++) {
            CompletionStage<Credential> found =
                    cache.find(URI.create("https://cert.example.org/" + i));
            assertThat(found.toCompletableFuture().isCompletedExceptionally()).isEqualTo(i >= 32);
        }
        web.values().forEach(f -> f.complete(new byte[0]));
        for (int i = 100; i < 1_300; i++) {
            cache.find(URI.create("https://cert.example.org/" + i));
            web.values().forEach(f -> f.complete(new byte[0]));
        }
        assertThat(cache.failures()).isEqualTo(1_000);
        assertThat(cache.size()).isZero();
    }

    @Test
    void aChainThatLeadsToNobodyWeTrustIsUnsupported() throws Exception {
        root();
        KeyPair mallory = TestCertificates.keys();
        String header = signed(signer(true, null), ALICE, BOB, "");
        CredentialCache cache = cache(TrustFolder.read(folder), "cert.example.org");
        serve(
                TestCertificates.certificate(
                        "leaf",
                        keys,
                        VALID,
                        "root",
                        mallory.getPrivate(),
                        false,
                        null,
                        TestCertificates.provider("1234")));
        assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().status())
                .isEqualTo(437);
    }

    /** RFC 8226: a certificate that was fetched says for which numbers it is good. */
    @Test
    void aFetchedCertificateSignsForItsNumbersAlone() throws Exception {
        X509Certificate root = root();
        Map<String, Integer> expected = new HashMap<>();
        expected.put("provider", 200);
        expected.put("range", 200);
        expected.put("one", 200);
        expected.put("otherRange", 438);
        expected.put("otherOne", 438);
        expected.put("none", 438);
        expected.put("garbage", 438);
        String header = signed(signer(true, null), ALICE, BOB, "");
        for (Map.Entry<String, Integer> each : expected.entrySet()) {
            byte[] list =
                    switch (each.getKey()) {
                        case "provider" -> TestCertificates.provider("1234");
                        case "range" -> TestCertificates.range("12155551200", 100);
                        case "one" -> TestCertificates.one("12155551212");
                        case "otherRange" -> TestCertificates.range("12155551213", 100);
                        case "otherOne" -> TestCertificates.one("12155551213");
                        case "garbage" -> new byte[] {(byte) 0xA1, 0x7F, 1};
                        default -> null;
                    };
            web.clear();
            serve(leaf(list), root);
            CredentialCache cache = cache(TrustFolder.read(folder), "cert.example.org");
            assertThat(fetchAndVerify(cache, header).toCompletableFuture().get().status())
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    // ---- signing ----

    @Test
    void onlyOwnIdentitiesAreSigned() {
        Es256Signer signer = signer(true, null);
        assertThat(signed(signer, "sip:+49301234567@example.com", BOB, "")).isNull();
        assertThat(signed(signer, "sip:alice@example.org", BOB, "")).isNull();
        assertThat(signed(signer, "sip:alice@EXAMPLE.com", BOB, "")).isNotNull();
        assertThat(
                        signer.sign(
                                request(ALICE, BOB, "", "Date: " + date(NOW - 61_000)),
                                NOW,
                                Originator.APPLICATION))
                .as("stale")
                .isNull();
        assertThatThrownBy(() ->
                        new Es256Signer(
                                keys.getPrivate(),
                                "http://x",
                                List.of(),
                                List.of(),
                                true,
                                null,
                                null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://x");
    }
}

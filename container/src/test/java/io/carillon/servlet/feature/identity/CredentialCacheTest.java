package io.carillon.servlet.feature.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are kept: nobody's failures cost others theirs (RFC 8224 section 6.2). */
class CredentialCacheTest {
    private static final int[] VALID = {2000, 2049};
    private static final InetAddress MALLORY = InetAddress.ofLiteral("192.0.2.66");
    private static final InetAddress ALICE = InetAddress.ofLiteral("192.0.2.2");

    @TempDir Path folder;
    private final KeyPair authority = TestCertificates.keys();
    private final Map<URI, CompletableFuture<byte[]>> web = new HashMap<>();
    private long clock = 1_700_000_000_000L;
    private byte[] good = {};

    @BeforeEach
    void trust() throws Exception {
        Files.writeString(
                folder.resolve("root.pem"),
                TestCertificates.pem(
                        TestCertificates.certificate(
                                "root",
                                authority,
                                VALID,
                                null,
                                authority.getPrivate(),
                                true,
                                null,
                                null)));
        good =
                TestCertificates.pem(
                                TestCertificates.certificate(
                                        "leaf",
                                        TestCertificates.keys(),
                                        VALID,
                                        "root",
                                        authority.getPrivate(),
                                        false,
                                        null,
                                        TestCertificates.provider("1234")))
                        .getBytes(StandardCharsets.US_ASCII);
    }

    private CredentialCache cache(int certificates, int fetches, String... hosts) {
        return new CredentialCache(
                TrustFolder.read(folder),
                place -> web.computeIfAbsent(place, p -> new CompletableFuture<>()),
                Set.of(hosts),
                3_600_000,
                new CredentialCache.Limits(certificates, fetches),
                () -> clock);
    }

    private CompletionStage<Credential> find(
            CredentialCache cache, String place, InetAddress source) {
        return cache.find(URI.create("https://" + place), source);
    }

    private void answer(String place, byte[] bytes) {
        CompletableFuture<byte[]> asked = web.remove(URI.create("https://" + place));
        assertThat(asked).as(place).isNotNull();
        asked.complete(bytes);
    }

    @Test
    void failuresPushOutNoCertificate() {
        CredentialCache cache = cache(10, 4, "a.example");
        CompletionStage<Credential> first = find(cache, "a.example/good", ALICE);
        answer("a.example/good", good);
        assertThat(first).isCompleted();
        for (int i = 0; i < 100; i++) {
            find(cache, "a.example/" + i, MALLORY);
            answer("a.example/" + i, new byte[0]);
        }
        assertThat(cache.failures()).isEqualTo(10);
        assertThat(find(cache, "a.example/good", ALICE)).isCompleted();
        assertThat(web).isEmpty();
        assertThat(cache.counters()).containsEntry("certificates_forgotten", 0L);
    }

    @Test
    void certificatesGiveWayToCertificatesTheLeastUsedFirst() {
        CredentialCache cache = cache(10, 4, "a.example");
        for (int i = 0; i < 11; i++) {
            find(cache, "a.example/" + i, ALICE);
            answer("a.example/" + i, good);
            assertThat(find(cache, "a.example/0", ALICE)).isCompleted();
        }
        assertThat(cache.size()).isEqualTo(10);
        assertThat(find(cache, "a.example/1", ALICE)).isNotDone();
        assertThat(cache.counters()).containsEntry("certificates_forgotten", 1L);
    }

    @Test
    void noSourceTakesAllFetches() {
        CredentialCache cache = cache(10, 4, "a.example");
        for (int i = 0; i < 10; i++) {
            CompletionStage<Credential> his = find(cache, "a.example/" + i, MALLORY);
            assertThat(his.toCompletableFuture().isCompletedExceptionally()).isEqualTo(i >= 2);
        }
        assertThat(find(cache, "a.example/good", ALICE)).isNotDone();
        assertThat(cache.counters()).containsEntry("certificate_fetches_refused", 8L);
        answer("a.example/0", new byte[0]);
        assertThat(find(cache, "a.example/11", MALLORY)).isNotDone();
    }

    @Test
    void severalSourcesLeaveAFetchForTheNextOne() {
        CredentialCache cache = cache(10, 16, "a.example");
        for (int i = 0; i < 100; i++) {
            find(cache, "a.example/" + i, InetAddress.ofLiteral("198.51.100." + i % 5));
        }
        assertThat(find(cache, "a.example/good", ALICE)).isNotDone();
    }

    @Test
    void oneIpv6NetworkIsOneSource() {
        CredentialCache cache = cache(10, 4, "a.example");
        for (int i = 0; i < 10; i++) {
            find(cache, "a.example/" + i, InetAddress.ofLiteral("2001:db8::" + i));
        }
        assertThat(find(cache, "a.example/x", InetAddress.ofLiteral("2001:db8:0:1::1")))
                .isNotDone();
    }

    @Test
    void ofSeveralHostsNoneTakesAllFetches() {
        CredentialCache cache = cache(10, 4, "a.example", "b.example:8443");
        find(cache, "a.example/1", ALICE);
        find(cache, "a.example/2", MALLORY);
        assertThat(find(cache, "a.example/3", InetAddress.ofLiteral("192.0.2.3")))
                .isCompletedExceptionally();
        assertThat(find(cache, "b.example:8443/1", InetAddress.ofLiteral("192.0.2.3"))).isNotDone();
    }
}

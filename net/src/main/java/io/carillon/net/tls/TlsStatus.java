package io.carillon.net.tls;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What TLS does now.
 *
 * @param provider who does the cryptography
 * @param certificates ours; empty while nothing needed TLS
 * @param loaded when they were read
 * @param reloads times they were read anew since the start
 * @param reloadFailures times new files were no good and the old ones stayed in use
 * @param lastFailure what was wrong the last time; null when the files in use are the newest
 * @param counts handshakes by side and outcome
 */
public record TlsStatus(
        String provider,
        List<CertificateStatus> certificates,
        Instant loaded,
        long reloads,
        long reloadFailures,
        @Nullable String lastFailure,
        Map<String, Long> counts) {}

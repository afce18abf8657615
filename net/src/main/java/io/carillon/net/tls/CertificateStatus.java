package io.carillon.net.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One certificate of ours, as status and metrics show it.
 *
 * @param names server names for which it is shown
 * @param subject whose it is
 * @param issuer who made it
 * @param keyType {@code EC 256} or {@code RSA 2048}
 * @param notBefore begin of its validity
 * @param notAfter end of its validity
 * @param file where it was read from
 * @param standard is it shown to clients that name no server or an unknown one
 */
public record CertificateStatus(
        List<String> names,
        String subject,
        String issuer,
        String keyType,
        Instant notBefore,
        Instant notAfter,
        Path file,
        boolean standard) {

    /** Time until it expires; negative afterwards. */
    public Duration left(Instant now) {
        return Duration.between(now, notAfter);
    }
}

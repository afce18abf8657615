package io.carillon.server.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signing identities (RFC 8224).
 *
 * @param mode which requests
 * @param key private key
 * @param certificate where verifiers find the certificate
 * @param numbers ours
 * @param form of the plain PASSporT
 * @param attest of SHAKEN
 * @param origid of SHAKEN
 */
public record SignSettings(
        @Setting(
                        value =
                                "Which initial INVITE and MESSAGE requests are signed: `off`,"
                                        + " none; `sent`, those of applications; `all`, those that"
                                        + " proxies forward too.",
                        more =
                                "`sent` includes the legs of a B2BUA. A request that has an"
                                        + " Identity is passed on as it is.",
                        standard = "off")
                Mode mode,
        @Setting(value = "File of the private key: P-256, PKCS #8, PEM.", standardText = "none")
                @Nullable Path key,
        @Setting(
                        value = "https URL of its certificate, the info of Identity.",
                        standardText = "none")
                @Nullable String certificate,
        @Setting(
                        value =
                                "Prefixes of the telephone numbers that are ours, digits with the country code. Of URIs"
                                        + " those in identity.domains are.",
                        standardText = "none")
                List<String> numbers,
        @Setting(
                        value =
                                "full, or compact: the signature alone, the rest is taken from the request.",
                        standard = "full")
                Form form,
        @Setting(
                        value =
                                "`none`: plain PASSporTs, for known callers. `a`, `b`, `c`: SHAKEN"
                                        + " ones, and the most that they attest; less where less"
                                        + " is known of a caller.",
                        standard = "none")
                Attest attest,
        @Setting(
                        value = "origid of SHAKEN, a UUID that names this server.",
                        standardText = "a new one for each call")
                @Nullable String origid) {
    /** Which requests are signed. */
    public enum Mode {
        OFF,
        SENT,
        ALL
    }

    /** How the PASSporT is carried. */
    public enum Form {
        FULL,
        COMPACT
    }

    /** Attestation of SHAKEN. */
    public enum Attest {
        NONE,
        A,
        B,
        C
    }

    public SignSettings {
        if (mode != Mode.OFF
                && (key == null || certificate == null || !certificate.startsWith("https://"))) {
            throw new IllegalArgumentException(
                    "sign needs key and certificate, the https URL of its certificate");
        }
        for (String prefix : numbers) {
            if (!prefix.chars().allMatch(c -> c >= '0' && c <= '9')) {
                throw new IllegalArgumentException(
                        "numbers are prefixes of digits, not '" + prefix + "'");
            }
        }
    }
}

package io.carillon.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifying signed identities (RFC 8224).
 *
 * @param mode what comes of it
 * @param trustFolder certificates that are trusted
 * @param fetchHosts from where certificates are fetched
 * @param fetchTimeout how long that may take
 * @param keep how long they are kept
 * @param certificates that are kept
 * @param fetches under way at once
 * @param fresh how old a signature may be
 * @param remembered signatures, each good for one call
 */
public record VerifySettings(
        @Setting(
                        value =
                                "off; report: applications find the outcome in attributes of initial INVITE and MESSAGE"
                                        + " requests; require: those without a valid identity are refused.",
                        standard = "off")
                Mode mode,
        @Setting(
                        value =
                                "Folder of trusted certificates, PEM or DER: authorities in it, certificates of"
                                        + " https://HOST/.../FILE as HOST/FILE below it. Read at the start.",
                        standardText = "none")
                @Nullable Path trustFolder,
        @Setting(
                        value =
                                "Hosts, as HOST or HOST:PORT, from which certificates may be fetched by https. Callers"
                                        + " choose the URL, so nothing is fetched from any other.",
                        standardText = "none: nothing is fetched")
                List<String> fetchHosts,
        @Setting(
                        value = "How long fetching a certificate may take.",
                        standard = "3 s",
                        min = "100 ms",
                        max = "20 s")
                Duration fetchTimeout,
        @Setting(
                        value = "How long a fetched certificate is kept.",
                        standard = "12 h",
                        min = "1 min",
                        max = "240 h")
                Duration keep,
        @Setting(
                        value = "Fetched certificates that are kept, and as many failures.",
                        standard = "1000",
                        min = "10",
                        max = "100000",
                        metrics = "identity.certificates_forgotten")
                int certificates,
        @Setting(
                        value =
                                "Certificates that are fetched at once; one source, and one of several hosts, gets as many as it leaves free.",
                        standard = "64",
                        min = "2",
                        max = "1000",
                        metrics = "identity.certificate_fetches_refused")
                int fetches,
        @Setting(
                        value = "How far the time of a signature may be from now.",
                        standard = "60 s",
                        min = "1 s",
                        max = "10 min")
                Duration fresh,
        @Setting(
                        value =
                                "Valid PASSporTs that are remembered while they are fresh: one"
                                        + " that comes with another Call-ID is refused. 0: none.",
                        more = "0 is for peers that send one call again with another Call-ID.",
                        standard = "100000",
                        min = "0",
                        max = "10000000",
                        metrics = "identity.remembered_passports_forgotten")
                int remembered) {
    /** What comes of an identity. */
    public enum Mode {
        OFF,
        REPORT,
        REQUIRE
    }

    public VerifySettings {
        if (mode != Mode.OFF && trustFolder == null) {
            throw new IllegalArgumentException("verify needs trust-folder");
        }
    }
}

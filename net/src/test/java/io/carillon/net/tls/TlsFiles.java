package io.carillon.net.tls;

import io.carillon.net.tls.CertificateMaker.Made;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Certificates of a test, made on the spot, in a folder of the test. */
final class TlsFiles {

    static final Instant NOW = Instant.now();
    static final Made AUTHORITY =
            CertificateMaker.of(List.of("Test Authority"), Duration.ofDays(3650))
                    .asAuthority()
                    .selfSigned();

    private final Path folder;

    TlsFiles(Path folder) {
        this.folder = folder;
    }

    /** Signed by the test's authority. */
    static Made signed(String... names) {
        return CertificateMaker.of(List.of(names), Duration.ofDays(90)).signedBy(AUTHORITY);
    }

    static Made expired(String... names) {
        return CertificateMaker.of(List.of(names), Duration.ofDays(90))
                .withValidity(NOW.minus(Duration.ofDays(30)), NOW.minus(Duration.ofDays(1)))
                .signedBy(AUTHORITY);
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path authority() {
        return write("authority.pem", AUTHORITY.certificatePem());
    }

    CertificateSource source(String at, Made made, List<String> names) {
        return new CertificateSource(
                at,
                write(at + ".crt", made.certificatePem()),
                write(at + ".key", made.keyPem()),
                null,
                names);
    }

    /** The configuration of a server with these certificates, which believes the authority. */
    TlsConfig config(Made... certificates) {
        List<CertificateSource> sources = new java.util.ArrayList<>();
        for (Made one : certificates) {
            sources.add(source("certificates" + sources.size(), one, List.of()));
        }
        return TlsConfig.of(sources).withTrust(authority(), null);
    }
}

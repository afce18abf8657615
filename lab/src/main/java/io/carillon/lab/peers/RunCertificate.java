package io.carillon.lab.peers;

import io.carillon.net.tls.CertificateMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A certificate for 127.0.0.1 on P-256 that signs itself, made for one run, and its key: the same
 * for all servers of it, so that their handshakes cost alike.
 */
record RunCertificate(Path certificate, Path key) {
    /** That of a folder, made where there is none. */
    static RunCertificate in(Path folder) throws IOException {
        Files.createDirectories(folder);
        RunCertificate own =
                new RunCertificate(folder.resolve("certificate.pem"), folder.resolve("key.pem"));
        if (!Files.exists(own.key)) {
            CertificateMaker.Made made =
                    CertificateMaker.of(List.of("localhost", "127.0.0.1"), Duration.ofDays(90))
                            .selfSigned();
            Files.writeString(own.certificate, made.certificatePem());
            Files.writeString(own.key, made.keyPem());
        }
        return own;
    }
}

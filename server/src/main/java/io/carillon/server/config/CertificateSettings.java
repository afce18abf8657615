package io.carillon.server.config;

import io.carillon.net.tls.CertificateSource;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One certificate of ours.
 *
 * @param certificate PEM or PKCS#12
 * @param key PEM
 * @param keyPasswordFile opens the key
 * @param names it is shown for
 */
public record CertificateSettings(
        @Setting(
                        reload = true,
                        value =
                                "PEM file with the certificate and behind it those of its authorities; or a PKCS#12"
                                        + " file with certificates and key.",
                        standardText = "has to be given",
                        common = true)
                @Nullable Path certificate,
        @Setting(
                        reload = true,
                        value =
                                "PEM file with the private key: PKCS#8, or the older forms of RSA and of elliptic curves.",
                        standardText = "in the file of the certificate",
                        common = true)
                @Nullable Path key,
        @Setting(
                        reload = true,
                        value =
                                "File whose first line is the password of the key, or of the PKCS#12 file.",
                        standardText = "the key is not enciphered",
                        common = true)
                @Nullable Path keyPasswordFile,
        @Setting(
                        reload = true,
                        value =
                                "Server names (SNI) for which it is shown; `*.example.com` stands for all names of"
                                        + " that level.",
                        standardText = "the names it is made out to")
                List<String> names) {

    /**
     * In the words of the module below.
     *
     * @param number its place in the list, from 0
     */
    CertificateSource source(int number) {
        if (certificate == null) {
            throw new IllegalStateException("checked when it was read");
        }
        return new CertificateSource(
                "certificates[" + number + "]", certificate, key, keyPasswordFile, names);
    }
}

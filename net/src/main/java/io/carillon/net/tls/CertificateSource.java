package io.carillon.net.tls;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one certificate of ours comes from.
 *
 * @param at the setting that names it, for errors, as in {@code certificates[0]}
 * @param certificate PEM with the certificate and its chain, or PKCS#12 with chain and key
 * @param key PEM with the private key; null: the key stands in the file of the certificate
 * @param keyPasswordFile file whose first line opens the key or the PKCS#12; null: none is needed
 * @param names server names (SNI) for which it is used, {@code *.example.com} for all of one level;
 *     empty: those it is made out to
 */
public record CertificateSource(
        String at,
        Path certificate,
        @Nullable Path key,
        @Nullable Path keyPasswordFile,
        List<String> names) {

    public CertificateSource {
        names = List.copyOf(names);
    }

    /** Certificate and key in PEM files of their own. */
    public static CertificateSource of(String at, Path certificate, Path key) {
        return new CertificateSource(at, certificate, key, null, List.of());
    }
}

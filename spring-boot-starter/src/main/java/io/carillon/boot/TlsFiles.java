package io.carillon.boot;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.CertificateSource;
import io.carillon.net.tls.LiveTlsContexts;
import io.carillon.net.tls.TlsConfig;
import io.carillon.net.tls.TlsFault;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what {@code carillon.tls} names. Stateless. */
final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

    private TlsFiles() {}

    /**
     * Without certificates and trust nothing is read before a connection needs TLS.
     *
     * @param points all listening points
     * @return looks after its files until it is closed
     * @throws IOException naming the property and what is allowed
     */
    static LiveTlsContexts open(CarillonProperties.Tls tls, List<ListeningPoint> points)
            throws IOException {
        for (ListeningPoint point : points) {
            if (point.transport().secure() && tls.certificates().isEmpty()) {
                throw new IOException(
                        LiveTlsContexts.listener(point)
                                + " needs a certificate: carillon.tls.certificates names its files;"
                                + " ./carillon tls self-signed makes one for trials");
            }
        }
        boolean meant =
                !tls.certificates().isEmpty() || tls.trust() != null || tls.clientTrust() != null;
        TlsConfig config = config(tls);
        try {
            LiveTlsContexts contexts =
                    meant ? LiveTlsContexts.open(config) : LiveTlsContexts.whenNeeded(config);
            contexts.unproven(points).forEach(LOG::warn);
            contexts.watch();
            return contexts;
        } catch (TlsFault e) {
            throw new IOException("carillon.tls." + e.key() + ": " + e.getMessage(), e);
        }
    }

    private static TlsConfig config(CarillonProperties.Tls tls) {
        List<CertificateSource> sources = new ArrayList<>();
        for (CarillonProperties.Certificate one : tls.certificates()) {
            sources.add(
                    new CertificateSource(
                            "certificates[" + sources.size() + "]",
                            one.certificate().toPath(),
                            path(one.key()),
                            path(one.keyPasswordFile()),
                            one.names()));
        }
        return TlsConfig.of(sources)
                .withTrust(path(tls.trust()), path(tls.clientTrust()))
                .withClientCertificates(tls.clientCertificates())
                .withVerify(tls.verify());
    }

    private static @Nullable Path path(@Nullable File file) {
        return file == null ? null : file.toPath();
    }
}

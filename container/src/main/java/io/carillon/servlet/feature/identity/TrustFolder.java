package io.carillon.servlet.feature.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that the operator trusts: those in the folder itself are authorities, those in a
 * folder {@code HOST} below it are what {@code https://HOST/.../FILE} names, by the file's name.
 * PEM or DER; read once. Immutable.
 */
@SuppressWarnings("JavaUtilDate") // what certificates have
public final class TrustFolder implements CredentialSource {
    private static final int MAX_BYTES = 65_536;
    private static final int MAX_CHAIN = 10;

    private final Set<TrustAnchor> anchors;
    private final Map<String, X509Certificate> byPlace;

    private TrustFolder(Set<TrustAnchor> anchors, Map<String, X509Certificate> byPlace) {
        this.anchors = anchors;
        this.byPlace = byPlace;
    }

    /**
     * @throws IllegalArgumentException naming the file that holds no certificate, or a folder that
     *     cannot be read
     */
    public static TrustFolder read(Path folder) {
        Set<TrustAnchor> anchors = new HashSet<>();
        Map<String, X509Certificate> byPlace = new HashMap<>();
        for (Path entry : list(folder)) {
            if (!Files.isDirectory(entry)) {
                for (X509Certificate authority : certificates(entry)) {
                    anchors.add(new TrustAnchor(authority, null));
                }
                continue;
            }
            String host = String.valueOf(entry.getFileName()).toLowerCase(Locale.ROOT);
            for (Path file : list(entry)) {
                byPlace.put(host + '/' + file.getFileName(), certificates(file).getFirst());
            }
        }
        return new TrustFolder(Set.copyOf(anchors), Map.copyOf(byPlace));
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(f -> !f.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the folder " + folder + " of trusted certificates cannot be read", e);
        }
    }

    private static List<X509Certificate> certificates(Path file) {
        try {
            return parse(Files.readAllBytes(file));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " holds no certificate", e);
        }
    }

    /** One or more certificates, PEM or DER; the leaf first. */
    static List<X509Certificate> parse(byte[] bytes) throws GeneralSecurityException {
        if (bytes.length > MAX_BYTES) {
            throw new GeneralSecurityException("certificates of " + bytes.length + " bytes");
        }
        List<X509Certificate> chain = new ArrayList<>();
        Collection<?> all =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(bytes));
        for (Object one : all) {
            if (one instanceof X509Certificate certificate && chain.size() < MAX_CHAIN) {
                chain.add(certificate);
            }
        }
        if (chain.isEmpty()) {
            throw new GeneralSecurityException("no certificate");
        }
        return chain;
    }

    @Override
    public CompletionStage<Credential> find(URI info) {
        Credential known = local(info);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : CompletableFuture.failedFuture(new CredentialFailure(436, "Bad Identity Info"));
    }

    @Nullable Credential local(URI info) {
        String path = info.getPath();
        String host = info.getHost();
        if (path == null || host == null) {
            return null;
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        X509Certificate found = byPlace.get(host.toLowerCase(Locale.ROOT) + '/' + name);
        return found == null ? null : new Credential(found, true);
    }

    /**
     * The leaf of a chain that leads to an authority of ours. Revocation is not asked for: that
     * would be another fetch.
     *
     * @throws CredentialFailure 437 when it does not
     */
    Credential trusted(byte[] fetched, long nowMillis) throws CredentialFailure {
        try {
            List<X509Certificate> chain = parse(fetched);
            X509Certificate last = chain.getLast();
            if (chain.size() > 1 && isAnchor(last)) {
                chain = chain.subList(0, chain.size() - 1);
            }
            CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(chain);
            if (anchors.isEmpty()) {
                throw new CredentialFailure(437, "Unsupported Credential");
            }
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(new Date(nowMillis));
            parameters.addCertPathChecker(new TnAuthList.Known());
            CertPathValidator.getInstance("PKIX").validate(path, parameters);
            return new Credential(chain.getFirst(), false);
        } catch (GeneralSecurityException e) {
            throw new CredentialFailure(437, "Unsupported Credential");
        }
    }

    private boolean isAnchor(X509Certificate certificate) {
        for (TrustAnchor anchor : anchors) {
            if (certificate.equals(anchor.getTrustedCert())) {
                return true;
            }
        }
        return false;
    }
}

package io.carillon.net.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * One certificate of ours with its key.
 *
 * @param source where it came from
 * @param chain the certificate, then those of its authorities
 * @param key belongs to the first of the chain
 * @param names server names for which it is shown, in lower case
 */
record Credential(
        CertificateSource source, List<X509Certificate> chain, PrivateKey key, List<String> names) {

    X509Certificate certificate() {
        return chain.getFirst();
    }

    /** {@code EC} or {@code RSA}. */
    String keyType() {
        return key.getAlgorithm();
    }

    /** Says nothing of the key. */
    @Override
    public String toString() {
        return "certificate for " + names + " from " + source.certificate();
    }
}

package io.carillon.net.tls;

import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether we believe a peer: the chain by the JDK's rules (RFC 5280), then the domain by
 * those of RFC 5922. Any thread.
 */
final class PeerTrust extends X509ExtendedTrustManager {

    private static final X509Certificate[] NOBODY = {};

    private final X509ExtendedTrustManager chains;
    private final Verify verify;
    private final TlsProvider provider;

    /**
     * @param chains judges chains
     * @param verify how far servers are checked; clients always by their chain
     * @param provider who asks
     */
    PeerTrust(X509ExtendedTrustManager chains, Verify verify, TlsProvider provider) {
        this.chains = chains;
        this.verify = verify;
        this.provider = provider;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        if (verify == Verify.NONE) {
            return;
        }
        try {
            chains.checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw provider.alerting(rejected(chain, e));
        }
        if (verify == Verify.FULL) {
            PeerRejected wrong = wrongDomain(chain[0], engine.getPeerHost());
            if (wrong != null) {
                throw provider.alerting(wrong);
            }
        }
    }

    /**
     * RFC 5922 7.3: "the client MUST compare the original domain portion of the SIP AUS used as
     * input to the RFC 3263 server location procedures to the SIP domain identities obtained from
     * the certificate." An address in digits is no domain: it has to stand in the certificate as
     * such.
     */
    private static @Nullable PeerRejected wrongDomain(
            X509Certificate certificate, @Nullable String domain) {
        List<String> identities = PeerIdentities.domains(certificate);
        List<String> addresses = PeerIdentities.addresses(certificate);
        if (domain == null
                || PeerIdentities.matches(identities, domain)
                || PeerIdentities.matches(addresses, domain)) {
            return null;
        }
        String madeOut =
                identities.isEmpty() && addresses.isEmpty()
                        ? "nobody"
                        : String.join(", ", identities.isEmpty() ? addresses : identities);
        return new PeerRejected(
                HandshakeOutcome.WRONG_NAME,
                "the certificate is made out to "
                        + CertificateText.of(madeOut)
                        + ", not to "
                        + CertificateText.of(domain));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            chains.checkClientTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw provider.alerting(rejected(chain, e));
        }
    }

    private static PeerRejected rejected(X509Certificate[] chain, CertificateException e) {
        String whose =
                "the certificate of " + CertificateText.of(chain[0].getSubjectX500Principal());
        for (Throwable at = e; at != null; at = at.getCause()) {
            boolean dated =
                    at instanceof CertificateExpiredException
                            || at instanceof CertificateNotYetValidException
                            || (at instanceof CertPathValidatorException path
                                    && path.getReason()
                                            == CertPathValidatorException.BasicReason.EXPIRED);
            if (dated) {
                return new PeerRejected(
                        HandshakeOutcome.EXPIRED,
                        whose
                                + " is valid from "
                                + chain[0].getNotBefore().toInstant()
                                + " to "
                                + chain[0].getNotAfter().toInstant(),
                        e);
            }
        }
        return new PeerRejected(
                HandshakeOutcome.UNTRUSTED,
                whose + " is not trusted: " + CertificateText.of(String.valueOf(e.getMessage())),
                e);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return verify == Verify.NONE ? NOBODY : chains.getAcceptedIssuers();
    }

    // Only engines are used here; whoever came without one would not be checked against a domain.

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("no connection to check");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("no connection to check");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("no connection to check");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("no connection to check");
    }
}

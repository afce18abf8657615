package io.carillon.net.tls;

import java.security.cert.CertificateException;

/** We do not believe the certificate of our peer. */
final class PeerRejected extends CertificateException {

    private static final long serialVersionUID = 1L;

    private final HandshakeOutcome outcome;

    PeerRejected(HandshakeOutcome outcome, String message) {
        super(message);
        this.outcome = outcome;
    }

    PeerRejected(HandshakeOutcome outcome, String message, Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    HandshakeOutcome outcome() {
        return outcome;
    }
}

package io.carillon.net.tls;

import io.carillon.sip.hop.TlsPeer;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** What a handshake tells of itself when it is over. Any thread. */
public final class HandshakeFailure {

    private HandshakeFailure() {}

    /** Why it failed, as half a sentence without anything that a log should not hold. */
    public static String reason(Throwable failure) {
        HandshakeOutcome outcome = HandshakeOutcome.of(failure);
        return switch (outcome) {
            case OK, OTHER -> Printable.of(innermost(failure));
            case UNTRUSTED, EXPIRED, WRONG_NAME -> rejected(failure);
            case NO_CERTIFICATE -> "the peer showed no certificate";
            case VERSION -> "no version of TLS in common; 1.2 and 1.3 are spoken here (RFC 8996)";
            case CIPHER -> "no cipher suite in common";
            case REFUSED -> "the peer refused: " + Printable.of(innermost(failure));
            case NO_TLS -> "what came is no TLS";
            case TIMEOUT -> "the peer took too long";
            case CLOSED -> "the peer closed the connection";
        };
    }

    private static String rejected(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof PeerRejected) {
                return String.valueOf(at.getMessage());
            }
        }
        return Printable.of(innermost(failure));
    }

    private static String innermost(Throwable failure) {
        Throwable at = failure;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
    }

    /** Who the peer of a finished handshake is. */
    static TlsPeer peerOf(SslHandler handler, boolean verified) {
        SSLSession session = handler.engine().getSession();
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate one : session.getPeerCertificates()) {
                if (one instanceof X509Certificate certificate) {
                    chain.add(certificate);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            chain.clear(); // a client that showed none: it has no identity
        }
        List<String> identities =
                chain.isEmpty() || !verified ? List.of() : PeerIdentities.domains(chain.getFirst());
        return new TlsPeer(session.getProtocol(), session.getCipherSuite(), chain, identities);
    }
}

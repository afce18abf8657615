package io.carillon.net.tls;

import io.carillon.sip.hop.TlsPeer;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What a handshake tells of itself when it is over. Any thread. */
public final class HandshakeFailure {

    private HandshakeFailure() {}

    /** Why it failed, as half a sentence without anything that a log should not hold. */
    public static String reason(Throwable failure) {
        HandshakeOutcome outcome = outcome(failure);
        return switch (outcome) {
            case OK, OTHER -> CertificateText.of(innermost(failure));
            case UNTRUSTED, EXPIRED, WRONG_NAME -> rejected(failure);
            case NO_CERTIFICATE -> "the peer showed no certificate";
            case VERSION -> "no version of TLS in common; 1.2 and 1.3 are spoken here (RFC 8996)";
            case CIPHER -> "no cipher suite in common";
            case REFUSED -> "the peer refused: " + CertificateText.of(innermost(failure));
            case NO_TLS -> "what came is no TLS";
            case TIMEOUT -> "the peer took too long";
            case CLOSED -> "the peer closed the connection";
        };
    }

    /** What a failed handshake's exception says. The providers tell much of it in words only. */
    public static HandshakeOutcome outcome(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            HandshakeOutcome known = ofOne(at);
            if (known != null) {
                return known;
            }
        }
        return HandshakeOutcome.OTHER;
    }

    private static @Nullable HandshakeOutcome ofOne(Throwable failure) {
        return switch (failure) {
            case PeerRejected rejected -> rejected.outcome();
            case CertificateExpiredException e -> HandshakeOutcome.EXPIRED;
            case CertificateNotYetValidException e -> HandshakeOutcome.EXPIRED;
            case SslHandshakeTimeoutException e -> HandshakeOutcome.TIMEOUT;
            case NotSslRecordException e -> HandshakeOutcome.NO_TLS;
            case ClosedChannelException e -> HandshakeOutcome.CLOSED;
            default -> ofWords(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT));
        };
    }

    private static @Nullable HandshakeOutcome ofWords(String words) {
        if (anyOf(
                words,
                "did_not_return_a_certificate",
                "empty client certificate",
                "empty server")) {
            return HandshakeOutcome.NO_CERTIFICATE;
        }
        if (anyOf(words, "received fatal alert", "_alert_", "alert_", "alert number")) {
            return anyOf(words, "protocol_version")
                    ? HandshakeOutcome.VERSION
                    : HandshakeOutcome.REFUSED;
        }
        if (anyOf(words, "unsupported_protocol", "client requested protocol", "protocol_version")) {
            return HandshakeOutcome.VERSION;
        }
        if (anyOf(
                words,
                "no_shared_cipher",
                "no cipher suites in common",
                "no available authentic")) {
            return HandshakeOutcome.CIPHER;
        }
        if (anyOf(
                words, "wrong_version_number", "http_request", "not an ssl", "unrecognized ssl")) {
            return HandshakeOutcome.NO_TLS;
        }
        return anyOf(words, "connection reset", "closed", "broken pipe")
                ? HandshakeOutcome.CLOSED
                : null;
    }

    private static boolean anyOf(String words, String... some) {
        for (String one : some) {
            if (words.contains(one)) {
                return true;
            }
        }
        return false;
    }

    private static String rejected(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof PeerRejected) {
                return String.valueOf(at.getMessage());
            }
        }
        return CertificateText.of(innermost(failure));
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

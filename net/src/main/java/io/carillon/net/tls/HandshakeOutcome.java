package io.carillon.net.tls;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a handshake ended. The text is the end of a metric's name. */
public enum HandshakeOutcome {
    OK("ok"),
    /** We do not know the authority behind the peer's certificate, or it is misused. */
    UNTRUSTED("untrusted"),
    /** The peer's certificate is expired, or not valid yet. */
    EXPIRED("expired"),
    /** The peer's certificate is another's (RFC 5922). */
    WRONG_NAME("wrong_name"),
    /** A client without the certificate that it has to have. */
    NO_CERTIFICATE("no_certificate"),
    /** No version in common: the peer knows only TLS 1.1 or older. */
    VERSION("version"),
    /** No cipher suite in common. */
    CIPHER("cipher"),
    /** The peer refused, most often because it does not believe our certificate. */
    REFUSED("refused"),
    /** What came is no TLS. */
    NO_TLS("no_tls"),
    /** The peer took too long. */
    TIMEOUT("timeout"),
    /** The peer closed the connection meanwhile. */
    CLOSED("closed"),
    OTHER("other");

    private final String text;

    HandshakeOutcome(String text) {
        this.text = text;
    }

    /** Lower-case name, words joined by underscores. */
    public String text() {
        return text;
    }

    /** What a failed handshake's exception says. The providers tell much of it in words only. */
    static HandshakeOutcome of(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            HandshakeOutcome known = ofOne(at);
            if (known != null) {
                return known;
            }
        }
        return OTHER;
    }

    private static @Nullable HandshakeOutcome ofOne(Throwable failure) {
        return switch (failure) {
            case PeerRejected rejected -> rejected.outcome();
            case CertificateExpiredException e -> EXPIRED;
            case CertificateNotYetValidException e -> EXPIRED;
            case SslHandshakeTimeoutException e -> TIMEOUT;
            case NotSslRecordException e -> NO_TLS;
            case ClosedChannelException e -> CLOSED;
            default -> ofWords(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT));
        };
    }

    private static @Nullable HandshakeOutcome ofWords(String words) {
        if (anyOf(
                words,
                "did_not_return_a_certificate",
                "empty client certificate",
                "empty server")) {
            return NO_CERTIFICATE;
        }
        if (anyOf(words, "received fatal alert", "_alert_", "alert_", "alert number")) {
            return anyOf(words, "protocol_version") ? VERSION : REFUSED;
        }
        if (anyOf(words, "unsupported_protocol", "client requested protocol", "protocol_version")) {
            return VERSION;
        }
        if (anyOf(
                words,
                "no_shared_cipher",
                "no cipher suites in common",
                "no available authentic")) {
            return CIPHER;
        }
        if (anyOf(
                words, "wrong_version_number", "http_request", "not an ssl", "unrecognized ssl")) {
            return NO_TLS;
        }
        return anyOf(words, "connection reset", "closed", "broken pipe") ? CLOSED : null;
    }

    private static boolean anyOf(String words, String... some) {
        for (String one : some) {
            if (words.contains(one)) {
                return true;
            }
        }
        return false;
    }
}

package io.carillon.net.tls;

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
}

package io.carillon.sip.auth;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of the scheme Digest, read strictly: nothing twice, every length as its algorithm
 * wants it. Immutable.
 *
 * @param qop null where the client follows RFC 2069
 * @param nonceCount 1 where there is no qop
 * @param cnonce null without qop
 */
public record DigestCredentials(
        String username,
        String realm,
        String nonce,
        String uri,
        String response,
        DigestAlgorithm algorithm,
        @Nullable Qop qop,
        int nonceCount,
        @Nullable String cnonce) {
    private static final int MAX_TEXT = 1024;
    private static final int NC_DIGITS = 8;

    /** Whether the header holds credentials of this scheme. */
    public static boolean isDigest(AuthHeader header) {
        return header.isScheme("Digest");
    }

    /**
     * Reads Authorization or Proxy-Authorization.
     *
     * @throws SipParseException when something is missing, stands twice or is malformed; when the
     *     algorithm is not supported; when the user name is hashed or encoded (RFC 7616 3.4.4),
     *     which our challenges do not offer
     */
    public static DigestCredentials parse(AuthHeader header) throws SipParseException {
        if (!isDigest(header)) {
            throw new SipParseException("Not Digest Credentials");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < header.size(); i++) {
            if (!seen.add(header.name(i).toLowerCase(Locale.ROOT))) {
                throw new SipParseException("Credentials Parameter Twice");
            }
        }
        String userhash = header.param("userhash");
        if ((userhash != null && !userhash.equalsIgnoreCase("false"))
                || seen.contains("username*")) {
            throw new SipParseException("Hashed User Name Was Not Offered");
        }
        DigestAlgorithm algorithm = DigestAlgorithm.of(header.param("algorithm"));
        if (algorithm == null) {
            throw new SipParseException("Unknown Digest Algorithm");
        }
        String response = text(header, "response");
        if (response.length() != algorithm.hexLength() || !isHex(response)) {
            throw new SipParseException("Bad Digest Response");
        }
        String qopText = header.param("qop");
        Qop qop = qopText == null ? null : Qop.of(qopText);
        if (qopText != null && qop == null) {
            throw new SipParseException("Unknown Quality of Protection");
        }
        return new DigestCredentials(
                text(header, "username"),
                text(header, "realm"),
                text(header, "nonce"),
                text(header, "uri"),
                response,
                algorithm,
                qop,
                qop == null ? 1 : nonceCount(header),
                qop == null ? null : text(header, "cnonce"));
    }

    private static String text(AuthHeader header, String name) throws SipParseException {
        String value = header.param(name);
        if (value == null || value.isEmpty() || value.length() > MAX_TEXT) {
            throw new SipParseException("Bad Credentials Parameter " + name);
        }
        return value;
    }

    // RFC 7616 3.4: nc is "the hexadecimal count of the number of requests (including the current
    // request) that the client has sent with the nonce value in this request", 8LHEX.
    private static int nonceCount(AuthHeader header) throws SipParseException {
        String nc = text(header, "nc");
        if (nc.length() != NC_DIGITS || !isHex(nc)) {
            throw new SipParseException("Bad Nonce Count");
        }
        long count = Long.parseLong(nc, 16);
        if (count < 1 || count > Integer.MAX_VALUE) {
            throw new SipParseException("Bad Nonce Count");
        }
        return (int) count;
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
                return false;
            }
        }
        return true;
    }

    /** nc as it goes into the digest. */
    public static String nc(int count) {
        return String.format(Locale.ROOT, "%08x", count);
    }

    @Override
    public String toString() {
        return "Digest " + username + "@" + realm; // what a password can be guessed by stays out
    }
}

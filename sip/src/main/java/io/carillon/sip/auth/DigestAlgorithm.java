package io.carillon.sip.auth;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.WireText;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A hash of the registry "Hash Algorithms for HTTP Digest Authentication" that SIP uses (RFC 8760
 * section 2.1). The "-sess" variants are neither offered nor answered. Any thread.
 */
public enum DigestAlgorithm {
    SHA_256("SHA-256", "SHA-256", 64),
    SHA_512_256("SHA-512-256", "SHA-512/256", 64),
    MD5("MD5", "MD5", 32);

    private final String token;
    private final String jdkName;
    private final int hexLength;

    DigestAlgorithm(String token, String jdkName, int hexLength) {
        this.token = token;
        this.jdkName = jdkName;
        this.hexLength = hexLength;
    }

    /** The value of the algorithm parameter. */
    public String token() {
        return token;
    }

    /** Length of a hash in hexadecimal digits. */
    public int hexLength() {
        return hexLength;
    }

    /**
     * The algorithm of that name, null for one that is not supported. RFC 3261 22.4 by RFC 7616
     * 3.3: without the parameter it is MD5.
     */
    public static @Nullable DigestAlgorithm of(@Nullable String token) {
        if (token == null) {
            return MD5;
        }
        for (DigestAlgorithm one : values()) {
            if (Ascii.equalsIgnoreCase(one.token, token)) {
                return one;
            }
        }
        return null;
    }

    /** H(data) in lower case hexadecimal digits. */
    public String hash(byte[] data) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(jdkName).digest(data));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no " + jdkName, e);
        }
    }

    /** H(text), its bytes being UTF-8. */
    public String hash(String text) {
        return hash(WireText.bytes(text));
    }

    /** H(user:realm:password): what a server stores in place of the password (RFC 7616 5.2). */
    public String ha1(String user, String realm, String password) {
        return hash(user + ':' + realm + ':' + password);
    }

    /**
     * The response to a challenge (RFC 7616 section 3.4.1; without qop that of RFC 2617 section
     * 3.2.2.1).
     *
     * @param ha1 of this algorithm
     * @param nc eight hexadecimal digits; not used without qop
     */
    public String response(
            String ha1,
            String nonce,
            @Nullable Qop qop,
            @Nullable String nc,
            @Nullable String cnonce,
            String method,
            String uri,
            byte[] body) {
        // RFC 7616 3.4.3: "A2 = Method ":" request-uri", and for auth-int
        // "A2 = Method ":" request-uri ":" H(entity-body)".
        String a2 = method + ':' + uri + (qop == Qop.AUTH_INT ? ':' + hash(body) : "");
        String middle = qop == null ? "" : nc + ':' + cnonce + ':' + qop.token() + ':';
        return hash(ha1 + ':' + nonce + ':' + middle + hash(a2));
    }
}

package io.carillon.it.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client's answer to a Digest challenge, computed apart from Carillon's own code, so that an
 * error there does not hide behind the same error here.
 *
 * @param algorithm as the challenge names it: SHA-256 or MD5
 */
record DigestAnswer(String algorithm, String user, String password) {
    private static final Pattern PARAMETER = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|([^\\s,]+))");

    /**
     * The Authorization value for the challenge of this algorithm, with qop auth.
     *
     * @throws IllegalArgumentException when the response has none
     */
    String to(String response, String method, String uri, String cnonce) {
        for (String line : response.split("\r\n")) {
            if (line.startsWith("WWW-Authenticate: Digest ")
                    && algorithm.equals(parameter(line, "algorithm"))) {
                return answer(
                        parameter(line, "realm"), parameter(line, "nonce"), method, uri, cnonce);
            }
        }
        throw new IllegalArgumentException("no challenge for " + algorithm + " in " + response);
    }

    private static String parameter(String header, String name) {
        Matcher found = PARAMETER.matcher(header);
        while (found.find()) {
            if (found.group(1).equals(name)) {
                return found.group(2) != null ? found.group(2) : found.group(3);
            }
        }
        return "";
    }

    /** RFC 7616 section 3.4.1 with "qop=auth": KD(H(A1), nonce:nc:cnonce:qop:H(A2)). */
    private String answer(String realm, String nonce, String method, String uri, String cnonce) {
        String ha1 = hash(user + ':' + realm + ':' + password);
        String ha2 = hash(method + ':' + uri);
        String response = hash(ha1 + ':' + nonce + ":00000001:" + cnonce + ":auth:" + ha2);
        return "Digest username=\""
                + user
                + "\", realm=\""
                + realm
                + "\", nonce=\""
                + nonce
                + "\", uri=\""
                + uri
                + "\", response=\""
                + response
                + "\", algorithm="
                + algorithm
                + ", cnonce=\""
                + cnonce
                + "\", qop=auth, nc=00000001";
    }

    private String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no " + algorithm, e);
        }
    }
}

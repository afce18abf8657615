package io.carillon.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A token as its owner has it: {@code carillon_ID_SECRET}. The secret has 256 random bits, so its
 * plain SHA-256 may be kept: nobody guesses it (a password would want a slow hash). Immutable.
 */
record BearerToken(String id, String secret) {
    private static final String PREFIX = "carillon_";
    private static final int ID_BYTES = 6;
    private static final int SECRET_BYTES = 32;
    private static final int LONGEST = 100;
    private static final SecureRandom RANDOM = new SecureRandom();

    static BearerToken random() {
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(id);
        RANDOM.nextBytes(secret);
        return new BearerToken(
                HexFormat.of().formatHex(id),
                Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Null for what has another form. */
    static @Nullable BearerToken read(String text) {
        if (!text.startsWith(PREFIX) || text.length() > LONGEST) {
            return null;
        }
        int end = PREFIX.length() + 2 * ID_BYTES;
        return text.length() <= end + 1 || text.charAt(end) != '_'
                ? null
                : new BearerToken(text.substring(PREFIX.length(), end), text.substring(end + 1));
    }

    String text() {
        return PREFIX + id + "_" + secret;
    }

    String hash() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    boolean is(String hash) {
        return MessageDigest.isEqual(
                hash().getBytes(StandardCharsets.US_ASCII),
                hash.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return PREFIX + id; // no secret in logs
    }
}

package io.carillon.sip.auth;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Nonces that carry their own time and proof, so that nothing is stored for a challenge: a flood of
 * requests without credentials costs no memory. Immutable but for the random source; any thread.
 */
public final class Nonces {
    private static final int TIME = Long.BYTES;
    private static final int SERIAL = Long.BYTES;
    private static final int ORIGIN = Integer.BYTES;
    private static final int SIGNED = TIME + SERIAL + ORIGIN;
    private static final int MAC = 16;

    /**
     * One of ours.
     *
     * @param serial tells it from every other
     * @param issuedMillis since 1970
     * @param origin the mark of the address that it was sent to; 0 where none was named
     */
    public record Nonce(long serial, long issuedMillis, int origin) {}

    private final SecretKeySpec key;
    private final LongSupplier random;

    /**
     * @param key at least 16 secret bytes
     * @param random unpredictable numbers; must be safe for any thread
     */
    public Nonces(byte[] key, LongSupplier random) {
        if (key.length < MAC) {
            throw new IllegalArgumentException("the key has less than " + MAC + " bytes");
        }
        this.key = new SecretKeySpec(key, "HmacSHA256");
        this.random = random;
    }

    /** A new one for this realm, for whoever. */
    public String issue(String realm, long nowMillis) {
        return issue(realm, nowMillis, 0);
    }

    /** A new one for this realm, sent to an address of that {@link #origin mark}. */
    public String issue(String realm, long nowMillis, int origin) {
        ByteBuffer bytes = ByteBuffer.allocate(SIGNED + MAC);
        bytes.putLong(nowMillis).putLong(random.getAsLong()).putInt(origin);
        bytes.put(mac(bytes.array(), SIGNED, realm));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** A mark of an address that nobody else can compute. */
    public int origin(byte[] address) {
        return ByteBuffer.wrap(mac(address, address.length, "origin")).getInt();
    }

    /** What we issued for this realm; null when we did not. */
    public @Nullable Nonce read(String nonce, String realm) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException e) {
            return null; // somebody else's nonce may be any text
        }
        if (bytes.length != SIGNED + MAC) {
            return null;
        }
        byte[] proof = Arrays.copyOfRange(bytes, SIGNED, bytes.length);
        if (!MessageDigest.isEqual(proof, mac(bytes, SIGNED, realm))) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long issued = buffer.getLong();
        return new Nonce(buffer.getLong(), issued, buffer.getInt());
    }

    private byte[] mac(byte[] bytes, int length, String realm) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(bytes, 0, length);
            mac.update(realm.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return Arrays.copyOf(mac.doFinal(), MAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no HmacSHA256", e);
        }
    }

    /** Whether it is older than {@code lifeSeconds}, or from the future. */
    public static boolean expired(Nonce nonce, long nowMillis, int lifeSeconds) {
        long age = nowMillis - nonce.issuedMillis();
        return age < 0 || age > TimeUnit.SECONDS.toMillis(lifeSeconds);
    }
}

package io.carillon.sip.auth;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Nonces that carry their own time and proof, so that nothing is stored for a challenge: a flood of
 * requests without credentials costs no memory.
 *
 * <p>Nodes of a cluster prove theirs by half under the key of the process, and by half under one
 * that all have. Only the process that made a nonce takes an answer to it, as it alone knows which
 * counts were used; but each node knows those of the others ({@link #isOfCluster}), and gives no
 * answer to one away.
 *
 * <p>Immutable but for the random source; any thread.
 */
public final class Nonces {
    private static final int TIME = Long.BYTES;
    private static final int SERIAL = Long.BYTES;
    private static final int ORIGIN = Integer.BYTES;
    private static final int SIGNED = TIME + SERIAL + ORIGIN;
    private static final int MAC = 16;

    /** Of the proof in a cluster, the process's own half. */
    private static final int OWN = MAC / 2;

    /**
     * One of ours.
     *
     * @param serial tells it from every other
     * @param issuedMillis since 1970
     * @param origin the mark of the address that it was sent to; 0 where none was named
     */
    public record Nonce(long serial, long issuedMillis, int origin) {}

    private final SecretKeySpec key;

    /** The first makes, all read; empty for a server that is alone. */
    private final List<SecretKeySpec> ofCluster;

    private final LongSupplier random;

    /**
     * @param key at least 16 secret bytes
     * @param random unpredictable numbers; must be safe for any thread
     */
    public Nonces(byte[] key, LongSupplier random) {
        this(key, List.of(), random);
    }

    /**
     * Of a node of a cluster.
     *
     * @param key of this process alone, at least 16 secret bytes
     * @param ofCluster keys that all nodes have, likewise: with the first nonces are made
     */
    public Nonces(byte[] key, List<byte[]> ofCluster, LongSupplier random) {
        this.key = secret(key);
        this.ofCluster = ofCluster.stream().map(Nonces::secret).toList();
        this.random = random;
    }

    private static SecretKeySpec secret(byte[] key) {
        if (key.length < MAC) {
            throw new IllegalArgumentException("the key has less than " + MAC + " bytes");
        }
        return new SecretKeySpec(key, "HmacSHA256");
    }

    /** A new one for this realm, for whoever. */
    public String issue(String realm, long nowMillis) {
        return issue(realm, nowMillis, 0);
    }

    /** A new one for this realm, sent to an address of that {@link #origin mark}. */
    public String issue(String realm, long nowMillis, int origin) {
        ByteBuffer bytes = ByteBuffer.allocate(SIGNED + MAC);
        bytes.putLong(nowMillis).putLong(random.getAsLong()).putInt(origin);
        bytes.put(proof(bytes.array(), realm, ofCluster.isEmpty() ? null : ofCluster.getFirst()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** A mark of an address that nobody else can compute. */
    public int origin(byte[] address) {
        return ByteBuffer.wrap(mac(key, address, address.length, "origin")).getInt();
    }

    /** What proves a nonce: half of it is of the cluster, where there is one. */
    private byte[] proof(byte[] bytes, String realm, @Nullable SecretKeySpec shared) {
        byte[] proof = mac(key, bytes, SIGNED, realm);
        if (shared != null) {
            System.arraycopy(mac(shared, bytes, SIGNED, realm), 0, proof, OWN, MAC - OWN);
        }
        return proof;
    }

    /** What we issued for this realm; null when we did not. */
    public @Nullable Nonce read(String nonce, String realm) {
        byte[] bytes = bytes(nonce);
        if (bytes == null) {
            return null;
        }
        int own = ofCluster.isEmpty() ? MAC : OWN;
        if (!MessageDigest.isEqual(
                Arrays.copyOfRange(bytes, SIGNED, SIGNED + own),
                Arrays.copyOf(mac(key, bytes, SIGNED, realm), own))) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long issued = buffer.getLong();
        return new Nonce(buffer.getLong(), issued, buffer.getInt());
    }

    /** Was it issued for this realm by us, or by another node of the cluster? */
    public boolean isOfCluster(String nonce, String realm) {
        byte[] bytes = bytes(nonce);
        if (bytes == null) {
            return false;
        }
        byte[] proof = Arrays.copyOfRange(bytes, SIGNED + OWN, bytes.length);
        for (SecretKeySpec shared : ofCluster) {
            byte[] right = Arrays.copyOf(mac(shared, bytes, SIGNED, realm), MAC - OWN);
            if (MessageDigest.isEqual(proof, right)) {
                return true;
            }
        }
        return ofCluster.isEmpty() && read(nonce, realm) != null;
    }

    private static byte @Nullable [] bytes(String nonce) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(nonce);
            return bytes.length == SIGNED + MAC ? bytes : null;
        } catch (IllegalArgumentException e) {
            return null; // somebody else's nonce may be any text
        }
    }

    private static byte[] mac(SecretKeySpec by, byte[] bytes, int length, String realm) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(by);
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

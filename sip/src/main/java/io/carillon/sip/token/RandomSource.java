package io.carillon.sip.token;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Random numbers for tags, branches and Call-IDs. Safe for any thread. */
public interface RandomSource {
    /** 64 random bits. */
    long nextLong();

    /**
     * The same numbers for the same seed, for simulations: not for production, where RFC 3261
     * section 19.3 wants cryptographic ones.
     */
    static RandomSource seeded(long seed) {
        AtomicLong state = new AtomicLong(seed);
        return () -> mix(state.addAndGet(0x9E3779B97F4A7C15L));
    }

    /** Cryptographically random numbers, see {@link Secure}. */
    static RandomSource secure() {
        return new Secure();
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /**
     * The key stream of AES in counter mode, 16 KB at a time. Key and counter of each block are
     * drawn anew from {@link SecureRandom}, so whoever wants to tell the next number from those he
     * saw has to break AES within one block, or the system's source. SecureRandom itself mixes
     * twenty bytes at a time, and allocates for each.
     */
    final class Secure implements RandomSource {
        private static final int KEY_BYTES = 16;
        private static final byte[] ZEROS = new byte[16 << 10];

        private final SecureRandom random = new SecureRandom();
        private final Cipher cipher;
        private final byte[] bytes = new byte[ZEROS.length];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes).position(bytes.length);

        private Secure() {
            try {
                cipher = Cipher.getInstance("AES/CTR/NoPadding");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no AES in counter mode", e);
            }
        }

        @Override
        public synchronized long nextLong() {
            if (!buffer.hasRemaining()) {
                fill();
            }
            return buffer.getLong();
        }

        private void fill() {
            byte[] seed = new byte[2 * KEY_BYTES];
            random.nextBytes(seed);
            try {
                cipher.init(
                        Cipher.ENCRYPT_MODE,
                        new SecretKeySpec(seed, 0, KEY_BYTES, "AES"),
                        new IvParameterSpec(seed, KEY_BYTES, KEY_BYTES));
                cipher.doFinal(ZEROS, 0, ZEROS.length, bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES in counter mode", e);
            }
            buffer.clear();
        }
    }
}

package io.carillon.sip.stack;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

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

    /** Cryptographically random numbers, taken from the system 4 KB at a time. */
    static RandomSource secure() {
        return new Secure();
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Buffered {@link SecureRandom}. */
    final class Secure implements RandomSource {
        private final SecureRandom random = new SecureRandom();
        private final byte[] bytes = new byte[4096];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes).position(bytes.length);

        private Secure() {}

        @Override
        public synchronized long nextLong() {
            if (!buffer.hasRemaining()) {
                random.nextBytes(bytes);
                buffer.clear();
            }
            return buffer.getLong();
        }
    }
}

package io.carillon.servlet.feature.protect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether bytes are those of before, in 64 bits: kept in place of the bytes. Another number in each
 * process, so that nobody can write two values for it that look the same.
 */
final class RecordDigest {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long SEED = ThreadLocalRandom.current().nextLong();
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private RecordDigest() {}

    static long of(byte[] bytes) {
        return of(bytes, bytes.length);
    }

    /** Of the first ones. */
    static long of(byte[] bytes, int length) {
        long sum = SEED ^ (length * ODD);
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            sum = mixed(sum ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << 8 | (bytes[at] & 0xFF);
        }
        return mixed(sum ^ rest);
    }

    /** One to one, each bit depends on all: Stafford's thirteenth mix. */
    private static long mixed(long value) {
        long one = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        long two = (one ^ one >>> 27) * 0x94D0_49BB_1331_11EBL;
        return two ^ two >>> 31;
    }
}

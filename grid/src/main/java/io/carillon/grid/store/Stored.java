package io.carillon.grid.store;

import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.jspecify.annotations.Nullable;

/**
 * How a state lies in the grid: the key is the partition as two letters and the id, the value is
 * term, sequence, kind and the record's bytes. Text and bytes alone, so that no class of anybody is
 * ever made out of what comes from the network.
 */
final class Stored {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int SEQUENCE_AT = 8;
    private static final int KIND_AT = 16;
    private static final int HEAD = 17;
    private static final byte REMOVED = 0;
    private static final byte RECORD = 1;

    /** Letters of a partition in a key. */
    private static final int PARTITION_LETTERS = 2;

    private static final char FIRST_LETTER = '0';
    private static final int BITS_OF_LETTER = 5;
    private static final int LETTER = (1 << BITS_OF_LETTER) - 1;

    private Stored() {}

    static String key(int partition, String id) {
        char high = (char) (FIRST_LETTER + (partition >>> BITS_OF_LETTER));
        char low = (char) (FIRST_LETTER + (partition & LETTER));
        return "" + high + low + id;
    }

    static int partition(String key) {
        return (key.charAt(0) - FIRST_LETTER) << BITS_OF_LETTER | key.charAt(1) - FIRST_LETTER;
    }

    static byte[] value(State state) {
        byte[] bytes = state.bytes();
        byte[] value = new byte[HEAD + (bytes == null ? 0 : bytes.length)];
        LONG.set(value, 0, state.term());
        LONG.set(value, SEQUENCE_AT, state.sequence());
        if (bytes == null) {
            value[KIND_AT] = REMOVED;
        } else {
            value[KIND_AT] = RECORD;
            System.arraycopy(bytes, 0, value, HEAD, bytes.length);
        }
        return value;
    }

    /** The state of a record; one without bytes when it was removed. */
    static State state(String key, byte[] value) {
        return new State(
                partition(key),
                key.substring(PARTITION_LETTERS),
                (long) LONG.get(value, 0),
                (long) LONG.get(value, SEQUENCE_AT),
                isRemoved(value) ? null : Arrays.copyOfRange(value, HEAD, value.length));
    }

    /** The value of an entry in a node's memory, where Infinispan puts bytes into a wrapper. */
    static byte @Nullable [] bytes(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> bytes;
            case WrappedByteArray bytes -> bytes.getBytes();
            case null, default -> null;
        };
    }

    /**
     * Refuses what cannot be a key and its value.
     *
     * @throws IllegalArgumentException in a sentence
     */
    static void check(String key, byte[] value) {
        if (key.length() <= PARTITION_LETTERS
                || partition(key) < 0
                || partition(key) >= Ownership.PARTITIONS) {
            throw new IllegalArgumentException("a key names no partition");
        }
        if (value.length < HEAD) {
            throw new IllegalArgumentException("a value of " + value.length + " bytes");
        }
    }

    static boolean isRemoved(byte[] value) {
        return value[KIND_AT] == REMOVED;
    }

    /** Is it younger than the other value of the same key? */
    static boolean follows(byte[] value, byte[] other) {
        long term = (long) LONG.get(value, 0);
        long otherTerm = (long) LONG.get(other, 0);
        return term != otherTerm
                ? term > otherTerm
                : (long) LONG.get(value, SEQUENCE_AT) > (long) LONG.get(other, SEQUENCE_AT);
    }

    /** The same term, sequence and kind. */
    static boolean isSame(byte[] value, byte[] other) {
        return Arrays.equals(value, 0, HEAD, other, 0, HEAD);
    }
}

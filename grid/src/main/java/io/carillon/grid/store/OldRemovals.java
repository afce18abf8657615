package io.carillon.grid.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Removals that lie on this node although their time is over: who has written them has died, or a
 * copy came from another node while copies moved. One that is there at two looks, which are further
 * apart than a removal is remembered, is old. Owner: the sweeper's thread.
 */
final class OldRemovals {
    private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01B3L;

    /** Of those that were there at the look before, sorted: 8 bytes for each. */
    private long[] before = {};

    private long[] now = new long[64];
    private int count;

    private final List<Map.Entry<String, byte[]>> old = new ArrayList<>();

    /** A removal is there. */
    void saw(String key, byte[] value) {
        long mark = mark(key, value);
        if (count == now.length) {
            now = Arrays.copyOf(now, 2 * count);
        }
        now[count++] = mark;
        if (Arrays.binarySearch(before, mark) >= 0) {
            old.add(Map.entry(key, value));
        }
    }

    /** The look is over: those that were there at the one before too. */
    List<Map.Entry<String, byte[]>> looked() {
        before = Arrays.copyOf(now, count);
        Arrays.sort(before);
        now = new long[64];
        count = 0;
        List<Map.Entry<String, byte[]>> found = List.copyOf(old);
        old.clear();
        return found;
    }

    /** Of the key and the number of the state: FNV-1a. */
    private static long mark(String key, byte[] value) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * FNV_PRIME;
        }
        for (byte each : value) {
            hash = (hash ^ (each & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }
}

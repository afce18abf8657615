package io.carillon.sip.server;

/**
 * A set of 64-bit keys with counts, in two flat arrays: open addressing, removal by shifting back.
 *
 * <p>Owner: the shard's thread.
 */
final class CountedKeys {
    private long[] keys = new long[256];
    private int[] counts = new int[256];
    private int size;

    boolean contains(long key) {
        return counts[slot(key)] > 0;
    }

    void add(long key) {
        int at = slot(key);
        if (counts[at]++ == 0) {
            keys[at] = key;
            size++;
            if (size * 2 > keys.length) {
                grow();
            }
        }
    }

    void remove(long key) {
        int at = slot(key);
        if (counts[at] == 0) {
            return;
        }
        if (--counts[at] > 0) {
            return;
        }
        size--;
        int hole = at;
        int mask = keys.length - 1;
        for (int i = (hole + 1) & mask; counts[i] > 0; i = (i + 1) & mask) {
            int home = home(keys[i], mask);
            // Move it when its home is not between the hole and where it stands.
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                keys[hole] = keys[i];
                counts[hole] = counts[i];
                counts[i] = 0;
                hole = i;
            }
        }
    }

    int size() {
        return size;
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int at = home(key, mask);
        while (counts[at] > 0 && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private static int home(long key, int mask) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[oldKeys.length * 2];
        counts = new int[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldCounts[i] > 0) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                counts[at] = oldCounts[i];
            }
        }
    }
}

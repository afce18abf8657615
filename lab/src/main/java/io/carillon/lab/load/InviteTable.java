package io.carillon.lab.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Callee legs by a hash of their INVITE's top Via, so that an INVITE that comes again is known.
 * Open addressing without objects of its own. Owner: the engine's thread.
 */
final class InviteTable {
    private long[] keys = new long[1024];
    private @Nullable CalleeLeg[] values = new @Nullable CalleeLeg[1024];
    private int size;

    /** A hash of these bytes, never 0. */
    static long hash(byte[] b, int from, int to) {
        long h = 0xcbf29ce484222325L;
        for (int p = from; p < to; p++) {
            h = (h ^ b[p]) * 0x100000001b3L;
        }
        h ^= h >>> 32;
        return h == 0 ? 1 : h;
    }

    @Nullable CalleeLeg get(long key) {
        return values[slot(key)];
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = home(key) & mask;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private static int home(long key) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 40);
    }

    void put(long key, CalleeLeg leg) {
        int slot = slot(key);
        if (keys[slot] == 0 && ++size * 2 > keys.length) {
            grow();
            slot = slot(key);
        }
        keys[slot] = key;
        values[slot] = leg;
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable CalleeLeg[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = Arrays.copyOf(new @Nullable CalleeLeg[0], keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }

    void remove(long key) {
        int hole = slot(key);
        if (keys[hole] == 0) {
            return;
        }
        size--;
        int mask = keys.length - 1;
        int next = hole;
        for (; ; ) {
            keys[hole] = 0;
            values[hole] = null;
            // What was pushed behind the hole by a full slot moves up, or it would not be found.
            for (; ; ) {
                next = next + 1 & mask;
                if (keys[next] == 0) {
                    return;
                }
                int home = home(keys[next]) & mask;
                if ((next - home & mask) >= (next - hole & mask)) {
                    break;
                }
            }
            keys[hole] = keys[next];
            values[hole] = values[next];
            hole = next;
        }
    }

    int size() {
        return size;
    }
}

package io.carillon.telemetry.spans;

import org.jspecify.annotations.Nullable;

/** The calls that go on, the oldest first. Any thread; a call leaves it in no time. */
final class CallAges {
    /** The place of a call. Its fields are of the list. */
    static final class Entry {
        final TracedCall call;
        private @Nullable Entry before;
        private @Nullable Entry after;
        private boolean in;

        Entry(TracedCall call) {
            this.call = call;
        }
    }

    private @Nullable Entry first;
    private @Nullable Entry last;

    synchronized void add(Entry entry) {
        entry.before = last;
        entry.after = null;
        entry.in = true;
        if (last == null) {
            first = entry;
        } else {
            last.after = entry;
        }
        last = entry;
    }

    synchronized void remove(Entry entry) {
        if (!entry.in) {
            return;
        }
        entry.in = false;
        Entry left = entry.before;
        Entry right = entry.after;
        if (left == null) {
            first = right;
        } else {
            left.after = right;
        }
        if (right == null) {
            last = left;
        } else {
            right.before = left;
        }
        entry.before = null;
        entry.after = null;
    }

    /** The oldest, which is the youngest from now on; null where there is none. */
    synchronized @Nullable TracedCall turn() {
        Entry oldest = first;
        if (oldest == null) {
            return null;
        }
        remove(oldest);
        add(oldest);
        return oldest.call;
    }
}

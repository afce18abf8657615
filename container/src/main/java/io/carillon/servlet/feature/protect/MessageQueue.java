package io.carillon.servlet.feature.protect;

import org.jspecify.annotations.Nullable;

/**
 * The messages of one call that are kept back, in the order in which they were sent. The list is
 * its home shard's; the two counts tell the turn whether anything is still there.
 */
final class MessageQueue {
    /** Of the turn: how many were put in. */
    private volatile int given;

    /** Of the shard: how many have left. */
    private volatile int left;

    private @Nullable HeldMessage first;
    private @Nullable HeldMessage last;

    /** Has anything not left yet? Exact in the turn: what it says has left, has left. */
    boolean waits() {
        return given != left;
    }

    int size() {
        return given - left;
    }

    /** One more is on its way to the shard. In the turn. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void given() {
        given++;
    }

    /** On the shard. */
    void add(HeldMessage message) {
        HeldMessage before = last;
        if (before == null) {
            first = message;
        } else {
            before.next = message;
        }
        last = message;
    }

    /** On the shard. */
    @Nullable HeldMessage first() {
        return first;
    }

    /** The first one leaves. On the shard. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void leave(HeldMessage head) {
        first = head.next;
        if (first == null) {
            last = null;
        }
        head.next = null;
        try {
            head.leave();
        } catch (RuntimeException e) { // others wait behind it, and their time has to end
            head.call.session.failed(e);
        } finally {
            left++; // not before: what is sent meanwhile has to come behind it
        }
    }
}

package io.carillon.servlet.feature.protect;

import org.jspecify.annotations.Nullable;

/** A message that is kept back. Owner: the home shard of its call, once it is there. */
final class HeldMessage implements Runnable {
    /** It waits for those before it, and for no record. */
    static final long ANY = 0;

    final ProtectedCall call;

    /** Sequence of the first state that contains it, or {@link #ANY}. */
    final long needs;

    /** Null once it has left. */
    private @Nullable Runnable leaves;

    @Nullable HeldMessage next;
    long deadlineNanos;

    /** When it came to the home shard of its call. */
    long sinceNanos;

    HeldMessage(ProtectedCall call, long needs, Runnable leaves) {
        this.call = call;
        this.needs = needs;
        this.leaves = leaves;
    }

    boolean left() {
        return leaves == null;
    }

    /** It comes to the home shard of its call. */
    @Override
    public void run() {
        call.records.messages().arrive(this);
    }

    void leave() {
        Runnable command = leaves;
        leaves = null;
        if (command != null) {
            command.run();
        }
    }
}

package io.carillon.servlet.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link SessionStore} keeps beside an application session, from its beginning to its end.
 * An application session has one field for it and for what a trace remembers, so that a server
 * without such a store keeps nothing.
 */
public abstract class Companion {
    /** A timer that waits for the store is looked at again after so long. */
    public static final long TIMER_WAITS_NANOS = 100_000_000;

    private volatile @Nullable Object traced;

    /** For subclasses. */
    protected Companion() {}

    /**
     * Should a timer that is due wait for {@link #TIMER_WAITS_NANOS}, as what it does may not be
     * kept, or its call is on its way to another node? Home shard's thread.
     */
    public abstract boolean holdsTimers();

    /**
     * Does another node go on with the call, which has ended here without a word? Then nothing is
     * said to anybody who answers it here. Any thread.
     */
    public abstract boolean elsewhere();

    static @Nullable Companion of(@Nullable Object beside) {
        return beside instanceof Companion own ? own : null;
    }

    static @Nullable Object traced(@Nullable Object beside) {
        return beside instanceof Companion own ? own.traced : beside;
    }

    /** What stands beside the session when a trace remembers that. */
    static @Nullable Object remembering(@Nullable Object beside, @Nullable Object memory) {
        if (beside instanceof Companion own) {
            own.traced = memory;
            return own;
        }
        return memory;
    }
}

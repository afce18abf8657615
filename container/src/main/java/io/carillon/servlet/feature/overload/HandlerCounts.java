package io.carillon.servlet.feature.overload;

import java.util.concurrent.atomic.AtomicLong;

/** How many new calls of an application have come how far, since it was deployed. Any thread. */
final class HandlerCounts {
    /** Given to a thread. */
    final AtomicLong handed = new AtomicLong();

    /** Of these: that thread has taken it. */
    final AtomicLong begun = new AtomicLong();

    /** Of these: its handler has ended. */
    final AtomicLong ended = new AtomicLong();

    /** Of those begun: refused in place of the handler. */
    final AtomicLong givenUp = new AtomicLong();

    /** Refused, before they were given to a thread or after. */
    final AtomicLong refused = new AtomicLong();

    /** Time of those that have ended, from when they were handed over. */
    final AtomicLong tookNanos = new AtomicLong();

    long inHand() {
        return handed.get() - ended.get() - givenUp.get();
    }
}

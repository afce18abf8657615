package io.carillon.servlet.app;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What keeps one version of an application from being destroyed: one hold for each application
 * session, one for an initial request on its way to its session, and one for an HTTP request in
 * progress. From any thread, without a lock.
 */
public final class ApplicationHolds {
    private static final int DESTROYED = Integer.MIN_VALUE / 2;

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger heldForHttp = new AtomicInteger();
    private volatile @Nullable Runnable whenUnused;

    ApplicationHolds() {}

    /**
     * Takes one.
     *
     * @return false when the version is destroyed already, and nothing of it may be called
     */
    public boolean take() {
        int now;
        do {
            now = held.get();
            if (now < 0) {
                return false;
            }
        } while (!held.compareAndSet(now, now + 1));
        return true;
    }

    /** Gives one back; the last one of a retiring version ends it. */
    public void giveBack() {
        if (held.decrementAndGet() == 0) {
            Runnable unused = whenUnused;
            if (unused != null) {
                unused.run();
            }
        }
    }

    /** As {@link #take}, for an HTTP request in progress. */
    public boolean takeForHttp() {
        if (!take()) {
            return false;
        }
        heldForHttp.incrementAndGet();
        return true;
    }

    /** Gives the hold of an HTTP request back. */
    public void giveBackFromHttp() {
        heldForHttp.decrementAndGet();
        giveBack();
    }

    /** Application sessions now, and initial requests that wait for theirs. */
    public int calls() {
        return Math.max(0, held.get() - heldForHttp.get());
    }

    /** Runs when nothing holds it any more: perhaps more than once, perhaps at once. */
    void whenUnused(Runnable unused) {
        whenUnused = unused;
        if (held.get() == 0) {
            unused.run();
        }
    }

    /** Claims the end of an unused version; true once, and no hold is given after it. */
    public boolean claimEnd() {
        return held.compareAndSet(0, DESTROYED);
    }
}

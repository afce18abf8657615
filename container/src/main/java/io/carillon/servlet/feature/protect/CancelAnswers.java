package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * What answers a CANCEL: it leaves when the record says that the call is given up, or when that has
 * taken too long, as the turn of the call is busy. Once.
 *
 * <p>Owner: the home shard of the call.
 */
final class CancelAnswers extends WheelTimer implements Runnable {
    private final ApplicationSession session;

    /** Null once they have left. */
    private @Nullable Runnable leaves;

    CancelAnswers(ApplicationSession session, Runnable leaves) {
        this.session = session;
        this.leaves = leaves;
    }

    /** Any thread. */
    void begin(long waitNanos) {
        session.onHome(() -> {
            if (leaves != null) {
                session.home().timers().schedule(this, session.home().now() + waitNanos);
            }
        });
    }

    /** They may leave; any thread. */
    @Override
    public void run() {
        session.onHome(this::leave);
    }

    @Override
    protected void fire(long nowNanos) {
        leave();
    }

    private void leave() {
        Runnable command = leaves;
        leaves = null;
        session.home().timers().cancel(this);
        if (command != null) {
            command.run();
        }
    }
}

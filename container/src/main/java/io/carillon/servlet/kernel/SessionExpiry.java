package io.carillon.servlet.kernel;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.port.SessionShares;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * When an application session ends for want of anything happening (SIP Servlet 1.1, 6.3).
 *
 * <p>One node of the home shard's wheel, moved lazily, so that a message costs no wheel work: when
 * it fires too early it is set again. The wheel's side runs on the home shard, everything else with
 * the turn held; the two numbers that both read are volatile.
 */
final class SessionExpiry extends WheelTimer implements Runnable {
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long MILLIS_PER_MINUTE = 60_000L;

    private final ApplicationSession session;
    private volatile long accessedAtMillis;
    private volatile int minutes;
    private boolean expired;

    /**
     * The partition of the session in a cluster; -1 while nobody has asked. It stands here as
     * {@link #share} does.
     */
    private volatile short partition = -1;

    /**
     * Whom the session counts for in {@link SessionShares}; set before anybody else knows it. It
     * stands here, where it fills a gap: the session's own object would grow by eight bytes.
     */
    int share;

    /**
     * Call-ID of the last SIP session that has ended, while there is no other: for the log. It
     * stands here as {@link #share} does.
     */
    @Nullable String lastCallId;

    private final class Expired extends TurnTask {
        @Override
        protected void run() {
            expire();
        }
    }

    SessionExpiry(ApplicationSession session, long nowMillis) {
        this.session = session;
        this.accessedAtMillis = nowMillis;
        this.minutes = Math.max(0, session.application().description().sessionTimeoutMinutes());
    }

    /** The state as {@link SessionBytes} keeps it. */
    void restore(long accessed, int deltaMinutes, boolean over) {
        accessedAtMillis = accessed;
        minutes = deltaMinutes;
        expired = over;
    }

    long accessedAtMillis() {
        return accessedAtMillis;
    }

    @Override
    protected int partition() {
        return partition;
    }

    void partition(int number) {
        partition = (short) number;
    }

    /** At another node: the time goes on from where it was. Any thread. */
    void goOn() {
        if (minutes > 0) {
            session.onHome(() -> {
                Shard home = session.home();
                long left = Math.max(0, endsAtMillis() - session.host().millis());
                if (session.isValid()) {
                    home.timers().schedule(this, home.now() + left * NANOS_PER_MILLI);
                }
            });
        }
    }

    /** Did neither the application's description nor its code say when? */
    boolean byDefault() {
        return minutes == ApplicationDescription.DEFAULT_SESSION_TIMEOUT_MINUTES
                && !session.application().description().sessionTimeoutDeclared();
    }

    /** Minutes from the last access to the end; 0 for never. */
    int minutes() {
        return minutes;
    }

    /** Has the time come, and nobody extended it? */
    boolean expired() {
        return expired;
    }

    void touch(long nowMillis) {
        if (accessedAtMillis != nowMillis) {
            accessedAtMillis = nowMillis;
        }
    }

    /** Wall clock milliseconds; 0 for never, Long.MIN_VALUE when it is over. */
    long time() {
        if (minutes <= 0) {
            return 0;
        }
        return expired ? Long.MIN_VALUE : endsAtMillis();
    }

    private long endsAtMillis() {
        return accessedAtMillis + minutes * MILLIS_PER_MINUTE;
    }

    /** Begins anew; 0 and less mean never. */
    void extend(int deltaMinutes) {
        touch(session.host().millis());
        expired = false;
        minutes = Math.max(0, deltaMinutes);
        arm();
    }

    /** Any thread: the wheel is told by command. */
    void arm() {
        if (minutes > 0) {
            session.onHome(this);
        }
    }

    /** What {@link #arm} brings to the home shard. */
    @Override
    public void run() {
        Shard home = session.home();
        if (session.isValid() && minutes > 0) {
            home.timers().schedule(this, home.now() + minutes * NANOS_PER_MINUTE);
        }
    }

    /** On the home shard. */
    void cancel() {
        session.home().timers().cancel(this);
    }

    @Override
    protected void fire(long nowNanos) {
        if (!session.isValid() || minutes <= 0) {
            return;
        }
        long leftMillis = endsAtMillis() - session.host().millis();
        Companion beside = session.companion();
        if (leftMillis <= 0 && beside != null && beside.holdsTimers()) {
            session.home().timers().schedule(this, nowNanos + Companion.TIMER_WAITS_NANOS);
        } else if (leftMillis > 0) {
            session.home().timers().schedule(this, nowNanos + leftMillis * NANOS_PER_MILLI);
        } else {
            session.submit(new Expired());
        }
    }

    private void expire() {
        if (!session.isValid() || minutes <= 0) {
            return;
        }
        if (endsAtMillis() > session.host().millis()) {
            // Used meanwhile, by what ran before this in the turn: the wheel has to know again.
            arm();
            return;
        }
        expired = true;
        session.host().events().expired(session);
        // A listener that called setExpires with success has extended the life.
        if (session.isValid() && expired) {
            session.host().counters().expired.increment();
            session.host().hooks().expired(session);
            session.end();
        }
    }
}

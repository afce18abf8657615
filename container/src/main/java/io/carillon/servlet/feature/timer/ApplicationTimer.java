package io.carillon.servlet.feature.timer;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.Companion;
import io.carillon.servlet.kernel.TimerChild;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.time.WheelTimer;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A timer of an application: a node of its home shard's wheel. The wheel only says when; the
 * application's callback runs in the turn of its session, where a cancel is checked once more. It
 * may be made outside of the turn: its number is drawn by any thread, and it begins in the turn.
 *
 * <p>Owner: the wheel's node belongs to the home shard; {@code ended} and the times to the turn.
 */
public final class ApplicationTimer extends WheelTimer implements TimerChild, ByReference {
    /** A hundred years: more nanoseconds do not fit into the clock's number. */
    private static final long MOST_MILLIS = 100L * 365 * 24 * 3_600_000;

    private final ApplicationSession session;
    private final int ordinal;
    private final @Nullable Serializable info;
    private final boolean persistent;
    private final long periodMillis;
    private final boolean fixedDelay;
    private volatile long dueAtMillis;

    /** When the time-out that came last, or is in progress, was due. */
    private volatile long lastDueAtMillis;

    private volatile boolean ended;

    private final class Timeout extends TurnTask {
        @Override
        protected void run() {
            timeout();
        }
    }

    /**
     * @param periodMillis 0 for a single shot
     */
    ApplicationTimer(
            ApplicationSession session,
            long delayMillis,
            long periodMillis,
            boolean fixedDelay,
            boolean persistent,
            @Nullable Serializable info) {
        this(
                session,
                session.nextOrdinal(),
                after(session.host().millis(), delayMillis),
                periodMillis,
                fixedDelay,
                persistent,
                info);
    }

    private ApplicationTimer(
            ApplicationSession session,
            int ordinal,
            long dueAtMillis,
            long periodMillis,
            boolean fixedDelay,
            boolean persistent,
            @Nullable Serializable info) {
        this.session = session;
        this.ordinal = ordinal;
        this.info = info;
        this.persistent = persistent;
        this.periodMillis = periodMillis;
        this.fixedDelay = fixedDelay;
        this.dueAtMillis = dueAtMillis;
    }

    @Override
    public int ordinal() {
        return ordinal;
    }

    @Override
    public long dueAtMillis() {
        return dueAtMillis;
    }

    /** The timer as bytes; with the turn held. */
    @Override
    public void write(StateWriter out, AttributeCodec codec) {
        out.putVarint(ordinal)
                .putVarint(periodMillis)
                .putBoolean(fixedDelay)
                .putBoolean(persistent);
        out.putVarint(dueAtMillis).putVarint(lastDueAtMillis);
        codec.write(out, (Object) info);
    }

    /** Sets the living timer of that number, or makes and arms one. */
    public static void read(ApplicationSession session, StateReader in, AttributeCodec codec) {
        int ordinal = in.getCount(Integer.MAX_VALUE);
        long periodMillis = in.getVarint();
        boolean fixedDelay = in.getBoolean();
        boolean persistent = in.getBoolean();
        long dueAtMillis = in.getVarint();
        final long lastDueAtMillis = in.getVarint();
        Object info = codec.readReference(in);
        if (info != null && !(info instanceof Serializable)) {
            throw new StateFormatException("a timer's info: " + info.getClass().getName());
        }
        if (periodMillis < 0 || dueAtMillis < 0) {
            throw new StateFormatException("a timer of " + periodMillis + ", due " + dueAtMillis);
        }
        ApplicationTimer living = (ApplicationTimer) session.timer(ordinal);
        if (living != null) {
            if (living.periodMillis != periodMillis
                    || living.fixedDelay != fixedDelay
                    || living.persistent != persistent) {
                throw new StateFormatException("another timer has the number " + ordinal);
            }
            living.dueAtMillis = dueAtMillis;
            living.lastDueAtMillis = lastDueAtMillis;
            return;
        }
        ApplicationTimer made =
                new ApplicationTimer(
                        session,
                        ordinal,
                        dueAtMillis,
                        periodMillis,
                        fixedDelay,
                        persistent,
                        (Serializable) info);
        made.lastDueAtMillis = lastDueAtMillis;
        made.begin();
    }

    /** With the turn held: the session owns the timer, the wheel gets it. */
    void begin() {
        if (!ended && session.isValid()) {
            session.add(this);
            session.onHome(this::arm);
        }
    }

    /** Applications say "never" by a very long time: it must not become a time that has passed. */
    private static long after(long millis, long more) {
        long sum = millis + Math.min(more, MOST_MILLIS);
        return sum < millis ? Long.MAX_VALUE : sum;
    }

    /** Between now and a time that the wheel's clock can still count to. */
    private static long left(long dueAtMillis, long nowMillis) {
        return dueAtMillis <= nowMillis ? 0 : Math.min(dueAtMillis - nowMillis, MOST_MILLIS);
    }

    /** On the home shard: the time left is counted on the wheel's own clock. */
    private void arm() {
        if (!ended) {
            long leftMillis = left(dueAtMillis, session.host().millis());
            session.home().timers().schedule(this, session.home().now() + leftMillis * 1_000_000L);
        }
    }

    @Override
    protected int partition() {
        return CallPartition.known(session);
    }

    @Override
    protected void fire(long nowNanos) {
        if (ended) {
            return;
        }
        Companion beside = session.companion();
        if (beside != null && beside.holdsTimers()) {
            session.home().timers().schedule(this, nowNanos + Companion.TIMER_WAITS_NANOS);
        } else {
            session.submit(new Timeout());
        }
    }

    private void timeout() {
        if (ended || !session.isValid()) {
            return;
        }
        lastDueAtMillis = dueAtMillis;
        if (periodMillis == 0) {
            ended = true;
            session.remove(this);
        } else if (!fixedDelay) {
            next(after(dueAtMillis, periodMillis));
        }
        session.touch();
        Application application = session.application();
        session.host()
                .events()
                .tell(
                        application,
                        application.listeners().timers(),
                        "timeout",
                        l -> l.timeout(this));
        if (periodMillis != 0 && fixedDelay && !ended) {
            next(after(session.host().millis(), periodMillis));
        }
    }

    private void next(long atMillis) {
        dueAtMillis = atMillis;
        session.onHome(this::arm);
    }

    @Override
    public void cancel() {
        if (session.enter()) {
            try {
                end();
            } finally {
                session.exit();
            }
        } else {
            // Another turn is held and this one is busy: the mark counts at once, the list follows.
            ended = true;
            session.submitLater(TurnTask.of(this::end));
        }
    }

    private void end() {
        session.remove(this);
        sessionEnded();
    }

    /** The application session is gone: no callback any more. */
    @Override
    public void sessionEnded() {
        ended = true;
        session.onHome(() -> session.home().timers().cancel(this));
    }

    @Override
    public ApplicationSession getApplicationSession() {
        return session;
    }

    @Override
    public String getId() {
        return session.getId() + ".t" + ordinal;
    }

    @Override
    public @Nullable Serializable getInfo() {
        return info;
    }

    public boolean persistent() {
        return persistent;
    }

    @Override
    public long scheduledExecutionTime() {
        return lastDueAtMillis;
    }

    @Override
    public long getTimeRemaining() {
        return dueAtMillis - session.host().millis();
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}

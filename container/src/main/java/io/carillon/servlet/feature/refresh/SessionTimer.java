package io.carillon.servlet.feature.refresh;

import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.Companion;
import io.carillon.servlet.kernel.RefreshTimer;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.SessionInterval;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * The timer of one session: its interval, who refreshes it, and when that or its end is due. The
 * deadlines are times of the wall clock, so that another node can keep them.
 *
 * <p>Owner: the turn of the application session; its place on the wheel belongs to the home shard.
 * A session that came back from bytes has a new one: {@link #fire} of the old does nothing.
 */
public final class SessionTimer extends WheelTimer implements RefreshTimer, Runnable {
    private static final int VERSION = 1;

    /** After a take-over: what is due by then is done within this time. */
    private static final long SPREAD_MILLIS = 5_000;

    /** After a take-over: how long a peer may still refresh what was due before, 64*T1. */
    private static final long GRACE_MILLIS = 32_000;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** A hundred years: more nanoseconds do not fit into the clock's number. */
    private static final long MOST_MILLIS = 100L * 365 * 24 * 3_600_000;

    private static final long MILLIS = 1_000L;

    /** What our side of the session does. */
    public enum Duty {
        /** Waits for refreshes; ends the call when none comes. */
        WAIT,
        /** Refreshes. */
        REFRESH,
        /** Is a proxy's: forgets the call when no refresh passes. */
        WATCH
    }

    private final ServletSession session;
    private Duty duty = Duty.WAIT;
    private int intervalSeconds;

    /** Min-SE that a 422 told us; 90 before. */
    private int minSeconds;

    /** When it is refreshed, or was answered last that a refresh could not be had now. */
    private volatile long actAtMillis;

    /** When the call is ended. */
    private long giveUpAtMillis;

    /** Has the peer said that it takes UPDATE? */
    private boolean updates;

    /** Refreshes in a row that failed. */
    private int failures;

    /**
     * What an INVITE that refreshes offers: the description that we sent last; null while none.
     * Only where we refresh by INVITE, and as long as {@link ServletSession#keepDescription} has
     * room.
     */
    private byte @Nullable [] description;

    private @Nullable String descriptionType;

    SessionTimer(ServletSession session) {
        this.session = session;
    }

    ServletSession session() {
        return session;
    }

    Duty duty() {
        return duty;
    }

    int intervalSeconds() {
        return intervalSeconds;
    }

    int minSeconds() {
        return minSeconds;
    }

    void minSeconds(int told) {
        minSeconds = told;
    }

    boolean updates() {
        return updates;
    }

    void updates(boolean allowed) {
        updates = allowed;
    }

    int failed() {
        return ++failures;
    }

    long giveUpAtMillis() {
        return giveUpAtMillis;
    }

    byte @Nullable [] description() {
        return description;
    }

    @Nullable String descriptionType() {
        return descriptionType;
    }

    /** Do we refresh, and by an INVITE, which has to offer something? */
    boolean offers() {
        return duty == Duty.REFRESH && !updates;
    }

    /** A message with a description of ours left, or was accepted. */
    void described(SipMessage own) {
        int length = own.bodyLength();
        if (length == 0 || !offers()) {
            return;
        }
        if (session.keepDescription(length)) {
            description = own.body();
            descriptionType = own.header(HeaderName.CONTENT_TYPE);
        } else {
            // An UPDATE needs none; a peer that takes none hears nothing of us until its time ends.
            forget();
            session.host().counters().refusedAddresses.increment();
        }
    }

    private void forget() {
        description = null;
        descriptionType = null;
        session.keepDescription(0);
    }

    /** The session was refreshed just now. */
    void refreshed(Duty ours, int seconds) {
        duty = ours;
        if (!offers()) {
            forget();
        }
        intervalSeconds = seconds;
        failures = 0;
        long now = session.host().millis();
        giveUpAtMillis = now + giveUpAfter(ours, seconds) * MILLIS;
        actAt(ours == Duty.REFRESH ? now + seconds * MILLIS / 2 : giveUpAtMillis);
    }

    private static int giveUpAfter(Duty ours, int seconds) {
        // RFC 4028 8.3: a proxy waits to the end.
        return ours == Duty.WATCH ? seconds : SessionInterval.giveUpSeconds(seconds);
    }

    /** Something is to be done then: not later than giving up. */
    void actAt(long millis) {
        actAtMillis = Math.min(millis, giveUpAtMillis);
        session.parent().onHome(this);
    }

    /** The call is over. */
    @Override
    public void cancel() {
        session.parent().onHome(() -> session.parent().home().timers().cancel(this));
    }

    /** On the home shard: what {@link #actAt} brings there. */
    @Override
    public void run() {
        if (session.sessionTimer() == this) {
            Shard home = session.parent().home();
            long now = session.host().millis();
            long left = actAtMillis <= now ? 0 : Math.min(actAtMillis - now, MOST_MILLIS);
            home.timers().schedule(this, home.now() + left * NANOS_PER_MILLI);
        }
    }

    @Override
    protected int partition() {
        return CallPartition.known(session.parent());
    }

    @Override
    protected void fire(long nowNanos) {
        if (session.sessionTimer() != this || !session.isValid()) {
            return;
        }
        Companion beside = session.parent().companion();
        if (beside != null && beside.holdsTimers()) {
            Shard home = session.parent().home();
            home.timers().schedule(this, nowNanos + Companion.TIMER_WAITS_NANOS);
        } else {
            session.parent().submit(new Due());
        }
    }

    private final class Due extends TurnTask {
        @Override
        protected void run() {
            SessionTimers timers = SessionTimers.of(session.application());
            if (timers == null || session.sessionTimer() != SessionTimer.this) {
                return;
            }
            if (actAtMillis > session.host().millis()) {
                session.parent().onHome(SessionTimer.this); // refreshed meanwhile
            } else {
                timers.due(SessionTimer.this);
            }
        }
    }

    @Override
    public long dueAtMillis() {
        return actAtMillis;
    }

    @Override
    public void adopted() {
        long now = session.host().millis();
        // A refresh that the peer has sent into the take-over is repeated for 64*T1.
        giveUpAtMillis = Math.max(giveUpAtMillis, now + GRACE_MILLIS);
        long act = duty == Duty.REFRESH ? actAtMillis : giveUpAtMillis;
        long spread = now + session.host().random().nextLong(SPREAD_MILLIS);
        byte[] offered = description;
        if (offered != null && !session.keepDescription(offered.length)) {
            forget();
        }
        actAt(Math.max(act, spread));
    }

    /** With the turn held. */
    @Override
    public void write(StateWriter out) {
        int section = out.begin(VERSION);
        out.putString(duty.name()).putVarint(intervalSeconds).putVarint(minSeconds);
        out.putVarint(actAtMillis).putVarint(giveUpAtMillis);
        out.putBoolean(updates).putVarint(failures);
        out.putBytes(description).putString(descriptionType);
        out.end(section);
    }

    /** Reads what {@link #write} wrote; it runs once the session has it. */
    public static SessionTimer read(ServletSession session, StateReader in) {
        in.begin();
        SessionTimer timer = new SessionTimer(session);
        timer.duty = duty(in.needString());
        timer.intervalSeconds = in.getCount(Integer.MAX_VALUE);
        timer.minSeconds = in.getCount(Integer.MAX_VALUE);
        timer.actAtMillis = in.getVarint();
        timer.giveUpAtMillis = in.getVarint();
        timer.updates = in.getBoolean();
        timer.failures = in.getCount(Integer.MAX_VALUE);
        timer.description = in.getBytes();
        timer.descriptionType = in.getString();
        in.end();
        return timer;
    }

    private static Duty duty(String name) {
        for (Duty one : Duty.values()) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new StateFormatException("no duty of a session timer: " + name);
    }

    /** A session that came from bytes has it now. */
    @Override
    public void arm() {
        session.parent().onHome(this);
    }
}

package io.carillon.servlet.kernel;

import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;

/**
 * Ends the subscriptions that outlive their call (RFC 5057 4) when none of them was refreshed: a
 * peer that says nothing more after its BYE keeps no session. RFC 6665 4.4.1: "the subscription's
 * expiration" ends it without a NOTIFY.
 *
 * <p>Owner: the turn of the application session; its place on the wheel belongs to the home shard.
 */
final class LastUsages extends WheelTimer implements OpenMessages.Lingering {
    private final ServletSession session;

    private LastUsages(ServletSession session) {
        this.session = session;
    }

    /** With the turn held. */
    static void await(ServletSession session) {
        LastUsages made = new LastUsages(session);
        session.lingers(made);
        made.arm();
    }

    private void arm() {
        long millis = Math.max(0, session.dialog().usages().untilMillis - session.host().millis());
        session.parent()
                .onHome(() -> {
                    Shard home = session.parent().home();
                    home.timers().schedule(this, home.now() + millis * 1_000_000L);
                });
    }

    @Override
    protected int partition() {
        return session.parent().expiry.partition();
    }

    @Override
    protected void fire(long nowNanos) {
        session.parent().submit(TurnTask.of(this::expired));
    }

    private void expired() {
        if (!session.isValid()) {
            return;
        }
        if (session.dialog().usages().untilMillis > session.host().millis()) {
            arm(); // refreshed
            return;
        }
        session.underWay().lingered(this);
        DialogLife.usagesOver(session);
    }

    /** The session ends. */
    @Override
    public void release() {
        session.parent().onHome(() -> session.parent().home().timers().cancel(this));
    }
}

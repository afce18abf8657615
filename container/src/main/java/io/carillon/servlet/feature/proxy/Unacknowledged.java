package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.OpenMessages;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.List;
import javax.servlet.sip.SipSession;

/**
 * A proxied call whose 2xx passed 64*T1 ago, and no ACK since. A proxy on the route sees the ACK of
 * every call (RFC 3261 16.11), so without one there is no call: its caller was nobody, or has no
 * session. RFC 3261 13.3.1.4 has the callee end it by a BYE at that time; so the session stays for
 * as long again, and ends then.
 *
 * <p>Owner: the turn of the application session, one for each session; its place on the wheel
 * belongs to the home shard.
 */
final class Unacknowledged extends WheelTimer implements OpenMessages.Lingering, Runnable {
    private final ServletSession session;

    /**
     * Nothing of an INVITE is left: 64*T1 are over since its 2xx passed. With the turn held.
     *
     * @param session of the INVITE; those of its other callees are beside it
     */
    static void await(ServletSession session) {
        ProxiedDialog first = session.isValid() ? ProxiedDialog.of(session) : null;
        if (first == null) {
            return;
        }
        List<ServletSession> all = session.parent().sessions();
        for (int i = 0; i < all.size(); i++) {
            ServletSession own = all.get(i);
            ProxiedDialog dialog = ProxiedDialog.of(own);
            if (dialog != null && dialog.waitsForAck(first) && isCall(own)) {
                Unacknowledged made = new Unacknowledged(own);
                own.lingers(made);
                own.parent().onHome(made);
            }
        }
    }

    private Unacknowledged(ServletSession session) {
        this.session = session;
    }

    private static boolean isCall(ServletSession session) {
        return session.isValid() && session.dialog().state() == SipSession.State.CONFIRMED;
    }

    /** On the home shard. */
    @Override
    public void run() {
        Shard home = session.parent().home();
        home.timers().schedule(this, home.now() + home.config().timers().timeoutNanos());
    }

    @Override
    protected int partition() {
        return CallPartition.known(session.parent());
    }

    @Override
    protected void fire(long nowNanos) {
        session.parent().submit(TurnTask.of(this::over));
    }

    private void over() {
        session.underWay().lingered(this);
        ProxiedDialog dialog = ProxiedDialog.of(session);
        if (dialog == null || !dialog.waitsForAck(dialog) || !isCall(session)) {
            return;
        }
        session.host().counters().acksMissing.increment();
        if (session.dialog().keptBySubscriptions()) {
            DialogLife.hungUp(session);
        } else {
            DialogLife.enter(session, SipSession.State.TERMINATED);
        }
    }

    /** The session ends. */
    @Override
    public void release() {
        session.parent().onHome(() -> session.parent().home().timers().cancel(this));
    }
}

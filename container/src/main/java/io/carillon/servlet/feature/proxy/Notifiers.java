package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.DerivedSession;
import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.OpenMessages;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * Who may still notify of a SUBSCRIBE that a record-routing proxy of ours passed on. RFC 6665
 * 4.4.1: a dialog begins with a NOTIFY, which may come before the 2xx, and from each fork; one 2xx
 * alone goes back. They are found by the subscriber's half of the dialog until Timer N.
 *
 * <p>Owner: the turn of the application session; its place on the wheel belongs to the home shard.
 */
public final class Notifiers extends WheelTimer implements OpenMessages.Lingering, Runnable {
    private final ServletSession session;
    private final DialogKey half;
    private int forks;
    private boolean ended;

    /** With the turn held, as the SUBSCRIBE leaves. */
    static void await(ServletSession session, SipRequest subscribe) {
        Notifiers made = new Notifiers(session, half(subscribe.callId(), subscribe.fromTag()));
        session.host().tables().addProxied(made.half, session);
        session.lingers(made);
        session.parent().onHome(made);
    }

    private Notifiers(ServletSession session, DialogKey half) {
        this.session = session;
        this.half = half;
    }

    /** As {@link ProxiedDialog} names its dialogs: the callee's tag first, which nobody knows. */
    private static DialogKey half(String callId, @Nullable String subscriberTag) {
        return new DialogKey(
                callId,
                /* localTag= */ "",
                /* remoteTag= */ subscriberTag == null ? "" : subscriberTag);
    }

    /** On the home shard. */
    @Override
    public void run() {
        Shard home = session.parent().home();
        // RFC 6665 4.1.2.4: "Timer N is set to 64*T1".
        home.timers().schedule(this, home.now() + home.config().timers().timeoutNanos());
    }

    @Override
    protected int partition() {
        return CallPartition.known(session.parent());
    }

    @Override
    protected void fire(long nowNanos) {
        session.parent().submit(TurnTask.of(this::timerN));
    }

    private void timerN() {
        session.underWay().lingered(this);
        session.host().tables().removeProxied(half, session);
        if (ended) {
            DialogLife.notifiersOver(session);
        }
    }

    /** The first one's last subscription has ended. The turn is held. */
    public void firstEnded() {
        ended = true;
    }

    /** The session ends. */
    @Override
    public void release() {
        session.host().tables().removeProxied(half, session);
        session.parent().onHome(() -> session.parent().home().timers().cancel(this));
    }

    /**
     * The session of the dialog that this NOTIFY begins: the SUBSCRIBE's own for the first one, a
     * new one for another fork. Null when nobody waits for it, or when there are too many. The turn
     * is held.
     */
    static @Nullable ServletSession begin(ServletSession session, SipRequest notify) {
        ProxiedDialog dialog = ProxiedDialog.of(session);
        Notifiers waiting = session.underWay().lingering(Notifiers.class);
        String tag = notify.fromTag();
        if (dialog == null || waiting == null || tag == null || dialog.refused()) {
            return null;
        }
        if (!dialog.belongsToOther(tag)) {
            dialog.notified(tag, notify);
            return session;
        }
        ServletSession known = session.host().tables().proxied(DialogKey.ofIncoming(notify));
        return known != null ? known : waiting.fork(dialog, tag, notify);
    }

    private @Nullable ServletSession fork(ProxiedDialog first, String tag, SipRequest notify) {
        ServletSession fork = DerivedSession.notified(session, tag, forks);
        if (fork == null) {
            return null;
        }
        forks++;
        ProxiedDialog dialog = first.fork(fork);
        fork.dialog().begin(dialog);
        dialog.notified(tag, notify);
        return fork;
    }
}

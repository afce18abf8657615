package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.dialog.DialogTakeOver;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.message.SipResponse;
import javax.servlet.sip.SipSession.State;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the dialog of a session: it begins, follows its messages and ends, and the tables
 * and counters of the server learn of it. Stateless; the state is in {@link SessionDialog}. With
 * the turn held, unless a method says otherwise.
 */
public final class DialogLife {
    private DialogLife() {}

    // ---- begin ----

    /** The dialog begins by a message of this method: the tables learn its key. */
    public static void begin(ServletSession session, Dialog begun, String method) {
        SessionDialog dialog = session.dialog();
        boolean subscribes = !method.equals("INVITE");
        if (subscribes != dialog.subscription) {
            dialog.subscription = subscribes;
            countSubscription(session, subscribes ? 1 : -1);
        }
        dialog.own = begun;
        dialog.localTag = begun.localTag();
        dialog.local = begun.local();
        dialog.remote = begun.remote();
        register(session, begun.key());
    }

    private static void countSubscription(ServletSession session, int change) {
        session.host().counters().subscriptions.add(change);
        session.host().rooms().subscriptions(session.countedAt(), change);
    }

    /**
     * Requests with this key are this session's. An earlier key (of the half dialog before the
     * first answer) goes.
     */
    public static void register(ServletSession session, DialogKey key) {
        SessionDialog dialog = session.dialog();
        DialogKey old = dialog.key;
        if (key.equals(old)) {
            return;
        }
        dialog.key = key;
        // Never without a key: a shard may look just now (DialogLookup.find).
        session.host().tables().addDialog(key, session);
        if (old != null) {
            session.host().tables().removeDialog(old, session);
        }
    }

    /**
     * A response waits for the turn in which it may begin the dialog of that key. RFC 3261 12.1:
     * for the peer the dialog is there when it has sent it, so what follows is for this session. On
     * the shard.
     *
     * @return the key, for {@link #expected}; null where the dialog is known
     */
    public static @Nullable DialogKey expect(ServletSession session, SipResponse response) {
        DialogKey known = session.dialog().key;
        String tag = response.toTag();
        if (tag == null || (known != null && known.remoteTag().equals(tag))) {
            return null;
        }
        DialogKey begun = DialogKey.ofIncoming(response);
        return session.host().tables().expectDialog(begun, session) ? begun : null;
    }

    /** The response waits no longer; the tables forget its dialog where it began none. */
    public static void expected(ServletSession session, DialogKey begun) {
        if (!session.isValid() || !begun.equals(session.dialog().key)) {
            session.host().tables().removeDialog(begun, session);
        }
    }

    /** RFC 6665 4.4.1: until Timer N, a NOTIFY with our half of a dialog is for this session. */
    public static void awaitNotify(ServletSession session, DialogKey half) {
        session.host().tables().addDialog(half, session);
    }

    /** Timer N has fired, or the session ends. */
    public static void notifyAwaited(ServletSession session, DialogKey half) {
        session.host().tables().removeDialog(half, session);
    }

    // ---- state ----

    /** The session's state follows its dialog after each message. */
    public static void follow(ServletSession session) {
        SessionDialog dialog = session.dialog();
        Dialog mine = dialog.own;
        if (mine != null) {
            if (mine.state() == Dialog.State.CONFIRMED) {
                dialog.target = null; // from now on the dialog knows
            }
            enter(
                    session,
                    switch (mine.state()) {
                        case EARLY -> State.EARLY;
                        case CONFIRMED -> State.CONFIRMED;
                        case TERMINATED -> State.TERMINATED;
                    });
        }
    }

    /** The one place where the state changes. TERMINATED is the last. */
    public static void enter(ServletSession session, State to) {
        SessionDialog dialog = session.dialog();
        State from = dialog.state;
        if (from == to || from == State.TERMINATED) {
            return;
        }
        session.host().counters().moved(from, to);
        dialog.state = to;
        if (to == State.TERMINATED) {
            session.terminated();
        }
        if (to == State.TERMINATED || to == State.INITIAL) {
            session.parent().mayBeReady();
        }
    }

    /** Our dialog ends without a message; nothing happens where there is none. */
    public static void terminate(ServletSession session) {
        Dialog mine = session.dialog().own;
        if (mine != null) {
            mine.terminate();
            follow(session);
        }
    }

    /**
     * SIP Servlet 1.1, 6.2.1: a UAC whose early dialog failed is where it began, and may send
     * again.
     */
    public static void fallBack(ServletSession session) {
        SessionDialog dialog = session.dialog();
        DialogKey old = dialog.key;
        dialog.own = null;
        dialog.remote = SessionDialog.withoutTag(dialog.remote);
        if (old != null) {
            session.host().tables().removeDialog(old, session);
            dialog.key = null;
        }
        complete(session);
        enter(session, State.INITIAL);
    }

    /**
     * It has come from another node, with nothing under way.
     *
     * @param gap by how much numbers of ours rise
     */
    static void goOn(ServletSession session, int gap) {
        SessionDialog dialog = session.dialog();
        dialog.localCSeq = Math.min(dialog.localCSeq + gap, CSeq.MAX - 1);
        Dialog mine = dialog.own;
        if (mine != null) {
            DialogTakeOver.goOn(mine, gap, session.underWay().isEmpty());
        }
        if (dialog.subscription) {
            countSubscription(session, 1);
        }
        DialogUsages using = dialog.usages;
        if (using != null && using.hungUp) {
            LastUsages.await(session);
        }
        if (dialog.state == State.INITIAL
                && dialog.role != SessionDialog.Role.NONE
                && session.underWay().isEmpty()) {
            dialog.completed = true; // what its request was answered with went to the other node
        }
    }

    /** Nothing more is to come unless the application begins it. */
    public static void complete(ServletSession session) {
        session.dialog().completed = true;
        session.parent().mayBeReady();
    }

    /** The session has ended: no request finds it, and it counts no more. */
    static void forget(ServletSession session) {
        SessionDialog dialog = session.dialog();
        session.host().counters().sessionEnded(dialog.state);
        if (dialog.subscription) {
            countSubscription(session, -1);
        }
        DialogKey mine = dialog.key;
        if (mine != null) {
            session.host().tables().removeDialog(mine, session);
        }
        ForwardedDialog through = dialog.proxied;
        if (through != null) {
            through.forget();
        }
    }

    // ---- what uses it (RFC 5057) ----

    /**
     * A subscription uses the dialog, or does so no longer; with the last one the dialog ends,
     * unless a call uses it too.
     *
     * @param usage tells subscriptions apart
     * @param seconds how long it lives unless it is refreshed
     */
    public static void used(ServletSession session, String usage, boolean over, long seconds) {
        SessionDialog dialog = session.dialog();
        ForwardedDialog through = dialog.proxied;
        if (dialog.own == null && through == null) {
            return;
        }
        if (!over) {
            dialog.usages().use(usage, session.host().millis() + 1_000L * seconds);
            return;
        }
        DialogUsages known = dialog.usages;
        if (known != null) {
            known.leave(usage);
        }
        boolean subscribed = dialog.subscription || (through != null && !through.isCall());
        if (subscribed && dialog.subscriptions().isEmpty()) {
            usagesOver(session);
        }
    }

    /** Timer N: no further notifier. */
    public static void notifiersOver(ServletSession session) {
        if (session.dialog().subscriptions().isEmpty()) {
            usagesOver(session);
        }
    }

    /** No subscription uses the dialog any more, and no call does. */
    static void usagesOver(ServletSession session) {
        ForwardedDialog through = session.dialog().proxied;
        if (through == null) {
            subscriptionEnded(session);
        } else if (!through.usagesOver()) {
            enter(session, State.TERMINATED);
        }
    }

    /** RFC 6665 4.4.1: a NOTIFY that ends the subscription ends a dialog that has no other use. */
    public static void subscriptionEnded(ServletSession session) {
        if (session.dialog().subscription) {
            terminate(session);
        }
    }

    /**
     * The call has ended: its BYE was answered, or the peer knows it no longer. RFC 5057 4.1: the
     * dialog stays for the subscriptions that use it, until the last of them ends.
     */
    public static void hungUp(ServletSession session) {
        SessionDialog dialog = session.dialog();
        if (dialog.subscription || dialog.subscriptions().isEmpty()) {
            return;
        }
        boolean room = !session.host().rooms().fullOfSubscriptions(session.countedAt());
        dialog.usages().hungUp = true;
        dialog.subscription = true;
        countSubscription(session, 1);
        if (room) {
            session.callOver();
            LastUsages.await(session);
        } else {
            usagesOver(session); // as if it had no subscriptions
        }
    }
}

package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.Subscriber;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.port.RoutePlace;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.Shard;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * To which session something in a dialog belongs: RFC 3261 12.2.2, RFC 6665 4.4.1, and the places
 * of proxies on its way. On the shard first, and again in the turn, since a response may have
 * waited for it that begins the dialog.
 */
final class DialogLookup {
    private final SessionHost host;

    DialogLookup(SessionHost host) {
        this.host = host;
    }

    /**
     * Is it our own, to a peer without a tag (RFC 3261 12.1.1: "MUST be prepared to receive a
     * request without a tag in the From field") that gave an address of ours as its Contact? What
     * refreshed a call would begin another, and keep itself alive for good.
     */
    boolean cameHome(Shard shard, SipRequest received) {
        String tag = received.fromTag();
        if (tag == null || !shard.config().tokens().isOne(tag)) {
            return false;
        }
        ServletSession own = host.tables().dialog(new DialogKey(received.callId(), tag, ""));
        return own != null && own.dialog().state() == SipSession.State.CONFIRMED;
    }

    /**
     * A request with our Record-Route on top goes through a proxy of ours; one without may be for a
     * user agent here, or come from a caller that keeps no route set.
     */
    @Nullable ServletSession find(SipRequest received, RoutePreprocessing routing, Hop source) {
        if (source.beside() instanceof ServletSession next) {
            return next; // from another application on this dialog
        }
        DialogKey key = DialogKey.ofIncoming(received);
        if (routing.popped() != null) {
            ServletSession through = host.tables().proxied(key, place(received, routing));
            if (through != null) {
                return through;
            }
        }
        ServletSession session = host.tables().dialog(key);
        if (session == null) {
            session = host.tables().proxied(key);
        } else if (session.path().composed()) {
            // Proxies of ours stand before this user agent, and no route of theirs led here: the
            // peer keeps no route set, or names another way, which is not past them.
            ServletSession first = host.tables().proxied(key);
            session = first == null ? session : first;
        }
        if (session == null && received.is(Methods.NOTIFY)) {
            // Whoever waits for a NOTIFY, of any notifier.
            DialogKey half = key.half();
            session = host.tables().dialog(half);
            if (session == null) {
                // The 200 to the SUBSCRIBE was processed between the two looks: the half key went
                // when the whole one was there.
                session = host.tables().dialog(key);
            }
            if (session == null) {
                session = host.tables().proxied(half, place(received, routing));
            }
        }
        return session;
    }

    /**
     * The place on the chain of applications that the route which led here names: believed where it
     * is one that we recorded in this call. Else it is the first of ours that meets the request.
     */
    private int place(SipRequest received, RoutePreprocessing routing) {
        int named = RoutePlace.of(routing.popped());
        String token = named > 0 ? routing.token() : null;
        boolean recorded = token != null && host.shards().some().isRoute(token, received.callId());
        return named <= 0 || recorded ? named : -1;
    }

    // ---- in the turn ----

    /**
     * It was found by the tag of a response that waited for the turn. That may have been another
     * fork's, which has a session of its own by now, or have begun nothing: then null.
     */
    @Nullable ServletSession ofItsDialog(ServletSession found, SipRequest received) {
        Dialog dialog = found.dialog().own();
        String tag = received.fromTag();
        if (dialog == null
                || found.dialog().proxied()
                        != null // what we said ourselves before is of another dialog
                || tag == null
                || dialog.remoteTag().equals(tag)
                || (received.is(Methods.NOTIFY) // any notifier's, while it is waited for
                        && found.underWay().subscriber() != null)) {
            return found;
        }
        ServletSession now = host.tables().dialog(DialogKey.ofIncoming(received));
        return now == found || (now != null && now.parent() != found.parent()) ? null : now;
    }

    /**
     * A NOTIFY that was found by our half of the dialog may be of another fork of the SUBSCRIBE,
     * with a session of its own; null where there is no room for that.
     */
    static @Nullable ServletSession ofItsFork(ServletSession session, SipRequest received) {
        Dialog dialog = session.dialog().own();
        if (dialog == null
                || !received.is(Methods.NOTIFY)
                || dialog.remoteTag().equals(received.fromTag())) {
            return session;
        }
        Subscriber subscriber = session.underWay().subscriber();
        return subscriber == null ? null : subscriber.fork(received);
    }

    /** The dialog of that session, which a first NOTIFY begins; null for none. */
    static @Nullable Dialog dialog(ServletSession session, SipRequest received) {
        Dialog dialog = session.dialog().own();
        return dialog == null ? bySubscription(session, received) : dialog;
    }

    /**
     * RFC 6665 4.4.1: the dialog of a subscription begins with the first NOTIFY, which may come
     * before the 200.
     */
    private static @Nullable Dialog bySubscription(ServletSession session, SipRequest received) {
        if (!received.is(Methods.NOTIFY)) {
            return null;
        }
        for (SipServletMessage open : session.open()) {
            if (open instanceof ServletRequest request
                    && request.getMethod().equals(Methods.SUBSCRIBE)) {
                UacTransaction client = request.uac();
                SipRequest sent = client == null ? null : client.sentRequest();
                if (sent != null) {
                    Dialog dialog = Dialog.subscriber(sent, received);
                    DialogLife.begin(session, dialog, Methods.SUBSCRIBE);
                    DialogLife.follow(session);
                    return dialog;
                }
            }
        }
        return null;
    }

    /** The INVITE of that number which waits for an ACK or a PRACK; null for none. */
    static @Nullable ServletRequest openInvite(ServletSession session, long cseq) {
        for (ServletRequest invite : session.underWay().invites()) {
            if (invite.received().cseq().number() == cseq) {
                return invite;
            }
        }
        return null;
    }

    /** The request in the session of that 2xx: a B2BUA may have sent several. */
    @Nullable ServletRequest answered(SipResponse final2xx) {
        String own = final2xx.toTag();
        String peers = final2xx.fromTag();
        DialogKey key =
                new DialogKey(
                        final2xx.callId(), own == null ? "" : own, peers == null ? "" : peers);
        ServletSession session = host.tables().dialog(key);
        return session == null ? null : openInvite(session, final2xx.cseq().number());
    }
}

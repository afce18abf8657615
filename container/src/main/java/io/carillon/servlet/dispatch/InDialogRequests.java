package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.proxy.ProxiedRequests;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.Subscriber;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.RoutePlace;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Accept;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.RAck;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.InDialogForwarding;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.ShardToken;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * What comes within a dialog: requests, ACK, CANCEL, and the news that an ACK or PRACK will never
 * come. The session is found on the shard; the rest happens in its turn.
 */
public final class InDialogRequests {
    private final SessionHost host;
    private final ApplicationCalls calls;
    private final PassedOn passedOn;
    private final ProxiedRequests proxied;
    private final Arrivals arrivals;

    @SuppressWarnings("this-escape") // nothing arrives before the container has it
    public InDialogRequests(SessionHost host, ApplicationCalls calls, PassedOn passedOn) {
        this.host = host;
        this.calls = calls;
        this.passedOn = passedOn;
        this.arrivals = new Arrivals(host.random(), this);
        this.proxied = new ProxiedRequests(host);
    }

    /** With the turn held. */
    void take(
            ServletSession session,
            @Nullable ServerTransaction transaction,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing) {
        if (transaction == null) {
            receiveAck(session, received, source, routing);
        } else if (refreshes(received)
                && host.keptAddresses().refuses(received, session.countedAt())) {
            host.counters().refusedAddresses.increment();
            InitialRequests.refuseForNow(transaction, received, 503);
        } else {
            session.keep(received);
            receive(session, transaction, received, routing);
        }
    }

    /**
     * Does it bring another target, which is kept (RFC 3261 12.2.2)? What ends a call or answers
     * must always get in.
     */
    private static boolean refreshes(SipRequest received) {
        return received.is(Methods.INVITE)
                || received.is(Methods.UPDATE)
                || received.is(Methods.SUBSCRIBE)
                || received.is(Methods.NOTIFY)
                || received.is(Methods.REFER);
    }

    /** Can a request belong to a dialog only? */
    public boolean concerns(Shard shard, SipRequest received) {
        return received.toTag() != null
                // RFC 3261 15.1.2: "If the BYE does not match an existing dialog, the UAS core
                // SHOULD generate a 481"; RFC 3262 3 and RFC 3311 5.2 know theirs in a dialog only.
                || received.is(Methods.BYE)
                || received.is(Methods.PRACK)
                || received.is(Methods.UPDATE)
                || cameHome(shard, received);
    }

    /**
     * Is it our own, to a peer without a tag (RFC 3261 12.1.1: "MUST be prepared to receive a
     * request without a tag in the From field") that gave an address of ours as its Contact? What
     * refreshed a call would begin another, and keep itself alive for good.
     */
    private boolean cameHome(Shard shard, SipRequest received) {
        String tag = received.fromTag();
        if (tag == null || !ShardToken.isWhole(shard.config().nodeId(), tag)) {
            return false;
        }
        ServletSession own = host.tables().dialog(new DialogKey(received.callId(), tag, ""));
        return own != null && own.dialog().state() == SipSession.State.CONFIRMED;
    }

    /** Takes what {@link #concerns}; false when it belongs to no dialog and may begin one. */
    public boolean request(Shard shard, ServerTransaction transaction, SipRequest received) {
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, transaction.source(), shard.wire());
        ServletSession session = find(received, routing, transaction.source());
        if (session == null && passedOn.forwardAimed(transaction, received)) {
            return true;
        }
        if (session == null) {
            // RFC 3261 12.2.2: "Based on the To tag, the UAS MAY either accept or reject the
            // request." An INVITE with a tag that others gave is on its way through us, or began
            // before we did: the application decides. With a tag of ours its call has ended.
            String tag = received.toTag();
            boolean foreign = tag != null && !ShardToken.isWhole(shard.config().nodeId(), tag);
            if (foreign && received.is(Methods.INVITE)) {
                return false;
            }
            if (passedOn.forwardPassing(transaction, received, routing)) {
                return true;
            }
            // "If the UAS wishes to reject the request because it does not wish to
            // recreate the dialog, it MUST
            // respond to the request with a 481 (Call/Transaction Does Not Exist) status code".
            host.counters().strays.increment();
            InitialRequests.refuse(transaction, received, 481, null);
            return true;
        }
        arrivals.request(session, transaction, received, routing);
        return true;
    }

    /**
     * False when there was no room for the ACK.
     *
     * @param byToken it was addressed to somebody inside by a token of the carrier's edge
     */
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken) {
        RoutePreprocessing routing = RoutePreprocessing.of(ack, from, shard.wire());
        ServletSession session = find(ack, routing, from);
        if (session == null) {
            boolean leadsOn =
                    ownRoute(shard, routing, ack)
                            || byToken
                            || passedOn.onlyPasses(shard, ack, routing);
            if (!leadsOn || !InDialogForwarding.forwardAck(shard, ack, from, shard.place(from))) {
                host.counters().strays.increment();
            }
            return true;
        }
        return arrivals.ack(shard, session, ack, from, routing);
    }

    /**
     * Is the route that led here one that we have recorded, in this very call? The ACK for a 2xx
     * may be overtaken by the BYE that ends its call; whoever answered repeats the 2xx until it
     * comes (RFC 3261 13.3.1.4), so a proxy has to pass it on although the call is over (16.11).
     */
    private static boolean ownRoute(Shard shard, RoutePreprocessing routing, SipRequest ack) {
        String token = routing.token();
        return token != null && shard.isRecentRoute(token, ack.callId());
    }

    /**
     * A request with our Record-Route on top goes through a proxy of ours; one without may be for a
     * user agent here, or come from a caller that keeps no route set.
     */
    private @Nullable ServletSession find(
            SipRequest received, RoutePreprocessing routing, Hop source) {
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

    private void receive(
            ServletSession found,
            ServerTransaction transaction,
            SipRequest received,
            RoutePreprocessing routing) {
        ServletSession session = ofItsDialog(found, received);
        if (session == null || !session.isValid()) {
            host.counters().strays.increment();
            InitialRequests.refuse(transaction, received, 481, null);
            return;
        }
        ServletRequest request =
                ServletRequest.incoming(
                        host, received, transaction, transaction.source(), routing, false);
        request.bind(session);
        transaction.attach(request);
        SessionTimers timers = SessionTimers.of(session.application());
        if (timers != null) {
            MessageDraft refusal = timers.refusal(received, transaction.localTag());
            if (refusal != null) {
                transaction.respond(refusal.freezeResponse());
                return;
            }
        }
        if (session.dialog().proxied() != null) {
            proxied.receive(session, request);
            return;
        }
        ServletSession own = session;
        Dialog dialog = session.dialog().own();
        if (dialog != null
                && received.is(Methods.NOTIFY)
                && !dialog.remoteTag().equals(received.fromTag())) {
            // Found by our half of the dialog: another fork of the SUBSCRIBE.
            Subscriber subscriber = session.underWay().subscriber();
            ServletSession fork = subscriber == null ? null : subscriber.fork(received);
            if (fork == null) {
                InitialRequests.refuse(transaction, received, 481, null);
                return;
            }
            request.bind(fork);
            own = fork;
            dialog = fork.dialog().own();
        }
        if (dialog == null) {
            dialog = bySubscription(session, received);
            if (dialog == null) {
                InitialRequests.refuse(transaction, received, 481, null);
                return;
            }
        }
        Accept accept =
                own.dialog().refuses(received.method())
                        ? Accept.TERMINATED
                        : dialog.receive(received);
        own.knowsOurTag();
        if (received.is(Methods.PRACK) && accept.acknowledges()) {
            pracked(own, received);
        }
        if (!accept.ok()) {
            refuse(transaction, received, accept);
            return;
        }
        UasTransaction server = request.uas();
        if (server != null && received.is(Methods.INVITE) && transaction.finalClaimed()) {
            // A CANCEL came while the request waited for its turn, and was answered with 487.
            server.cancelled();
            return;
        }
        if (timers != null && server != null && timers.answers(own, request)) {
            server.answer(200);
            return;
        }
        serve(own, request);
    }

    /**
     * It was found by the tag of a response that waited for the turn. That may have been another
     * fork's, which has a session of its own by now, or have begun nothing: then null.
     */
    private @Nullable ServletSession ofItsDialog(ServletSession found, SipRequest received) {
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

    private void refuse(ServerTransaction transaction, SipRequest received, Accept accept) {
        String retryAfter =
                accept.retryAfter()
                        ? Integer.toString(Glare.retryAfterSeconds(host.random()))
                        : null;
        InitialRequests.refuse(transaction, received, accept.status(), retryAfter);
    }

    private void serve(ServletSession session, ServletRequest request) {
        session.opened(request);
        boolean served = calls.service(session.application(), session.handler(), request);
        UasTransaction server = request.uas();
        if (!served && server != null) {
            server.answer(500);
        }
    }

    /** The PRACK stops the repetition of its response; the dialog has matched it. */
    private static void pracked(ServletSession session, SipRequest prack) {
        String value = prack.header(HeaderName.RACK);
        if (value == null) {
            return;
        }
        RAck acknowledged;
        try {
            acknowledged = RAck.parse(value);
        } catch (SipParseException e) {
            return; // never: the dialog accepted it
        }
        ServletRequest invite = openInvite(session, acknowledged.cseq());
        UasTransaction server = invite == null ? null : invite.uas();
        if (server != null) {
            server.pracked(acknowledged.rseq());
        }
    }

    private static @Nullable ServletRequest openInvite(ServletSession session, long cseq) {
        for (ServletRequest invite : session.underWay().invites()) {
            if (invite.received().cseq().number() == cseq) {
                return invite;
            }
        }
        return null;
    }

    private void receiveAck(
            ServletSession session, SipRequest ack, Hop source, RoutePreprocessing routing) {
        int cseq = (int) ack.cseqNumber();
        session.underWay().forgetAck(cseq);
        if (!session.isValid()) {
            // A late ACK after invalidation is no error.
            Shard shard = host.shards().of(session.parent().home());
            if (ownRoute(shard, routing, ack)) {
                InDialogForwarding.forwardAck(shard, ack, source, session.countedAt());
            }
            return;
        }
        ServletRequest request = ServletRequest.incoming(host, ack, null, source, routing, false);
        request.bind(session);
        if (session.dialog().proxied() != null) {
            proxied.receiveAck(session, request, ack, source);
            return;
        }
        ServletRequest invite = openInvite(session, ack.cseq().number());
        UasTransaction server = invite == null ? null : invite.uas();
        Dialog dialog = session.dialog().own();
        if (server == null || server.success() == null || dialog == null) {
            return; // repeated, for a repeated 2xx
        }
        session.underWay().knowAck(cseq);
        dialog.receive(ack);
        server.transaction().ackReceived(ack);
        server.acknowledged();
        session.knowsOurTag();
        session.touch();
        calls.service(session.application(), session.handler(), request);
    }

    // ---- CANCEL ----

    public void cancelled(ServerTransaction transaction, SipRequest cancel, boolean answered487) {
        if (transaction.attachment() instanceof ResponseContext context) {
            PassedOn.cancel(context, cancel);
            return;
        }
        if (!(transaction.attachment() instanceof ServletRequest invite)) {
            return; // still on its way into the turn, or our own answer: the 487 went out already
        }
        arrivals.cancel(transaction, invite, cancel, answered487);
    }

    /** With the turn held. */
    void cancel(ServletRequest invite, SipRequest cancel, boolean answered487) {
        UasTransaction server = invite.uas();
        ServletSession session = invite.session();
        if (server == null || session == null || !session.isValid() || server.finalSent()) {
            return;
        }
        ServletProxy proxy = (ServletProxy) invite.proxyOrNull();
        boolean forwarded = proxy != null && proxy.started();
        if (proxy != null && forwarded) {
            proxy.cancelledByCaller(cancel);
        }
        ServletRequest onward = invite.linked();
        if (onward != null && cancel.has(HeaderName.REASON)) {
            onward.noted().cancelReasons(cancel.headers(HeaderName.REASON));
        }
        if (answered487) {
            server.cancelled();
        } else if (!forwarded) {
            return; // the application's final response came first: RFC 3261 9.2, the CANCEL has no
            // effect
        }
        Hop source = server.transaction().source();
        RoutePreprocessing plain = new RoutePreprocessing(cancel.requestUri(), false, null, false);
        ServletRequest event = ServletRequest.incoming(host, cancel, null, source, plain, false);
        event.bind(session);
        calls.service(session.application(), session.handler(), event);
    }

    // ---- what never came ----

    public void ackMissing(ServerTransaction transaction, SipResponse final2xx) {
        host.counters().acksMissing.increment();
        if (transaction.attachment() instanceof ServletRequest invite) {
            inTurn(
                    invite,
                    () -> {
                        ServletRequest answered = answered(final2xx);
                        if (answered != null) {
                            noAck(answered);
                        }
                    });
        }
    }

    /** The request in the session of that 2xx: a B2BUA may have sent several. */
    private @Nullable ServletRequest answered(SipResponse final2xx) {
        String own = final2xx.toTag();
        String peers = final2xx.fromTag();
        DialogKey key =
                new DialogKey(
                        final2xx.callId(), own == null ? "" : own, peers == null ? "" : peers);
        ServletSession session = host.tables().dialog(key);
        return session == null ? null : openInvite(session, final2xx.cseq().number());
    }

    /** 64*T1 passed without a final response to a request other than INVITE. */
    public void unanswered(ServerTransaction transaction) {
        if (transaction.attachment() instanceof ServletRequest request) {
            inTurn(
                    request,
                    () -> {
                        UasTransaction server = request.uas();
                        ServletSession session = request.session();
                        if (server != null && session != null && session.isValid()) {
                            server.tooLate();
                        }
                    });
        }
    }

    public void prackMissing(ServerTransaction transaction) {
        if (transaction.attachment() instanceof ServletRequest invite) {
            inTurn(invite, () -> noPrack(invite));
        }
    }

    private static void inTurn(ServletRequest invite, Runnable what) {
        ServletSession session = invite.session();
        if (session != null) {
            session.parent().submit(TurnTask.of(what));
        }
    }

    private void noAck(ServletRequest invite) {
        UasTransaction server = invite.uas();
        ServletSession session = invite.session();
        if (server == null || session == null || !session.isValid()) {
            return;
        }
        ServletResponse success = server.success();
        Dialog dialog = session.dialog().own();
        if (success == null || dialog == null) {
            return;
        }
        dialog.ackMissing(server.received().cseq().number());
        server.acknowledged();
        boolean heard = calls.noAck(session.application(), invite, success);
        if (!heard && session.isValid() && session.dialog().state() == SipSession.State.CONFIRMED) {
            // RFC 3261 13.3.1.4: "If the server retransmits the 2xx response for 64*T1 seconds
            // without receiving an ACK, the dialog
            // is confirmed, but the session SHOULD be terminated. This is accomplished with a BYE".
            // Nobody listens, so we do it; on the other leg of a back-to-back user agent too, which
            // the application would keep up with nobody on this side.
            LegEnding.bye(session);
            ServletSession other = session.linked();
            if (other != null && other.isValid()) {
                LegEnding.abandonOpen(other, 500);
                LegEnding.bye(other);
            }
        }
    }

    private void noPrack(ServletRequest invite) {
        UasTransaction server = invite.uas();
        ServletSession session = invite.session();
        if (server == null || session == null || !session.isValid()) {
            return;
        }
        ServletResponse provisional = server.sentReliably();
        if (provisional == null || (server.finalSent() && !server.waitsForPrack())) {
            return;
        }
        boolean heard = calls.noPrack(session.application(), invite, provisional);
        if (!heard || server.waitsForPrack()) {
            // RFC 3262 3: "the UAS SHOULD reject the original request with a 5xx response." Nobody
            // listens, or the application has said its last word, so we do it.
            server.giveUp(500);
        }
    }
}

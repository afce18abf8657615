package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.proxy.ProxiedRequests;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Accept;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.RAck;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.InDialogForwarding;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/**
 * What comes within a dialog: requests, ACK and CANCEL. The session is found on the shard ({@link
 * DialogLookup}); the rest happens in its turn.
 */
public final class InDialogRequests {
    private final SessionHost host;
    private final ApplicationCalls calls;
    private final PassedOn passedOn;
    private final ProxiedRequests proxied;
    private final Arrivals arrivals;
    private final DialogLookup lookup;
    private final MissingAnswers missing;

    @SuppressWarnings("this-escape") // nothing arrives before the container has it
    public InDialogRequests(SessionHost host, ApplicationCalls calls, PassedOn passedOn) {
        this.host = host;
        this.calls = calls;
        this.passedOn = passedOn;
        this.arrivals = new Arrivals(host.random(), this);
        this.proxied = new ProxiedRequests(host);
        this.lookup = new DialogLookup(host);
        this.missing = new MissingAnswers(host, calls, lookup);
    }

    /** What is done when an ACK, a PRACK or an answer never comes. */
    public MissingAnswers missing() {
        return missing;
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
                || lookup.cameHome(shard, received);
    }

    /** Is there a session here that it belongs to? */
    boolean knows(Shard shard, SipRequest received, Hop source) {
        return lookup.find(received, RoutePreprocessing.of(received, source, shard.wire()), source)
                != null;
    }

    /** Takes what {@link #concerns}; false when it belongs to no dialog and may begin one. */
    public boolean request(Shard shard, ServerTransaction transaction, SipRequest received) {
        RoutePreprocessing routing =
                RoutePreprocessing.of(received, transaction.source(), shard.wire());
        ServletSession session = lookup.find(received, routing, transaction.source());
        if (session == null && passedOn.forwardAimed(transaction, received)) {
            return true;
        }
        if (session == null) {
            // RFC 3261 12.2.2: "Based on the To tag, the UAS MAY either accept or reject the
            // request." An INVITE with a tag that others gave is on its way through us, or began
            // before we did: the application decides. With a tag of ours, or by a route that we
            // recorded, its call has ended: a BYE may have overtaken it.
            String tag = received.toTag();
            String route = routing.token();
            boolean foreign =
                    tag != null
                            && !shard.config().tokens().isOne(tag)
                            && (route == null || !shard.isRoute(route, received.callId()));
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
        ServletSession session = lookup.find(ack, routing, from);
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

    // ---- in the turn ----

    private void receive(
            ServletSession found,
            ServerTransaction transaction,
            SipRequest received,
            RoutePreprocessing routing) {
        ServletSession session = lookup.ofItsDialog(found, received);
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
        MessageDraft tooShort =
                timers == null ? null : timers.refusal(received, transaction.localTag());
        if (tooShort != null) {
            transaction.respond(tooShort.freezeResponse());
            return;
        }
        if (session.dialog().proxied() != null) {
            proxied.receive(session, request);
            return;
        }
        ServletSession own = DialogLookup.ofItsFork(session, received);
        Dialog dialog = own == null ? null : DialogLookup.dialog(own, received);
        if (own == null || dialog == null) {
            InitialRequests.refuse(transaction, received, 481, null);
            return;
        }
        if (own != session) {
            request.bind(own);
        }
        Accept accept =
                own.dialog().refuses(received.method())
                        ? Accept.TERMINATED
                        : dialog.receive(received);
        own.knowsOurTag();
        if (received.is(Methods.PRACK) && accept.acknowledges()) {
            pracked(own, received);
        }
        if (accept.ok()) {
            accepted(own, request, transaction, timers);
        } else {
            refuse(transaction, received, accept);
        }
    }

    private void accepted(
            ServletSession session,
            ServletRequest request,
            ServerTransaction transaction,
            @Nullable SessionTimers timers) {
        UasTransaction server = request.uas();
        if (server != null
                && transaction.request().is(Methods.INVITE)
                && transaction.finalClaimed()) {
            // A CANCEL came while the request waited for its turn, and was answered with 487.
            server.cancelled();
        } else if (timers != null && server != null && timers.answers(session, request)) {
            server.answer(200);
        } else {
            serve(session, request);
        }
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
        ServletRequest invite = DialogLookup.openInvite(session, acknowledged.cseq());
        UasTransaction server = invite == null ? null : invite.uas();
        if (server != null) {
            server.pracked(acknowledged.rseq());
        }
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
        ServletRequest invite = DialogLookup.openInvite(session, ack.cseq().number());
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
        provesItself(session, source);
        session.touch();
        calls.service(session.application(), session.handler(), request);
    }

    /** Whoever called, and got the 2xx that this ACK is for. */
    private void provesItself(ServletSession session, Hop source) {
        Shard shard = host.shards().of(session.parent().home());
        PeerConduct conduct = shard.config().conduct();
        if (conduct != null && session.path().provesItselfAt(source)) {
            conduct.proven(source, shard.executor().nanoTime());
        }
    }

    /**
     * The application session that made its Request-URI ({@code encodeURI}) and is not here; null
     * for none.
     */
    @Nullable String encoded(SipRequest request) {
        String id =
                request.toTag() == null ? Targeting.encodedId(host, request.requestUri()) : null;
        return id == null || host.tables().find(id) != null ? null : id;
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
            UacTransaction client = onward == null ? null : onward.uac();
            if (client != null) {
                client.callerGone(server);
            }
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
        if (onward != null && !forwarded) {
            LegEnding.callerGone(onward);
        }
    }
}

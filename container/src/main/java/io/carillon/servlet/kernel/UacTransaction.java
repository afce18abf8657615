package io.carillon.servlet.kernel;

import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.dialog.Progress;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import javax.servlet.sip.SipServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request of ours on its way: sent once, answered by any number of responses, by several dialogs
 * when it forks.
 *
 * <p>Owner: the turn of the application session. The stack calls {@link #response} and {@link
 * #failed} on the shard; they only bring the event into the turn.
 */
public final class UacTransaction implements AttemptUser, OpenMessages.Lingering {
    /** Attribute of a first request to an address that may be another's: it is not repeated. */
    public static final String ONCE = "io.carillon.send-once";

    private final ServletRequest request;
    private @Nullable RequestAttempt attempt;
    private boolean answered;
    private boolean finished;

    /** {@link Forks} keeps them here. */
    @Nullable Forks forks;

    /** For an ACK: the INVITE's transaction that sends it. For a CANCEL: the one it cancels. */
    private @Nullable UacTransaction invite;

    private boolean cancel;

    /** Of a back-to-back user agent: {@link #decisive} of the request that it was made from. */
    private volatile int madeFor;

    /** Of a back-to-back user agent: where the request came in that it was made from. */
    private volatile @Nullable Hop began;

    /** The shard's. */
    private @Nullable RingingLimit patience;

    /** Until Timer M; set in the turn before the shard can end the transaction. */
    private volatile boolean lingers;

    /** Provisional, and waits for the turn. Set by the shard, taken by the turn. */
    private volatile @Nullable SipResponse waiting;

    private final class Received extends TurnTask {
        private final SipResponse response;

        /**
         * Of the dialog that it may begin; null for one that is known, and where it begins none.
         */
        private @Nullable DialogKey begun;

        Received(SipResponse response) {
            super(response);
            this.response = response;
        }

        /** On the shard. */
        Received expect() {
            if (request.isInitial() && request.method().equals(Methods.INVITE)) {
                begun = DialogLife.expect(request.ownSession(), response);
            }
            return this;
        }

        void expected() {
            DialogKey key = begun;
            if (key != null) {
                DialogLife.expected(request.ownSession(), key);
            }
        }

        @Override
        protected void run() {
            if (waiting == response) {
                waiting = null;
            }
            try {
                process(response, false);
            } finally {
                expected();
            }
        }
    }

    UacTransaction(ServletRequest request) {
        this.request = request;
    }

    ServletRequest request() {
        return request;
    }

    @Nullable RequestAttempt attempt() {
        return attempt;
    }

    /** The request as it left; null while no hop was found. */
    public @Nullable SipRequest sentRequest() {
        RequestAttempt sent = attempt;
        return sent == null ? null : sent.request();
    }

    /** Has it left, so that {@link #sentRequest} gives it? */
    boolean sent() {
        RequestAttempt own = attempt;
        return own != null && own.sent();
    }

    /** Credentials that were accepted of the request that this one is a copy of. Any thread. */
    public @Nullable Proof proof() {
        return request.known().copied().proof();
    }

    /** It is made from that request, which came from the network. In the turn. */
    public void madeFrom(SipRequest received) {
        madeFor = decisive(received);
    }

    /** It is made from a request that came in there. In the turn. */
    public void began(@Nullable Hop hop) {
        began = hop;
    }

    @Override
    public @Nullable Hop began() {
        return began;
    }

    /** Was it made from a request that had the same in what decides where it goes? Any thread. */
    public boolean passesOn(SipRequest received) {
        return madeFor == decisive(received);
    }

    /**
     * RFC 5393 4.2.1: "The second part MUST depend at least on the received Request-URI and any
     * Route header field values used when processing the received request." A back-to-back user
     * agent, and a router before it, decide by From and To as well. Never 0.
     */
    private static int decisive(SipRequest received) {
        int hash = received.requestUri().hashCode();
        hash = 31 * hash + received.from().uri().hashCode();
        hash = 31 * hash + received.to().uri().hashCode();
        for (int i = received.find(HeaderName.ROUTE, 0);
                i >= 0;
                i = received.find(HeaderName.ROUTE, i + 1)) {
            hash = 31 * hash + received.valueAt(i).hashCode();
        }
        return hash == 0 ? 1 : hash;
    }

    public boolean finished() {
        return answered || finished;
    }

    void acknowledges(ServletRequest ack) {
        UacTransaction own = ack.uac();
        if (own != null) {
            own.invite = this;
        }
    }

    SipServletRequest createCancel() {
        if (attempt == null) {
            throw new IllegalStateException("the request was not sent");
        }
        if (finished()) {
            throw new IllegalStateException("the request has its final response");
        }
        if (!request.method().equals(Methods.INVITE)) {
            throw new IllegalStateException("only an INVITE is cancelled");
        }
        ServletRequest made = SessionRequests.cancel(request, sentRequest());
        UacTransaction own = made.uac();
        if (own != null) {
            own.invite = this;
            own.cancel = true;
        }
        return made;
    }

    // ---- sending ----

    void send() {
        ServletSession session = request.ownSession();
        if (!session.parent().enter()) {
            session.parent().submitLater(TurnTask.of(() -> sendInTurn(session)));
            return;
        }
        try {
            sendInTurn(session);
        } finally {
            session.parent().exit();
        }
    }

    private void sendInTurn(ServletSession session) {
        if (request.isCommitted()) {
            throw new IllegalStateException("the request was sent before");
        }
        if (!session.isValid()) {
            throw new IllegalStateException("the session is invalid");
        }
        UacTransaction first = invite;
        if (cancel && first != null) {
            request.commit();
            first.cancel(request.texts(HeaderName.REASON));
            return;
        }
        request.requestUri();
        SessionHooks hooks = session.host().hooks();
        if (first != null) {
            hooks.acknowledging(session, request);
            acknowledge(session, first);
            return;
        }
        hooks.sending(session, request);
        begin(session);
    }

    private void acknowledge(ServletSession session, UacTransaction first) {
        // The dialog has known of this ACK since it was made.
        request.commit();
        session.touch();
        RequestAttempt accepted = first.attempt;
        if (accepted != null) {
            boolean here = accepted.shard().executor().inShard();
            MessageDraft ack = here ? request.edit() : request.copyDraft();
            Hop next = session.host().hooks().next(session, ack);
            accepted.acknowledge(ack, strictHop(session), next, HopDecorator.NONE);
            if (here && !ack.has(HeaderName.VIA)) {
                request.unshare(); // printed later, when its hop is known
            }
            first.request.pack();
        }
    }

    private void begin(ServletSession session) {
        if (session.challenges() != null) {
            session.host().hooks().authenticate(session, request);
        }
        String method = request.method();
        Dialog dialog = session.dialog().own();
        boolean inDialog = !request.isInitial();
        if (!inDialog && request.renamed()) {
            session.dialog().rename(request.fromValue(), request.toValue());
        }
        if (inDialog && dialog != null) {
            if (!dialog.maySend(method, request.getContentLength() > 0)) {
                throw new IllegalStateException(
                        "RFC 3261 14.1, RFC 3311 5.1: another "
                                + method
                                + " or offer is in progress");
            }
            if (method.equals(Methods.INVITE)
                    || method.equals(Methods.UPDATE)
                    || method.equals(Methods.PRACK)) {
                dialog.sent((SipRequest) request.freeze());
            }
        }
        request.commit();
        session.opened(request);
        if (!inDialog) {
            session.dialog().become(SessionDialog.Role.UAC);
            session.dialog().setTarget(request.requestUri());
            if (method.equals(Methods.SUBSCRIBE)) {
                // RFC 6665 4.4.1: a NOTIFY may come before the response; it is found by our half of
                // the dialog.
                Subscriber.await(session, this);
            }
        }
        if (method.equals(Methods.BYE) && session.underWay().awaitsAck()) {
            // RFC 3261 15: "the callee's UA MUST NOT send a BYE on a confirmed dialog until it has
            // received an ACK for its 2xx response or until the server transaction times out."
            session.underWay().hold(this);
            return;
        }
        transmit(session);
    }

    /** Sends what was prepared; with the turn held. */
    public void transmit(ServletSession session) {
        Shard shard =
                request.isInitial()
                        ? session.host().shards().of(session.parent().home())
                        : session.sendsFrom();
        // On the shard itself it is printed before send returns, unless a name has to be asked for.
        boolean here = shard.executor().inShard();
        MessageDraft draft = here ? request.edit() : request.copyDraft();
        if (request.isInitial()) {
            session.sends();
        }
        OutgoingRequest out =
                new OutgoingRequest(draft, this)
                        .decorator(session.host().contacts())
                        .origin(session.origin())
                        .countedAt(session.countedAt());
        SessionHooks hooks = session.host().hooks();
        session.host()
                .outboundInterfaces()
                .choose(out, session.path().outbound(), session.path().outboundTransport());
        out.keepAlives(hooks.keepsAlive(request));
        if (!request.isInitial()) {
            out.nextHop(strictHop(session)).fixedHop(hooks.next(session, draft));
        } else {
            NextApplication onward = hooks.onward(session, request, shard);
            if (onward.refusal() != 0) {
                // As if that had been the answer.
                session.parent().submitLater(TurnTask.of(() -> process(onward.refusal(), null)));
                return;
            }
            if (onward.hop() != null) {
                session.path().compose(session.path().depth());
            }
            onward.applyTo(draft);
            out.fixedHop(onward.hop());
        }
        Hop inside = out.fixedHop();
        if ((inside == null || !inside.internal()) && !staysHere(shard, out)) {
            hooks.consume(draft, request.known().ownCredentials());
            if (!here) {
                hooks.consume(request.edit(), request.known().ownCredentials());
            }
        }
        RequestAttempt started = shard.send(out);
        attempt = started;
        if (here) {
            SipRequest left = started.request();
            if (left != null) {
                request.replace(left);
            } else {
                request.unshare();
            }
        }
    }

    /** Do credentials in it go to a listening point of ours, where they may be asked for? */
    private static boolean staysHere(Shard shard, OutgoingRequest out) {
        MessageDraft draft = out.draft();
        if (out.nextHop() != null
                || (!draft.has(HeaderName.AUTHORIZATION)
                        && !draft.has(HeaderName.PROXY_AUTHORIZATION))
                || FlowRoute.next(draft, shard.wire())) {
            return false;
        }
        Uri next =
                draft.has(HeaderName.ROUTE) ? draft.routes().getFirst().uri() : draft.requestUri();
        return next instanceof SipUri uri
                && uri.maddr() == null
                && shard.wire().isLocal(uri.host(), uri.port());
    }

    private static @Nullable Uri strictHop(ServletSession session) {
        Dialog dialog = session.dialog().own();
        return dialog == null ? null : dialog.strictHop();
    }

    private void cancel(List<String> reasons) {
        RequestAttempt sent = attempt;
        if (sent != null && !finished()) {
            sent.cancel(reasons.isEmpty() ? null : reasons);
        }
    }

    /** The session ends while the request is open: nobody wants an answer any more. */
    public void abandon() {
        if (request.method().equals(Methods.INVITE)) {
            cancel(List.of());
        }
    }

    // ---- what came back; on the shard ----

    @Override
    public void response(RequestAttempt from, SipResponse response) {
        if (!request.isInitial()) {
            patience = RingingLimit.after(from, response.status(), request.method(), patience);
        }
        if (response.status() == 100) {
            return;
        }
        ApplicationSession parent = request.ownSession().parent();
        if (!parent.beginHere()) {
            queue(from, parent, response);
            return;
        }
        try {
            process(response, false);
        } catch (Throwable e) {
            parent.failed(e);
        } finally {
            parent.endHere();
        }
    }

    /**
     * The turn is busy. A provisional response may be lost (RFC 3261 17.1.1.2, "any further
     * provisional responses"); for a 2xx to INVITE there is room by {@link #hasRoom}; any other
     * final response ends a request of ours, so without room its end is told all the same.
     */
    private void queue(RequestAttempt from, ApplicationSession parent, SipResponse response) {
        int status = response.status();
        if (status < 200) {
            SipResponse before = waiting;
            if (before != null && before.repeats(response)) {
                from.shard().notQueued(Counter.REPEATS_NOT_QUEUED, response);
                return;
            }
            waiting = response;
            Received task = new Received(response).expect();
            if (!parent.offer(task, Room.DIALOG)) {
                waiting = null;
                task.expected();
                from.shard().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
            }
        } else if (status < 300 && request.method().equals(Methods.INVITE)) {
            parent.submit(new Received(response).expect());
        } else if (!parent.offer(new Received(response), Room.RESERVED)) {
            from.shard().notQueued(Counter.FINALS_NOT_QUEUED, response);
            parent.submit(
                    TurnTask.of(() -> process(503, "the response was too much for the server")));
        }
    }

    @Override
    public boolean hasRoom(RequestAttempt from, SipResponse success, boolean first) {
        SessionHost host = request.ownSession().host();
        if (host.keptAddresses().refuses(success, request.ownSession().countedAt())) {
            host.counters().refusedAddresses.increment();
            return false;
        }
        return request.ownSession().parent().hasRoom(success, first ? Room.RESERVED : Room.DIALOG);
    }

    /**
     * Where a first request goes the application has said, and it may doubt it; later ones go where
     * the peer said.
     */
    @Override
    public boolean heardAt(Hop hop) {
        return request.isInitial()
                ? request.getAttribute(ONCE) == null
                : request.ownSession().path().heardAt(hop);
    }

    @Override
    public void leavesFor(Hop hop) {
        if (!request.isInitial()) {
            request.ownSession().path().leavesFor(hop);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        patience = RingingLimit.after(from, 408, request.method(), patience);
        request.ownSession()
                .parent()
                .submit(TurnTask.of(() -> process(failure.status(), from.why())));
    }

    @Override
    public void finished(RequestAttempt from) {
        if (lingers && from == attempt) {
            request.ownSession().parent().submit(new Finished());
        }
    }

    private final class Finished extends TurnTask {
        @Override
        protected void run() {
            ServletSession original = request.ownSession();
            // RFC 3261 13.2.2.4: "The UAC core considers the INVITE transaction completed 64*T1
            // seconds after the reception of the first 2xx response. At this point all the early
            // dialogs that have not transitioned to established dialogs are terminated."
            Forks.endEarly(original);
            Forks derived = forks;
            if (derived != null) {
                derived.endEarly();
                derived.dropUnconfirmed(request);
            }
            Forks.dropUnconfirmed(original, request);
            original.underWay().lingered(UacTransaction.this);
            UasTransaction.noFurther2xx(request);
        }
    }

    @Override
    public void release() {
        // The end of the transaction will not be heard of here any more.
        endEarlyForks();
        UasTransaction.noFurther2xx(request);
        RequestAttempt sent = attempt;
        if (sent != null) {
            sent.handOver(request.ownSession().host().hooks().lateAnswers());
        }
    }

    // ---- in the turn ----

    private void process(int status, @Nullable String why) {
        SipRequest sent = sentRequest();
        SipRequest asked = sent != null ? sent : request.copyDraft().freezeRequest();
        process(GeneratedResponse.to(asked, status, why), true);
    }

    private void process(SipResponse response, boolean generated) {
        SessionHost all = request.ownSession().host();
        if (response.status() < 200
                && all.keptAddresses().refuses(response, request.ownSession().countedAt())) {
            all.counters().refusedAddresses.increment();
            return; // the final response says what came of it
        }
        ServletSession session = Forks.sessionOf(this, response);
        if (session == null) {
            return;
        }
        if (response.status() < 300) {
            session.keep(response);
        }
        Hop by = generated ? null : source();
        if (by != null) {
            session.path().answeredBy(by);
        }
        int status = response.status();
        boolean inviteMethod = request.method().equals(Methods.INVITE);
        SessionHost host = session.host();
        if (!session.isValid()) {
            if (inviteMethod && status >= 200 && status < 300) {
                host.hooks().endLateAnswer(sentRequest(), response, by);
            }
            return;
        }
        RequestExtras.Owner owner = request.known().owner;
        if (owner != null && status >= 200) {
            owner.answering(status);
        }
        Dialog dialog = session.dialog().own();
        if (status == 422 && dialog == null && triedAgain(session, response)) {
            return;
        }
        if (generated && dialog != null && !request.isInitial()) {
            boolean shared = Usages.shared(session, request);
            dialog.abandoned(request.method(), response.cseq().number(), shared);
        } else if (dialog != null) {
            Progress progress = dialog.received(response, Usages.shared(session, request));
            if (!progress.process()) {
                return;
            }
        }
        if (status >= 200 && request.method().equals(Methods.REGISTER)) {
            host.hooks().registered(session, request, response, attempt);
        }
        session.touch();
        // SIP Servlet 1.1 5.1: what was not received has no remote address.
        ServletResponse event =
                ServletResponse.received(request, session, response, generated ? null : source());
        if (generated) {
            event.tried(source());
        }
        if (status >= 200) {
            finish(session, event, response, generated);
        } else {
            DialogLife.follow(session);
            if (event.awaitsPrack()) {
                session.underWay().awaitsPrack(event);
            }
        }
        if (owner != null) {
            owner.answered(event);
        } else {
            host.hooks().deliver(session, event);
        }
    }

    /**
     * RFC 4028 7.3: "The UAC MAY retry the request, ... including a Min-SE header field with the
     * largest of those seen": the same request with the next CSeq, and the application hears
     * nothing of the first.
     */
    private boolean triedAgain(ServletSession session, SipResponse refusal) {
        RequestAttempt before = attempt;
        Hop hop = source();
        if (before == null || hop == null || !request.isInitial()) {
            return false;
        }
        MessageDraft draft = session.host().hooks().again(session, request, refusal);
        if (draft == null) {
            return false;
        }
        OutgoingRequest out =
                new OutgoingRequest(draft, this)
                        .decorator(session.host().contacts())
                        .origin(session.origin())
                        .countedAt(session.countedAt())
                        .fixedHop(hop);
        RequestAttempt next = before.shard().send(out);
        attempt = next;
        SipRequest left = next.request();
        if (left != null) {
            request.replace(left);
        }
        return true;
    }

    private @Nullable Hop source() {
        RequestAttempt sent = attempt;
        return sent == null ? null : sent.hop();
    }

    private void finish(
            ServletSession session,
            ServletResponse event,
            SipResponse response,
            boolean generated) {
        int status = response.status();
        boolean success = status < 300;
        answered = true;
        if (success) {
            session.host().hooks().accepted(session, request, response);
        }
        ServletSession original = request.ownSession();
        original.underWay().dropUnPracked();
        session.underWay().dropUnPracked();
        original.closed(request);
        Subscriber notified = original.underWay().subscriber();
        if (notified != null) {
            notified.answered(this);
        }
        if (event.awaitsAck()) {
            if (!lingers) {
                lingers = true;
                original.lingers(this);
            }
            session.opened(event);
            DialogLife.follow(session);
            return;
        }
        if (request.isInitial() && !success) {
            // RFC 3261 12.3: a non-2xx final response ends the early dialogs of the request.
            endEarlyForks();
            Outcome.refused(original, request);
        } else {
            Outcome.settled(session, request, response, generated);
        }
    }

    private void endEarlyForks() {
        Forks derived = forks;
        if (derived != null) {
            derived.endEarly();
        }
    }
}

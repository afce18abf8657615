package io.carillon.servlet.kernel;

import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
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

    /** Written in the turn. */
    private volatile UacState state = UacState.PREPARED;

    /**
     * From {@link UacState#SENT} on, unless an application router refused it. Kept for what the
     * request shows when it has left.
     */
    @Nullable RequestAttempt attempt;

    /** While {@link UacState#forks}: {@link Forks} keeps them here. */
    @Nullable Forks forks;

    /** While {@link UacState#concernsAnother}: the INVITE to acknowledge or to cancel. */
    private @Nullable UacTransaction invite;

    /** Of a back-to-back user agent: {@link RoutingFields} of the request it was made from. */
    private volatile int madeFor;

    /** Of a back-to-back user agent: where the request came in that it was made from. */
    private volatile @Nullable Hop began;

    /** The shard's: while it is {@link UacState#SENT} within a dialog, or another node sent it. */
    private @Nullable RingingLimit patience;

    /** The shard's: null while none has met a busy turn. */
    private @Nullable WaitingResponses waiting;

    /** The INVITE is cancelled, or will be as soon as RFC 3261 9.1 allows it. In the turn. */
    private boolean givenUp;

    /** While it waits for its end: the INVITE for which it was sent, and whose caller gave up. */
    private @Nullable UasTransaction callerGone;

    UacTransaction(ServletRequest request) {
        this.request = request;
    }

    /** The one change of state: what the next one has no use for is let go. */
    void transition(UacState to) {
        state = state.to(to);
        if (!to.concernsAnother()) {
            invite = null;
        }
        if (!to.forks()) {
            forks = null;
        }
        if (to.answered()) {
            callerGone = null;
        }
    }

    /** Name of the state, for tests. */
    String stateName() {
        return state.name();
    }

    public ServletRequest request() {
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
        madeFor = RoutingFields.hash(received);
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
        return madeFor == RoutingFields.hash(received);
    }

    void acknowledges(ServletRequest ack) {
        UacTransaction own = ack.uac();
        if (own != null) {
            own.concerns(this, UacState.ACKNOWLEDGES);
        }
    }

    private void concerns(UacTransaction other, UacState how) {
        transition(how);
        invite = other;
    }

    SipServletRequest createCancel() {
        if (attempt == null) {
            throw new IllegalStateException("the request was not sent");
        }
        if (state.answered()) {
            throw new IllegalStateException("the request has its final response");
        }
        ServletRequest made = SessionRequests.cancel(request, sentRequest());
        UacTransaction own = made.uac();
        if (own != null) {
            own.concerns(this, UacState.CANCELS);
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
        if (state == UacState.CANCELS && first != null) {
            request.commit();
            transition(UacState.FINISHED);
            first.cancel(request.texts(HeaderName.REASON));
            return;
        }
        request.requestUri();
        SessionHooks hooks = session.host().hooks();
        if (state == UacState.ACKNOWLEDGES && first != null) {
            hooks.acknowledging(session, request);
            request.commit();
            transition(UacState.FINISHED);
            UacSending.acknowledge(session, request, first);
            return;
        }
        hooks.sending(session, request);
        begin(session);
    }

    private void begin(ServletSession session) {
        UacSending.prepare(session, request);
        request.commit();
        session.opened(request);
        if (request.isInitial()) {
            UacSending.first(session, request, this);
        }
        if (request.method().equals(Methods.BYE) && session.underWay().awaitsAck()) {
            // RFC 3261 15: "the callee's UA MUST NOT send a BYE on a confirmed dialog until it has
            // received an ACK for its 2xx response or until the server transaction times out."
            transition(UacState.HELD);
            session.underWay().hold(this);
            return;
        }
        transmit(session);
    }

    /** Sends what was prepared; with the turn held. */
    public void transmit(ServletSession session) {
        transition(UacState.SENT);
        Shard shard = UacSending.from(session, request);
        NextApplication onward = null;
        if (request.isInitial()) {
            session.sends();
            onward = session.host().hooks().onward(session, request, shard);
            int refusal = onward.refusal();
            if (refusal != 0) {
                // As if that had been the answer.
                session.parent().submitLater(TurnTask.of(() -> process(refusal, null)));
                return;
            }
        }
        attempt = UacSending.send(session, request, onward, shard, this);
    }

    private void cancel(List<String> reasons) {
        RequestAttempt sent = attempt;
        if (sent != null && !state.answered()) {
            givenUp = true;
            sent.cancel(reasons.isEmpty() ? null : reasons);
        }
    }

    /** The caller for whom it was sent has cancelled that one. In the turn. */
    public void callerGone(UasTransaction cancelled) {
        if (!state.answered()) {
            callerGone = cancelled;
        }
    }

    @Nullable UasTransaction callerGone() {
        return callerGone;
    }

    /** Does it wait for its end, cancelled? In the turn. */
    boolean givenUp() {
        return givenUp && !state.answered();
    }

    /**
     * It was sent by another node. What it rings there counts no more: it may ring as long as Timer
     * C lets a proxied one, counted from now and from each 1xx that comes. In the turn.
     *
     * @param cancelled it was given up there, and whether the callee knows is not known
     */
    void goesOn(RequestAttempt resumed, boolean cancelled) {
        transition(UacState.SENT);
        attempt = resumed;
        Shard shard = resumed.shard();
        shard.perform(
                () -> patience = RingingLimit.after(resumed, 100, request.method(), patience));
        if (cancelled) {
            abandon();
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
        if (patience != null || !request.isInitial()) {
            patience = RingingLimit.after(from, response.status(), request.method(), patience);
        }
        if (response.status() == 100) {
            return;
        }
        ApplicationSession parent = request.ownSession().parent();
        if (!parent.beginHere()) {
            waitingNow().add(from, parent, response);
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

    private WaitingResponses waitingNow() {
        WaitingResponses known = waiting;
        if (known == null) {
            boolean begins = request.isInitial() && request.method().equals(Methods.INVITE);
            known = new WaitingResponses(new Owner(), begins);
            waiting = known;
        }
        return known;
    }

    private final class Owner implements WaitingResponses.Owner {
        @Override
        public @Nullable DialogKey expect(SipResponse response) {
            return DialogLife.expect(request.ownSession(), response);
        }

        @Override
        public void expected(DialogKey key) {
            DialogLife.expected(request.ownSession(), key);
        }

        @Override
        public void process(SipResponse response) {
            UacTransaction.this.process(response, false);
        }

        @Override
        public void process(int status, String why) {
            UacTransaction.this.process(status, why);
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
        if (state.lingers() && from == attempt) {
            request.ownSession().parent().submit(new TimerM());
        }
    }

    private final class TimerM extends TurnTask {
        @Override
        protected void run() {
            Forks derived = forks;
            transition(UacState.FINISHED);
            Forks.over(request, derived);
            request.ownSession().underWay().lingered(UacTransaction.this);
            UasTransaction.noFurther2xx(request);
        }
    }

    @Override
    public void release() {
        // The end of the transaction will not be heard of here any more.
        transition(UacState.RELEASED);
        Forks.endEarly(forks);
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
        ServletSession session = Forks.sessionOf(this, response);
        if (session == null) {
            return;
        }
        int status = response.status();
        RequestAttempt sent = attempt;
        Hop hop = sent == null ? null : sent.hop();
        Hop from = generated ? null : hop;
        Outcome.came(session, response, from);
        if (!session.isValid()) {
            Outcome.late(this, response, from);
            return;
        }
        RequestExtras.Owner owner = request.known().owner;
        if (owner != null && status >= 200) {
            owner.answering(status);
        }
        if (status == 422 && session.dialog().own() == null) {
            RequestAttempt next = UacSending.again(session, request, sent, response, this);
            if (next != null) {
                attempt = next;
                return;
            }
        }
        if (!Outcome.heard(session, this, response, generated)) {
            return;
        }
        session.touch();
        ServletResponse event =
                generated
                        ? ServletResponse.generated(request, session, response, hop)
                        : ServletResponse.received(request, session, response, hop);
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
            session.host().hooks().deliver(session, event);
        }
    }

    private void finish(
            ServletSession session,
            ServletResponse event,
            SipResponse response,
            boolean generated) {
        boolean success = response.status() < 300;
        boolean accepted = event.awaitsAck();
        boolean first = !state.lingers();
        Forks derived = forks;
        if (first) {
            transition(accepted ? UacState.ACCEPTED : UacState.FINISHED);
        }
        if (success) {
            session.host().hooks().accepted(session, request, response);
        }
        ServletSession original = request.ownSession();
        Outcome.closed(original, session, this);
        if (accepted) {
            if (first) {
                original.lingers(this);
            }
            session.opened(event);
            DialogLife.follow(session);
            return;
        }
        if (request.isInitial() && !success) {
            // RFC 3261 12.3: a non-2xx final response ends the early dialogs of the request.
            Forks.endEarly(derived);
            Outcome.refused(original, request);
        } else {
            Outcome.settled(session, request, response, generated);
        }
    }
}

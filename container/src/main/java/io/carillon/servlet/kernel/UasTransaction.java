package io.carillon.servlet.kernel;

import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * What may be answered to a received request, and what was: the application's side of a server
 * transaction.
 *
 * <p>Owner: the turn of the application session. The stack's transaction takes its commands from
 * any thread.
 */
public final class UasTransaction {
    private final ServletRequest request;
    private final ServerTransaction transaction;

    /** Made on the shard, where the wire may be asked. */
    private final String contact;

    /** The shard's, which cannot ask for a state of the turn: a CANCEL came. */
    private boolean cancelSeen;

    private UasState state;

    /** From the 2xx to the INVITE on, while another one may follow. */
    long acceptedAtMillis;

    /** While it is {@link UasState#unconfirmed}: the 2xx. */
    @Nullable ServletResponse success;

    /** While {@link UasState#provisional}; made with the first of them. */
    private @Nullable ReliableResponses<ServletResponse> reliable;

    UasTransaction(ServletRequest request, SipRequest received, ServerTransaction transaction) {
        this.request = request;
        this.transaction = transaction;
        this.state = UasState.RECEIVED;
        this.contact =
                makesDialog(received.method()) || received.is(Methods.UPDATE)
                        ? request.host()
                                .contacts()
                                .of(transaction.shard(), received, transaction.source())
                        : "";
    }

    /** Another answer to the same request, in the session of {@code request}. */
    UasTransaction(ServletRequest request, UasTransaction first) {
        this.request = request;
        this.transaction = first.transaction;
        this.state = UasState.FURTHER;
        this.contact = first.contact;
    }

    /** The one change of state: what the next one has no use for is let go. */
    void transition(UasState to) {
        state = state.to(to);
        if (!to.unconfirmed()) {
            success = null;
        }
        if (!to.provisional()) {
            reliable = null;
        }
    }

    /** Name of the state, for tests. */
    String stateName() {
        return state.name();
    }

    public ServletRequest request() {
        return request;
    }

    /**
     * Can another 2xx be sent? RFC 6026 8.7: the server transaction of an accepted INVITE lives for
     * 64*T1, and each 2xx needs it.
     */
    public boolean takesFurther2xx() {
        long sinceMillis = request.host().millis() - acceptedAtMillis;
        long limit = transaction.shard().config().timers().timeoutNanos() / 1_000_000L;
        return (state.unconfirmed() || state == UasState.CONFIRMED)
                && sinceMillis >= 0
                && sinceMillis < limit;
    }

    /** That request of a B2BUA brings no further 2xx to pass on to who called it. */
    static void noFurther2xx(ServletRequest behind) {
        for (ServletSession other : behind.getApplicationSession().sessions()) {
            UasTransaction answered = other.underWay().original();
            if (answered != null
                    && (other == behind.ownSession().linked() || !answered.takesFurther2xx())) {
                other.underWay().forgetAnswered();
            }
        }
    }

    /**
     * A further 2xx, of another fork behind us, in the session that was made for it
     * (B2buaHelper.createResponseToOriginalRequest).
     */
    public ServletResponse createFurther(ServletSession fork, int status, @Nullable String reason) {
        ServletRequest again = ServletRequest.again(request, this, fork);
        UasTransaction own = again.uas();
        if (own == null) {
            throw new IllegalStateException("the request was not received");
        }
        return own.createIn(fork, status, reason);
    }

    /** As it came; parsed anew each time when it was packed. */
    public SipRequest received() {
        return transaction.request();
    }

    private boolean is(String method) {
        return request.getMethod().equals(method);
    }

    /** What of the received request's routing was about ourselves. */
    public RoutePreprocessing routing() {
        return request.ownRoutes();
    }

    public ServerTransaction transaction() {
        return transaction;
    }

    /** The transaction of the stack; null without one. */
    static @Nullable ServerTransaction server(@Nullable UasTransaction of) {
        return of == null ? null : of.transaction;
    }

    /** True once; RFC 3261 9.2: a further CANCEL has no effect. On the shard. */
    public boolean firstCancel() {
        boolean first = !cancelSeen;
        cancelSeen = true;
        return first;
    }

    public boolean finalSent() {
        return state.answered();
    }

    /** Is there a 2xx to the INVITE without its ACK? It may still wait for a PRACK. */
    boolean unconfirmed() {
        return state.unconfirmed();
    }

    /** The 2xx to the INVITE that left and waits for its ACK. */
    public @Nullable ServletResponse success() {
        return state.awaitsAck() ? success : null;
    }

    /**
     * What was sent reliably last, while an answer in its place can be; null for nothing. RFC 3262
     * 3: also with a 2xx that waits for its PRACK.
     */
    public @Nullable ServletResponse sentReliably() {
        ReliableResponses<ServletResponse> own = reliable;
        return own == null ? null : own.last();
    }

    /** Do responses to this method make dialogs? */
    public static boolean makesDialog(String method) {
        return method.equals(Methods.INVITE)
                || method.equals(Methods.SUBSCRIBE)
                || method.equals(Methods.REFER);
    }

    /**
     * Refuses a second final response.
     *
     * @throws IllegalStateException when a final response went out, or a proxy answers
     */
    public void checkUnanswered() {
        if (state.answered()) {
            throw new IllegalStateException("the request was answered before");
        }
    }

    /** From now on a proxy forwards responses to this request. */
    public void forwardedBy() {
        transition(UasState.PROXIED);
    }

    /** The final response left by a proxy. */
    public void answeredByProxy() {
        if (!state.answered()) {
            transition(UasState.ANSWERED);
        }
        request.commit();
    }

    // ---- making ----

    SipServletResponse create(int status, @Nullable String reason) {
        if (status < 100 || status > 699) {
            throw new IllegalArgumentException("status is 100 to 699, not " + status);
        }
        checkUnanswered();
        return createIn(request.ownSession(), status, reason);
    }

    /**
     * A response in another session than the request's own: of a fork
     * (B2buaHelper.createResponseToOriginalRequest).
     */
    public ServletResponse createIn(ServletSession session, int status, @Nullable String reason) {
        String tag = status == 100 ? null : session.localTag();
        MessageDraft draft = MessageDraft.responseTo(received(), status, reason, tag);
        if (!contact.isEmpty() && status > 100 && status < 300) {
            draft.set(HeaderName.CONTACT, contact);
        }
        return ServletResponse.made(request, session, draft, status);
    }

    // ---- sending ----

    void send(ServletResponse response) {
        ServletSession session = response.session();
        if (!session.parent().enter()) {
            session.parent().submitLater(TurnTask.of(() -> sendInTurn(response)));
            return;
        }
        try {
            sendInTurn(response);
        } finally {
            session.parent().exit();
        }
    }

    private void sendInTurn(ServletResponse response) {
        if (response.isCommitted()) {
            throw new IllegalStateException("the response was sent before");
        }
        if (!response.session().isValid()) {
            throw new IllegalStateException("the session is invalid");
        }
        int status = response.getStatus();
        checkUnanswered();
        if (state == UasState.FURTHER) {
            if (status < 200 || status >= 300) {
                throw new IllegalStateException("the original request was answered with a 2xx");
            }
            response.session().opened(request);
        } else if (status >= 200 && is(Methods.INVITE) && !transaction.claimFinal()) {
            throw new IllegalStateException("a CANCEL came first and was answered with 487");
        }
        transmit(response, print(response));
    }

    private SipResponse print(ServletResponse response) {
        request.host().hooks().answering(request, response);
        return (SipResponse) response.freeze();
    }

    void sendReliably(ServletResponse response) throws Rel100Exception {
        ReliableResponses.check(response.getStatus(), received());
        ServletSession session = response.session();
        session.parent().enterNow();
        try {
            checkUnanswered();
            if (response.isCommitted()) {
                throw new IllegalStateException("the response was sent before");
            }
            if (state == UasState.FURTHER) {
                throw new IllegalStateException("the original request was answered with a 2xx");
            }
            // RFC 3262 3: "The provisional response to be sent reliably ... MUST contain a Require
            // header field containing the option tag 100rel, and MUST include an RSeq header
            // field."
            if (!response.has(HeaderName.REQUIRE)
                    || !ReliableResponses.lists(response.freeze().headers(HeaderName.REQUIRE))) {
                response.putLast(HeaderName.REQUIRE, "100rel");
            }
            Dialog dialog = Outcome.dialogOf(session, this, (SipResponse) response.freeze());
            ReliableResponses<ServletResponse> own = reliable;
            if (own == null) {
                own = new ReliableResponses<>();
                reliable = own;
            }
            response.commit();
            if (own.mayLeave(response, dialog)) {
                transmit(own, response, dialog);
            }
        } finally {
            session.parent().exit();
        }
    }

    private void transmit(
            ReliableResponses<ServletResponse> own, ServletResponse response, Dialog dialog) {
        ServletSession session = response.session();
        long rseq = dialog.nextRSeq(received().cseq().number(), session.host().random());
        response.put(HeaderName.RSEQ, Long.toString(rseq));
        SipResponse printed = (SipResponse) response.freeze();
        own.leaves(response);
        dialog.responded(received(), printed);
        DialogLife.follow(session);
        transaction.setRole(Role.UAS);
        transaction.respondReliably(printed, rseq);
    }

    /**
     * The application's view first, then the wire. The turn is held, the final response is claimed.
     */
    private void transmit(ServletResponse response, SipResponse printed) {
        ServletSession session = response.session();
        int status = printed.status();
        response.commit();
        session.touch();
        session.path().answeredFrom(transaction.shard());
        if (status == 100) {
            transaction.respond(printed);
            return;
        }
        boolean success2xx = status >= 200 && status < 300;
        Outcome.answers(session, this, printed);
        if (status < 200) {
            transaction.setRole(Role.UAS);
            transaction.respond(printed);
            return;
        }
        request.host().hooks().answered(request, response, printed);
        request.commit();
        transaction.setRole(Role.UAS);
        RequestProxy proxy = state == UasState.PROXIED ? request.proxyOrNull() : null;
        if (proxy != null) {
            proxy.answeredByApplication(success2xx);
        }
        if (success2xx && is(Methods.INVITE)) {
            accept(response, printed);
            return;
        }
        if (!state.answered()) {
            transition(UasState.ANSWERED);
        }
        transaction.respond(printed);
        Outcome.notified(session, this, printed);
        ended(session);
    }

    private void accept(ServletResponse response, SipResponse printed) {
        ServletSession session = response.session();
        ReliableResponses<ServletResponse> before = reliable;
        boolean held = before != null && before.hold(printed, session.dialog().own());
        if (held) {
            transition(UasState.HELD);
        } else {
            transition(state == UasState.FURTHER ? UasState.FURTHER_ACCEPTED : UasState.ACCEPTED);
        }
        success = response;
        acceptedAtMillis = session.host().millis();
        if (!held) {
            transaction.respondAsUas(printed);
        }
    }

    /** Nothing more is to be done for this request. */
    private void ended(ServletSession session) {
        session.closed(request);
        if (session.dialog().own() == null
                && session.dialog().state() == SipSession.State.INITIAL) {
            DialogLife.complete(session);
        }
    }

    // ---- what the container answers and hears ----

    /**
     * Our own answer in place of the application's; nothing happens when there is one. The turn is
     * held.
     */
    public void answer(int status) {
        answer(status, null);
    }

    /** As {@link #answer(int)}, with a header. */
    public void answer(int status, @Nullable String retryAfter) {
        if (state.answered()
                || state == UasState.PROXIED
                || (is(Methods.INVITE) && !transaction.claimFinal())) {
            return;
        }
        ServletResponse response = createIn(request.ownSession(), status, null);
        if (retryAfter != null) {
            response.put(HeaderName.RETRY_AFTER, retryAfter);
        }
        transmit(response, print(response));
    }

    /** Does the 2xx wait for the PRACK of a reliable provisional response? */
    public boolean waitsForPrack() {
        return state == UasState.HELD;
    }

    /**
     * As {@link #answer(int)}, also in place of a 2xx that still waits for its PRACK and will not
     * leave any more: RFC 3262 3, "the UAS SHOULD reject the original request with a 5xx response".
     * The turn is held.
     */
    public void giveUp(int status) {
        ServletResponse withdrawn = success;
        if (state != UasState.HELD || withdrawn == null) {
            answer(status);
            return;
        }
        transition(UasState.ANSWERED);
        ServletSession session = withdrawn.session();
        Dialog dialog = session.dialog().own();
        if (dialog != null) {
            dialog.ackMissing(received().cseq().number());
            if (request.isInitial()) {
                dialog.terminate();
            }
        }
        ServletResponse response = createIn(session, status, null);
        transmit(response, (SipResponse) response.freeze());
    }

    /** Our 487 went out because a CANCEL came. */
    public void cancelled() {
        if (state.answered()) {
            return;
        }
        transition(UasState.ANSWERED);
        request.commit();
        ServletSession session = request.ownSession();
        SipResponse terminated =
                MessageDraft.responseTo(received(), 487, null, session.localTag()).freezeResponse();
        Outcome.answers(session, this, terminated);
        ended(session);
    }

    /**
     * RFC 4320 4.2: no response may be sent any more, and the client has treated the request as
     * timed out. Nothing happens when there is a final response, or when a proxy has the request.
     */
    public void tooLate() {
        if (state.answered() || state == UasState.PROXIED) {
            return;
        }
        transition(UasState.ANSWERED);
        request.commit();
        ServletSession session = request.ownSession();
        SipResponse timeout =
                MessageDraft.responseTo(received(), 408, null, session.localTag()).freezeResponse();
        Outcome.answers(session, this, timeout);
        if (is(Methods.BYE)) {
            Outcome.byeUnanswered(session);
        }
        Outcome.notified(session, this, timeout);
        ended(session);
    }

    /** The ACK for the 2xx that waits for it came, or will never come. */
    public void acknowledged() {
        boolean further = state == UasState.FURTHER_ACCEPTED;
        transition(further ? UasState.ANSWERED : UasState.CONFIRMED);
        ServletSession session = request.ownSession();
        ended(session);
        if (request.isInitial() && request.backToBack() && !further && session.isValid()) {
            session.underWay().answered(this);
            // What another fork's 2xx would need is made again of the bytes.
            request.pack();
        }
        session.underWay().sendHeldBye(session);
    }

    /** The PRACK for that reliable response came: the next one leaves, or the 2xx. */
    public void pracked(long rseq) {
        transaction.pracked(rseq);
        ReliableResponses<ServletResponse> own = reliable;
        Dialog dialog = request.ownSession().dialog().own();
        if (own == null || dialog == null || dialog.awaitsPrack()) {
            return;
        }
        ServletResponse provisional = own.next();
        SipResponse success2xx = own.held();
        if (provisional != null) {
            transmit(own, provisional, dialog);
        } else if (success2xx != null) {
            transition(UasState.ACCEPTED);
            transaction.respondAsUas(success2xx);
        }
    }
}

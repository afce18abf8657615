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

    /** Is this another answer to a request that was answered before, in a session of its own? */
    private final boolean further;

    /** The shard's. */
    private boolean cancelSeen;

    private boolean finalSent;
    private boolean forwarded;
    private long acceptedAtMillis = Long.MAX_VALUE;

    private @Nullable ServletResponse success;

    private @Nullable ReliableResponses reliable;

    UasTransaction(ServletRequest request, SipRequest received, ServerTransaction transaction) {
        this.request = request;
        this.transaction = transaction;
        this.further = false;
        this.contact =
                createsDialog(received.method()) || received.is(Methods.UPDATE)
                        ? request.host()
                                .contacts()
                                .of(transaction.shard(), received, transaction.source())
                        : "";
    }

    /** Another answer to the same request, in the session of {@code request}. */
    UasTransaction(ServletRequest request, UasTransaction first) {
        this.request = request;
        this.transaction = first.transaction;
        this.further = true;
        this.contact = first.contact;
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
        return finalSent && is(Methods.INVITE) && sinceMillis >= 0 && sinceMillis < limit;
    }

    /** That request of a B2BUA brings no further 2xx to pass on to who called it. */
    static void noFurther2xx(ServletRequest behind) {
        for (ServletSession other : behind.getApplicationSession().sessions()) {
            UasTransaction answered = other.original();
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

    /** True once; RFC 3261 9.2: a further CANCEL has no effect. On the shard. */
    public boolean firstCancel() {
        boolean first = !cancelSeen;
        cancelSeen = true;
        return first;
    }

    public boolean finalSent() {
        return finalSent;
    }

    /** The 2xx to the INVITE, while its ACK is awaited. */
    public @Nullable ServletResponse success() {
        return success;
    }

    /** What was sent reliably before the final response; null for nothing. */
    public @Nullable ReliableResponses reliable() {
        return reliable;
    }

    /** Do responses to this method make dialogs? */
    public static boolean makesDialog(String method) {
        return createsDialog(method);
    }

    static boolean createsDialog(String method) {
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
        if (finalSent) {
            throw new IllegalStateException("the request was answered before");
        }
    }

    /** From now on a proxy forwards responses to this request. */
    public void forwardedBy() {
        forwarded = true;
    }

    /** The final response left by a proxy. */
    public void answeredByProxy() {
        finalSent = true;
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
        if (further) {
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
        ReliableResponses.check(response, received());
        ServletSession session = response.session();
        session.parent().enterNow();
        try {
            checkUnanswered();
            if (response.isCommitted()) {
                throw new IllegalStateException("the response was sent before");
            }
            // RFC 3262 3: "The provisional response to be sent reliably ... MUST contain a Require
            // header field containing the option tag 100rel, and MUST include an RSeq header
            // field."
            if (!response.has(HeaderName.REQUIRE)
                    || !ReliableResponses.lists(response.freeze().headers(HeaderName.REQUIRE))) {
                response.putLast(HeaderName.REQUIRE, "100rel");
            }
            Dialog dialog = dialogFor(session, (SipResponse) response.freeze());
            ReliableResponses own = reliable;
            if (own == null) {
                own = new ReliableResponses(this);
                reliable = own;
            }
            own.send(response, dialog);
        } finally {
            session.parent().exit();
        }
    }

    /**
     * The application's view first, then the wire. The turn is held, the final response is claimed.
     */
    private void transmit(ServletResponse response, SipResponse printed) {
        ServletSession session = response.session();
        int status = printed.status();
        response.commit();
        session.touch();
        session.answeredFrom(transaction.shard());
        if (status == 100) {
            transaction.respond(printed);
            return;
        }
        boolean success2xx = status >= 200 && status < 300;
        updateDialog(session, printed, status);
        if (status < 200) {
            transaction.setRole(Role.UAS);
            transaction.respond(printed);
            return;
        }
        request.host().hooks().answered(request, response, printed);
        finalSent = true;
        request.commit();
        transaction.setRole(Role.UAS);
        if (success2xx && is(Methods.INVITE)) {
            success = response;
            acceptedAtMillis = session.host().millis();
            ReliableResponses before = reliable;
            if (before == null || !before.hold(printed, session.dialog())) {
                transaction.respondAsUas(printed);
            }
            return;
        }
        if (reliable != null) {
            reliable.drop();
        }
        transaction.respond(printed);
        notified(session, printed);
        ended(session);
    }

    private void notified(ServletSession session, SipResponse answer) {
        if (is(Methods.NOTIFY)) {
            Usages.answered(session, received(), answer, false);
        }
    }

    private void updateDialog(ServletSession session, SipResponse printed, int status) {
        Dialog dialog = session.dialog();
        if (dialog == null && status < 300 && createsDialog(request.getMethod())) {
            dialog = dialogFor(session, printed);
        }
        if (dialog != null) {
            dialog.responded(received(), printed, Usages.shared(session, request));
            if (status >= 200 && status < 300 && !request.isInitial()) {
                DialogFlow.moved(dialog, transaction, printed);
            }
            session.follow();
            if (status >= 200 && !is(Methods.NOTIFY)) { // which ends it when its answer has left
                Usages.answered(session, received(), printed, false);
            }
            if (status >= 200 && status < 300 && is(Methods.BYE)) {
                session.hungUp();
            }
        } else if (status >= 300 && request.isInitial() && createsDialog(request.getMethod())) {
            // One within a dialog that we proxy ends nothing. RFC 3261 14.1: "the session
            // parameters MUST remain unchanged, as if no re-INVITE had been issued."
            session.enter(SipSession.State.TERMINATED);
        }
    }

    private Dialog dialogFor(ServletSession session, SipResponse printed) {
        Dialog dialog = session.dialog();
        if (dialog == null) {
            session.become(ServletSession.Role.UAS);
            dialog = Dialog.uas(received(), printed);
            DialogFlow.reach(dialog, transaction, printed);
            session.begin(dialog, request.getMethod());
        }
        return dialog;
    }

    /** Nothing more is to be done for this request. */
    private void ended(ServletSession session) {
        session.closed(request);
        if (session.dialog() == null && session.state() == SipSession.State.INITIAL) {
            session.complete();
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
        if (finalSent || forwarded || (is(Methods.INVITE) && !transaction.claimFinal())) {
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
        ReliableResponses own = reliable;
        return own != null && own.holds2xx();
    }

    /**
     * As {@link #answer(int)}, also in place of a 2xx that still waits for its PRACK and will not
     * leave any more: RFC 3262 3, "the UAS SHOULD reject the original request with a 5xx response".
     * The turn is held.
     */
    public void giveUp(int status) {
        ServletResponse withdrawn = success;
        ReliableResponses own = reliable;
        if (own == null || !own.holds2xx() || withdrawn == null) {
            answer(status);
            return;
        }
        own.drop();
        success = null;
        ServletSession session = withdrawn.session();
        Dialog dialog = session.dialog();
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
        if (finalSent) {
            return;
        }
        finalSent = true;
        if (reliable != null) {
            reliable.drop();
        }
        request.commit();
        ServletSession session = request.ownSession();
        SipResponse terminated =
                MessageDraft.responseTo(received(), 487, null, session.localTag()).freezeResponse();
        updateDialog(session, terminated, 487);
        ended(session);
    }

    /**
     * RFC 4320 4.2: no response may be sent any more, and the client has treated the request as
     * timed out. Nothing happens when there is a final response, or when a proxy has the request.
     */
    public void tooLate() {
        if (finalSent || forwarded) {
            return;
        }
        finalSent = true;
        request.commit();
        ServletSession session = request.ownSession();
        SipResponse timeout =
                MessageDraft.responseTo(received(), 408, null, session.localTag()).freezeResponse();
        updateDialog(session, timeout, 408);
        Dialog dialog = session.dialog();
        if (dialog != null && is(Methods.BYE)) {
            // RFC 3261 15.1.1: without a response the caller "MUST consider the session and the
            // dialog terminated".
            if (session.keptBySubscriptions()) {
                session.hungUp();
            } else {
                dialog.terminate();
                session.follow();
            }
        }
        notified(session, timeout);
        ended(session);
    }

    /** The ACK for the 2xx came, or will never come. */
    public void acknowledged() {
        success = null;
        ServletSession session = request.ownSession();
        ended(session);
        if (request.isInitial() && request.backToBack() && !further && session.isValid()) {
            session.underWay().answered(this);
            // What another fork's 2xx would need is made again of the bytes.
            request.pack();
        }
        session.underWay().sendHeldBye(session);
    }

    /** The PRACK for that reliable response came. */
    public void pracked(long rseq) {
        transaction.pracked(rseq);
        ReliableResponses own = reliable;
        if (own != null) {
            own.pracked();
        }
    }
}

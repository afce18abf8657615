package io.carillon.servlet.message;

import io.carillon.servlet.refresh.SessionTimers;
import io.carillon.servlet.session.ServletSession;
import io.carillon.servlet.session.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.stack.FlowRoute;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Role;
import io.carillon.sip.stack.ServerTransaction;
import io.carillon.sip.uri.SipUri;
import java.util.ArrayDeque;
import java.util.List;
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
    private static final int MAX_QUEUED = 8;

    private final ServletRequest request;
    private final ServerTransaction transaction;

    /** Made on the shard, where the wire may be asked. */
    private final String contact;

    /** Is this another answer to a request that was answered before, in a session of its own? */
    private final boolean further;

    private boolean finalSent;
    private boolean forwarded;
    private long acceptedAtMillis = Long.MAX_VALUE;

    /** RFC 3262 3: a 2xx that waits until the reliable provisional responses are acknowledged. */
    private @Nullable SipResponse held;

    private @Nullable ServletResponse reliable;
    private @Nullable ServletResponse success;

    /** Reliable provisional responses that wait until the one before has its PRACK. */
    private @Nullable ArrayDeque<ServletResponse> queued;

    UasTransaction(ServletRequest request, SipRequest received, ServerTransaction transaction) {
        this.request = request;
        this.transaction = transaction;
        this.further = false;
        this.contact =
                createsDialog(received.method()) || received.is(Methods.UPDATE)
                        ? request.container()
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
        long sinceMillis = request.container().millis() - acceptedAtMillis;
        long limit = transaction.shard().config().timers().timeoutNanos() / 1_000_000L;
        return finalSent && is(Methods.INVITE) && sinceMillis >= 0 && sinceMillis < limit;
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

    public boolean finalSent() {
        return finalSent;
    }

    /** The 2xx to the INVITE, while its ACK is awaited. */
    public @Nullable ServletResponse success() {
        return success;
    }

    public @Nullable ServletResponse reliable() {
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
        SessionTimers timers = timers(response);
        if (timers != null) {
            timers.answering(request, response);
        }
        return (SipResponse) response.freeze();
    }

    /** Null where the response does not refresh a session, or nobody keeps its time. */
    private @Nullable SessionTimers timers(ServletResponse response) {
        int status = response.getStatus();
        return status >= 200 && status < 300 && SessionTimers.refreshes(request.getMethod())
                ? response.session().application().sessionTimers()
                : null;
    }

    void sendReliably(ServletResponse response) throws Rel100Exception {
        int status = response.getStatus();
        if (status <= 100 || status >= 200) {
            throw new Rel100Exception(Rel100Exception.NOT_1XX);
        }
        if (!is(Methods.INVITE)) {
            throw new Rel100Exception(Rel100Exception.NOT_INVITE);
        }
        if (!lists(HeaderName.SUPPORTED) && !lists(HeaderName.REQUIRE)) {
            throw new Rel100Exception(Rel100Exception.NO_REQ_SUPPORT);
        }
        ServletSession session = response.session();
        if (!session.parent().enter()) {
            throw new IllegalStateException(
                    "the application session is busy with another piece of work");
        }
        try {
            checkUnanswered();
            if (response.isCommitted()) {
                throw new IllegalStateException("the response was sent before");
            }
            // RFC 3262 3: "The provisional response to be sent reliably ... MUST contain a Require
            // header field containing the
            // option tag 100rel, and MUST include an RSeq header field."
            response.putLast(HeaderName.REQUIRE, "100rel");
            Dialog dialog = dialogFor(session, (SipResponse) response.freeze());
            // RFC 3262 3: "The UAS MUST NOT send a second reliable provisional response until the
            // first is acknowledged." Nor does it, as recommended there, with the later ones.
            if (dialog.awaitsPrack()) {
                queue(response);
            } else {
                transmitReliably(response, dialog);
            }
        } finally {
            session.parent().exit();
        }
    }

    private void queue(ServletResponse response) {
        ArrayDeque<ServletResponse> waiting = queued;
        if (waiting == null) {
            waiting = new ArrayDeque<>(2);
            queued = waiting;
        }
        if (waiting.size() == MAX_QUEUED) {
            throw new IllegalStateException(
                    MAX_QUEUED + " reliable provisional responses wait for a PRACK");
        }
        waiting.add(response);
        response.commit();
    }

    /** With the turn held. */
    private void transmitReliably(ServletResponse response, Dialog dialog) {
        ServletSession session = response.session();
        long rseq = dialog.nextRSeq(received().cseq().number(), session.container().random());
        response.put(HeaderName.RSEQ, Long.toString(rseq));
        SipResponse printed = (SipResponse) response.freeze();
        reliable = response;
        dialog.responded(received(), printed);
        session.follow();
        response.commit();
        transaction.setRole(Role.UAS);
        transaction.respondReliably(printed, rseq);
    }

    private boolean waitsForPracks(@Nullable Dialog dialog) {
        return dialog != null && dialog.awaitsPrack();
    }

    private boolean lists(HeaderName name) {
        List<String> tags = received().headers(name);
        for (int i = 0; i < tags.size(); i++) {
            if (tags.get(i).equalsIgnoreCase("100rel")) {
                return true;
            }
        }
        return false;
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
        SessionTimers timers = timers(response);
        if (timers != null) {
            timers.answered(request, response, printed);
        }
        finalSent = true;
        request.commit();
        transaction.setRole(Role.UAS);
        if (success2xx && is(Methods.INVITE)) {
            success = response;
            acceptedAtMillis = session.container().millis();
            Dialog dialog = session.dialog();
            if (waitsForPracks(dialog)) {
                held = printed;
            } else {
                transaction.respondAsUas(printed);
            }
            return;
        }
        queued = null;
        transaction.respond(printed);
        ended(session);
    }

    private void updateDialog(ServletSession session, SipResponse printed, int status) {
        Dialog dialog = session.dialog();
        if (dialog == null && status < 300 && createsDialog(request.getMethod())) {
            dialog = dialogFor(session, printed);
        }
        if (dialog != null) {
            dialog.responded(received(), printed);
            session.follow();
            if (status >= 200 && status < 300 && is(Methods.SUBSCRIBE)) {
                session.used(Subscriber.usage(received().header(HeaderName.EVENT)), false);
            }
        } else if (status >= 300 && createsDialog(request.getMethod())) {
            session.enter(SipSession.State.TERMINATED);
        }
    }

    private Dialog dialogFor(ServletSession session, SipResponse printed) {
        Dialog dialog = session.dialog();
        if (dialog == null) {
            session.become(ServletSession.Role.UAS);
            dialog = Dialog.uas(received(), printed);
            reachByFlow(dialog, printed);
            session.begin(dialog, request.getMethod());
        }
        return dialog;
    }

    /**
     * RFC 5626 4.3: the Contact of a user agent that can be reached over its flow only has {@code
     * ob}. Without a proxy between us the flow is the one by which the request came.
     */
    private void reachByFlow(Dialog dialog, SipResponse printed) {
        Hop source = transaction().source();
        NameAddress contact = received().contact();
        NameAddress own = printed.contact();
        if (contact == null
                || own == null
                || source.internal()
                || received().has(HeaderName.RECORD_ROUTE)
                || !(contact.uri() instanceof SipUri theirs)
                || !theirs.hasParam("ob")
                || !(own.uri() instanceof SipUri ours)) {
            return;
        }
        NameAddress route =
                FlowRoute.through(ours, source, transaction().shard().config().flowTokens());
        if (route != null) {
            dialog.reachedBy(route);
        }
    }

    /** Nothing more is to be done for this request. */
    private void ended(ServletSession session) {
        session.closed(request);
        if (is(Methods.NOTIFY)) {
            SipRequest notify = received();
            session.used(
                    Subscriber.usage(notify.header(HeaderName.EVENT)),
                    terminated(notify.header(HeaderName.SUBSCRIPTION_STATE)));
        }
        if (session.dialog() == null && session.state() == SipSession.State.INITIAL) {
            session.complete();
        }
        ServletRequest other = request.linked();
        if (other != null) {
            other.link(null);
            request.link(null);
        }
    }

    static boolean terminated(@Nullable String state) {
        return state != null && state.regionMatches(true, 0, "terminated", 0, 10);
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
        return held != null;
    }

    /**
     * As {@link #answer(int)}, also in place of a 2xx that still waits for its PRACK and will not
     * leave any more: RFC 3262 3, "the UAS SHOULD reject the original request with a 5xx response".
     * The turn is held.
     */
    public void giveUp(int status) {
        ServletResponse withdrawn = success;
        if (held == null || withdrawn == null) {
            answer(status);
            return;
        }
        held = null;
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
        held = null;
        queued = null;
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
            dialog.terminate();
            session.follow();
        }
        ended(session);
    }

    /** The ACK for the 2xx came, or will never come. */
    public void acknowledged() {
        success = null;
        ServletSession session = request.ownSession();
        ended(session);
        if (request.isInitial() && request.backToBack() && !further && session.isValid()) {
            session.answered(this);
            // What another fork's 2xx would need is made again of the bytes.
            request.pack();
        }
        session.sendHeldBye();
    }

    /** The PRACK for that reliable response came. */
    public void pracked(long rseq) {
        transaction.pracked(rseq);
        Dialog dialog = request.ownSession().dialog();
        if (dialog == null || dialog.awaitsPrack()) {
            return;
        }
        ArrayDeque<ServletResponse> next = queued;
        ServletResponse provisional = next == null ? null : next.poll();
        SipResponse waiting = held;
        if (provisional != null) {
            transmitReliably(provisional, dialog);
        } else if (waiting != null) {
            held = null;
            transaction.respondAsUas(waiting);
        }
    }
}

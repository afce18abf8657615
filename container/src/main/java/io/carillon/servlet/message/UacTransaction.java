package io.carillon.servlet.message;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.compose.DialogWay;
import io.carillon.servlet.compose.Onward;
import io.carillon.servlet.flow.KeptFlows;
import io.carillon.servlet.identity.SigningPolicy;
import io.carillon.servlet.refresh.SessionTimers;
import io.carillon.servlet.security.OwnCredentials;
import io.carillon.servlet.security.SessionSecurity;
import io.carillon.servlet.session.ApplicationSession;
import io.carillon.servlet.session.ServletSession;
import io.carillon.servlet.session.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.Progress;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.stack.AttemptUser;
import io.carillon.sip.stack.Failure;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.HopDecorator;
import io.carillon.sip.stack.OutgoingRequest;
import io.carillon.sip.stack.RequestAttempt;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * A request of ours on its way: sent once, answered by any number of responses, by several dialogs
 * when it forks.
 *
 * <p>Owner: the turn of the application session. The stack calls {@link #response} and {@link
 * #failed} on the shard; they only bring the event into the turn.
 */
public final class UacTransaction implements AttemptUser, ServletSession.Lingering {
    private final ServletRequest request;
    private @Nullable RequestAttempt attempt;
    private boolean answered;
    private boolean finished;

    /** Sessions that forks derived from the original one. */
    private @Nullable ArrayList<ServletSession> derived;

    /** For an ACK: the INVITE's transaction that sends it. For a CANCEL: the one it cancels. */
    private @Nullable UacTransaction invite;

    private boolean cancel;

    /** The shard's. */
    private @Nullable Patience patience;

    /** Until Timer M; set in the turn before the shard can end the transaction. */
    private volatile boolean lingers;

    private final class Received extends TurnTask {
        private final SipResponse response;

        Received(SipResponse response) {
            this.response = response;
        }

        @Override
        protected void run() {
            process(response, false);
        }
    }

    private final class Failed extends TurnTask {
        private final Failure failure;

        Failed(Failure failure) {
            this.failure = failure;
        }

        @Override
        protected void run() {
            process(failure);
        }
    }

    /** The router's business came to nothing: as if that had been the answer. */
    private final class Refused extends TurnTask {
        private final int status;

        Refused(int status) {
            this.status = status;
        }

        @Override
        protected void run() {
            process(generated(status, null), true);
        }
    }

    UacTransaction(ServletRequest request) {
        this.request = request;
    }

    private @Nullable SipRequest sentOrNull() {
        RequestAttempt sent = attempt;
        return sent == null ? null : sent.request();
    }

    /** Has it left, so that {@link #sentRequest} gives it? */
    boolean sent() {
        RequestAttempt own = attempt;
        return own != null && own.sent();
    }

    /** The request as it left; null while no hop was found. */
    public @Nullable SipRequest sentRequest() {
        return sentOrNull();
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
        // RFC 3261 9.1: the CANCEL looks like its request; Via and Route are the stack's, which
        // prints it.
        SipRequest sent = sentOrNull();
        MessageDraft draft = sent != null ? MessageDraft.cancelOf(sent) : bareCancel();
        for (String reason : request.cancelReasons()) {
            draft.addLast(HeaderName.REASON, reason);
        }
        ServletRequest made = ServletRequest.outgoing(request.ownSession(), draft, false);
        UacTransaction own = made.uac();
        if (own != null) {
            own.invite = this;
            own.cancel = true;
        }
        return made;
    }

    private MessageDraft bareCancel() {
        MessageDraft draft = MessageDraft.request(Methods.CANCEL, request.requestUri());
        draft.setFrom(request.fromValue());
        draft.setTo(request.toValue());
        draft.set(HeaderName.CALL_ID, request.getCallId());
        draft.setCSeq(1, Methods.CANCEL);
        return draft;
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
        SessionTimers timers = session.application().sessionTimers();
        if (first != null) {
            if (timers != null) {
                timers.acknowledging(session, request);
            }
            acknowledge(session, first);
            return;
        }
        if (timers != null) {
            timers.sending(session, request);
        }
        SigningPolicy signing = session.container().signing();
        if (signing != null && request.isInitial() && SigningPolicy.concerns(request.method())) {
            signing.sign(request.edit(), session.container().millis());
        }
        begin(session);
    }

    private void acknowledge(ServletSession session, UacTransaction first) {
        // The dialog has known of this ACK since it was made.
        request.commit();
        session.touch();
        first.unlink();
        RequestAttempt accepted = first.attempt;
        if (accepted != null) {
            boolean here = accepted.shard().executor().inShard();
            MessageDraft ack = here ? request.edit() : request.copyDraft();
            accepted.acknowledge(ack, null, DialogWay.fromEnd(session, ack), HopDecorator.NONE);
            if (here && !ack.has(HeaderName.VIA)) {
                request.unshare(); // printed later, when its hop is known
            }
            first.request.pack();
        }
    }

    private void begin(ServletSession session) {
        SessionSecurity memory = session.securityOrNull();
        if (memory != null) {
            OwnCredentials.again(request, memory);
        }
        String method = request.method();
        Dialog dialog = session.dialog();
        boolean inDialog = !request.isInitial();
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
            session.become(ServletSession.Role.UAC);
            session.setTarget(request.requestUri());
            if (method.equals(Methods.SUBSCRIBE)) {
                // RFC 6665 4.4.1: a NOTIFY may come before the response; it is found by our half of
                // the dialog.
                Subscriber.await(session, this);
            }
        }
        if (method.equals(Methods.BYE) && session.awaitsAck()) {
            // RFC 3261 15: "the callee's UA MUST NOT send a BYE on a confirmed dialog until it has
            // received an ACK for its 2xx response or until the server transaction times out."
            session.hold(this);
            return;
        }
        transmit(session);
    }

    /** Sends what was prepared; with the turn held. */
    public void transmit(ServletSession session) {
        Shard shard =
                request.isInitial()
                        ? session.container().shardFor(session.parent())
                        : session.sendsFrom();
        // On the shard itself it is printed before send returns, unless a name has to be asked for.
        boolean here = shard.executor().inShard();
        MessageDraft draft = here ? request.edit() : request.copyDraft();
        OutgoingRequest out =
                new OutgoingRequest(draft, this).decorator(session.container().contacts());
        session.container().addOutbound(out, session);
        out.keepAlives(KeptFlows.asked(request));
        if (!request.isInitial()) {
            out.fixedHop(DialogWay.fromEnd(session, draft));
        } else {
            Onward onward = session.container().composition().made(request, session, shard);
            if (onward.refusal() != 0) {
                session.parent().submitLater(new Refused(onward.refusal()));
                return;
            }
            if (onward.hop() != null) {
                session.compose(session.depth());
            }
            onward.applyTo(draft);
            out.fixedHop(onward.hop());
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
            bound(from, response.status());
        }
        if (response.status() == 100) {
            return;
        }
        ApplicationSession parent = request.ownSession().parent();
        if (!parent.beginHere()) {
            parent.submit(new Received(response));
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
     * A re-INVITE whose peer said 1xx and then nothing more would be open for ever: it is cancelled
     * after as long as Timer C lets a proxied one ring (RFC 3261 16.6 step 11), counted from the
     * last 1xx. On the shard.
     */
    private void bound(RequestAttempt from, int status) {
        if (status >= 200) {
            Patience over = patience;
            if (over != null) {
                patience = null;
                from.shard().timers().cancel(over);
            }
        } else if (request.method().equals(Methods.INVITE)) {
            Patience set = patience;
            if (set == null) {
                set = new Patience(from);
                patience = set;
            }
            Shard shard = from.shard();
            shard.timers().schedule(set, shard.now() + shard.config().timerCNanos());
        }
    }

    private static final class Patience extends WheelTimer {
        private final RequestAttempt attempt;

        Patience(RequestAttempt attempt) {
            this.attempt = attempt;
        }

        @Override
        protected void fire(long nowNanos) {
            attempt.cancel(null);
        }
    }

    @Override
    public void failed(RequestAttempt from, Failure failure) {
        bound(from, 408);
        request.ownSession().parent().submit(new Failed(failure));
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
            endEarly(original);
            endEarlyForks();
            original.lingered(UacTransaction.this);
            noFurther2xx();
        }
    }

    /** A B2BUA has nothing more to pass on from here to the one who called it. */
    private void noFurther2xx() {
        for (ServletSession other : request.getApplicationSession().sessions()) {
            UasTransaction answered = other.original();
            if (answered != null
                    && (other == request.ownSession().linked() || !answered.takesFurther2xx())) {
                other.forgetAnswered();
            }
        }
    }

    @Override
    public void release() {
        // The end of the transaction will not be heard of here any more.
        endEarlyForks();
        noFurther2xx();
        RequestAttempt sent = attempt;
        if (sent != null) {
            sent.handOver(request.ownSession().container().lateAnswers());
        }
    }

    // ---- in the turn ----

    private void process(Failure failure) {
        // RFC 3261 8.1.3.1: "When a timeout error is received from the transaction layer, it MUST
        // be treated as if a 408 (Request
        // Timeout) status code has been received. If a fatal transport error is reported ..., the
        // condition MUST be treated as a
        // 503 (Service Unavailable) status code."
        int status =
                switch (failure) {
                    case TIMEOUT -> 408;
                    case CANCELLED -> 487;
                    case TRANSPORT, UNRESOLVED -> 503;
                    // RFC 5626 5.3.1.
                    case FLOW_FAILED -> 430;
                    case FLOW_REFUSED, REFUSED -> 403;
                };
        RequestAttempt tried = attempt;
        process(generated(status, tried == null ? null : tried.why()), true);
    }

    /**
     * @param why what the transport said, for the application's eyes: this response never leaves
     */
    private SipResponse generated(int status, @Nullable String why) {
        SipRequest sent = sentOrNull();
        SipRequest asked = sent != null ? sent : request.copyDraft().freezeRequest();
        MessageDraft draft = MessageDraft.responseTo(asked, status, null, null);
        if (why != null) {
            // RFC 3261 20.43: 399, "arbitrary information to be presented to a human user".
            String quoted = why.replace('\\', '/').replace('"', '\'');
            draft.set(HeaderName.WARNING, "399 carillon \"" + quoted + '"');
        }
        return draft.freezeResponse();
    }

    private void process(SipResponse response, boolean generated) {
        ServletSession session = sessionOf(response);
        if (session == null) {
            return;
        }
        int status = response.status();
        boolean inviteMethod = request.method().equals(Methods.INVITE);
        SipContainer container = session.container();
        if (!session.isValid()) {
            if (inviteMethod && status >= 200 && status < 300) {
                container.endLateAnswer(sentOrNull(), response);
            }
            return;
        }
        OwnRequest owner = request.owner();
        if (owner != null && status >= 200) {
            owner.answering(status);
        }
        Dialog dialog = session.dialog();
        if (status == 422 && dialog == null && triedAgain(session, response)) {
            return;
        }
        if (generated && dialog != null && !request.isInitial()) {
            dialog.abandoned(request.method(), response.cseq().number());
        } else if (dialog != null) {
            Progress progress = dialog.received(response);
            if (!progress.process()) {
                return;
            }
        }
        if (status >= 200 && request.method().equals(Methods.REGISTER)) {
            container.keptFlows().answered(session, request, response, attempt);
        }
        session.touch();
        // SIP Servlet 1.1 5.1: what was not received has no remote address.
        ServletResponse event =
                ServletResponse.received(request, session, response, generated ? null : source());
        if (status >= 200) {
            finish(session, event, response);
        } else {
            session.follow();
        }
        if (owner != null) {
            owner.answered(event);
        } else {
            container.deliver(session, event);
        }
        if (status >= 200 && !(inviteMethod && status < 300)) {
            unlink();
        }
    }

    /**
     * RFC 4028 7.3: "The UAC MAY retry the request, ... including a Min-SE header field with the
     * largest of those seen": the same request with the next CSeq, and the application hears
     * nothing of the first.
     */
    private boolean triedAgain(ServletSession session, SipResponse refusal) {
        SessionTimers timers = session.application().sessionTimers();
        RequestAttempt before = attempt;
        Hop hop = source();
        if (timers == null || before == null || hop == null || !request.isInitial()) {
            return false;
        }
        int seconds = timers.again(request, refusal);
        if (seconds == 0) {
            return false;
        }
        MessageDraft draft = request.copyDraft();
        draft.remove(HeaderName.VIA);
        draft.setCSeq(session.nextCSeq(), request.method());
        draft.set(HeaderName.SESSION_EXPIRES, Integer.toString(seconds));
        draft.set(HeaderName.MIN_SE, Integer.toString(seconds));
        OutgoingRequest out =
                new OutgoingRequest(draft, this)
                        .decorator(session.container().contacts())
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

    private void finish(ServletSession session, ServletResponse event, SipResponse response) {
        int status = response.status();
        boolean success = status < 300;
        answered = true;
        SessionTimers timers = success ? session.application().sessionTimers() : null;
        if (timers != null) {
            timers.accepted(session, request, response);
        }
        ServletSession original = request.ownSession();
        original.closed(request);
        if (event.awaitsAck()) {
            if (!lingers) {
                lingers = true;
                original.lingers(this);
            }
            session.opened(event);
            session.follow();
            return;
        }
        if (request.isInitial() && !success) {
            fallBack(original);
        } else {
            session.follow();
            if (success) {
                usage(session);
            }
            if (session.dialog() == null && session.linked() != null) {
                // A relayed request that created no dialog: nobody keeps its session for a next
                // one.
                session.complete();
            }
        }
    }

    /** RFC 6665 and 5057: which subscriptions use the dialog, and when the last has ended. */
    private void usage(ServletSession session) {
        String method = request.method();
        if (method.equals(Methods.NOTIFY)) {
            String state = request.text(HeaderName.SUBSCRIPTION_STATE);
            boolean over = UasTransaction.terminated(state);
            session.used(Subscriber.usage(request.text(HeaderName.EVENT)), over);
        } else if (method.equals(Methods.SUBSCRIBE)) {
            session.used(Subscriber.usage(request.text(HeaderName.EVENT)), false);
        }
    }

    /** RFC 3261 12.3: a non-2xx final response ends the early dialogs of the request. */
    private void fallBack(ServletSession original) {
        endEarlyForks();
        if (UasTransaction.createsDialog(request.method())) {
            if (original.state() != SipSession.State.CONFIRMED) {
                original.fallBack();
            }
        } else if (original.linked() != null) {
            original.complete();
        }
    }

    private void endEarlyForks() {
        ArrayList<ServletSession> forks = derived;
        for (int i = 0; forks != null && i < forks.size(); i++) {
            endEarly(forks.get(i));
        }
    }

    private static void endEarly(ServletSession fork) {
        Dialog dialog = fork.dialog();
        if (fork.isValid() && dialog != null && dialog.state() == Dialog.State.EARLY) {
            dialog.terminate();
            fork.follow();
        }
    }

    private void unlink() {
        ServletRequest other = request.linked();
        if (other != null) {
            other.link(null);
            request.link(null);
        }
    }

    /** The session whose dialog this response belongs to; a new one when it is a fork's first. */
    private @Nullable ServletSession sessionOf(SipResponse response) {
        ServletSession original = request.ownSession();
        int status = response.status();
        if (!request.isInitial()
                || !UasTransaction.createsDialog(request.method())
                || status >= 300) {
            return original;
        }
        SipRequest sent = sentOrNull();
        String tag = response.toTag();
        if (sent == null || (tag == null && status < 200)) {
            return original;
        }
        if (status < 200 && !request.method().equals(Methods.INVITE)) {
            return original;
        }
        Dialog dialog = original.dialog();
        String remoteTag = tag == null ? "" : tag;
        if (dialog == null) {
            if (original.isValid()) {
                original.begin(dialogOf(sent, response), request.method());
            }
            return original;
        }
        if (dialog.remoteTag().equals(remoteTag)) {
            return original;
        }
        return fork(original, sent, response, remoteTag);
    }

    private @Nullable ServletSession fork(
            ServletSession original, SipRequest sent, SipResponse response, String remoteTag) {
        ArrayList<ServletSession> forks = derived;
        if (forks == null) {
            forks = new ArrayList<>(1);
            derived = forks;
        }
        for (int i = 0; i < forks.size(); i++) {
            Dialog dialog = forks.get(i).dialog();
            if (dialog != null && dialog.remoteTag().equals(remoteTag)) {
                return forks.get(i);
            }
        }
        if (!original.parent().isValid()) {
            return original;
        }
        if (forks.size() >= mostForks()) {
            return null; // each costs a session, and a peer can make up as many tags as it likes
        }
        ServletSession fork = original.derive(remoteTag);
        fork.begin(dialogOf(sent, response), request.method());
        forks.add(fork);
        return fork;
    }

    /** RFC 5626: what began over a flow goes on over it. */
    private Dialog dialogOf(SipRequest sent, SipResponse response) {
        Dialog dialog = Dialog.uac(sent, response);
        RequestAttempt by = attempt;
        NameAddress flow = by == null ? null : by.flowRoute();
        if (flow != null) {
            dialog.reachedBy(flow);
        }
        return dialog;
    }

    /** The original session has one, those derived from it the rest. */
    private int mostForks() {
        RequestAttempt sent = attempt;
        return sent == null ? 0 : sent.shard().config().maxForks() - 1;
    }
}

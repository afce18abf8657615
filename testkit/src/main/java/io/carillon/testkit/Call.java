package io.carillon.testkit;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a call of a {@link UserAgent}. Actions act at once and return false when the state of
 * the call does not allow them. Every message seen and every end is written down as a {@link
 * CallEvent}. Owner: the test's thread.
 */
public final class Call {
    /** Where this end stands. */
    public enum State {
        /** INVITE sent, nothing heard. */
        CALLING,
        /** Not answered yet: a provisional response came, or, at the callee, the INVITE. */
        EARLY,
        /** The callee has sent its 2xx and waits for the ACK. */
        ANSWERED,
        ESTABLISHED,
        /** A BYE was sent and has no response yet. */
        RELEASING,
        ENDED
    }

    private static final int MAX_RETRIES = 5;

    private final UserAgent agent;
    private final Shard shard;
    private final List<CallEvent> events = new ArrayList<>();
    private final boolean offered;
    private @Nullable OutgoingLeg outgoing;
    private @Nullable IncomingLeg incoming;
    private @Nullable Dialog dialog;
    private State state = State.CALLING;
    private @Nullable Ending ending;
    private int finalStatus;
    private boolean answered;
    private boolean byeWanted;
    private boolean changeWanted;
    private int retries;
    private int changes;

    private final PeerRequests peer = new PeerRequests(this);

    /** Our last re-INVITE. */
    private @Nullable RequestAttempt ownChange;

    Call(UserAgent agent, Shard shard, boolean offered) {
        this.agent = agent;
        this.shard = shard;
        this.offered = offered;
    }

    void startOutgoing(MessageDraft draft) {
        OutgoingLeg leg = new OutgoingLeg(this, offered);
        outgoing = leg;
        leg.start(draft);
        limit();
    }

    void startIncoming(ServerTransaction transaction, SipRequest request) {
        saw(request);
        state = State.EARLY;
        incoming = new IncomingLeg(this, transaction);
        limit();
    }

    private void limit() {
        Duration longest = agent.longestCall();
        if (!longest.isZero()) {
            agent.network().time().after(longest, () -> act(this::expire));
        }
    }

    private boolean expire() {
        if (state == State.ENDED) {
            return false;
        }
        note("! lasts too long");
        return bye() || cancel() || reject(480) || giveUp();
    }

    private boolean giveUp() {
        end(Ending.GAVE_UP);
        return true;
    }

    // What it is

    public UserAgent agent() {
        return agent;
    }

    public State state() {
        return state;
    }

    /** How it ended; null while it lasts. */
    public @Nullable Ending ending() {
        return ending;
    }

    /** The final status of the INVITE, seen or sent; 0 before. */
    public int finalStatus() {
        return finalStatus;
    }

    /** Has a 2xx been seen or sent? */
    public boolean answered() {
        return answered;
    }

    /** Changes of the session by re-INVITE or UPDATE that were accepted, here or there. */
    public int changes() {
        return changes;
    }

    public boolean outgoing() {
        return outgoing != null;
    }

    /** The dialog; null before there is one. */
    public @Nullable Dialog dialog() {
        return dialog;
    }

    /** The INVITE as sent or received. */
    public @Nullable SipRequest invite() {
        IncomingLeg in = incoming;
        if (in != null) {
            return in.request();
        }
        OutgoingLeg out = outgoing;
        return out == null ? null : out.request();
    }

    public List<CallEvent> events() {
        return events;
    }

    /** The first event whose text begins so; null when there is none. */
    public @Nullable CallEvent first(String prefix) {
        for (CallEvent event : events) {
            if (event.text().startsWith(prefix)) {
                return event;
            }
        }
        return null;
    }

    /** The texts of all events. */
    public List<String> story() {
        List<String> texts = new ArrayList<>(events.size());
        for (CallEvent event : events) {
            texts.add(event.text());
        }
        return texts;
    }

    // Actions

    /** Callee: sends a 180. */
    public boolean ring() {
        return provisional(180, false);
    }

    /** Callee: sends a provisional response, reliably (RFC 3262) where the caller supports it. */
    public boolean provisional(int status, boolean reliable) {
        IncomingLeg in = incoming;
        return in != null && state == State.EARLY && act(() -> in.provisional(status, reliable));
    }

    /**
     * Callee: sends a 200; as soon as a reliable provisional response with an answer has its PRACK.
     */
    public boolean answer() {
        IncomingLeg in = incoming;
        return in != null && state == State.EARLY && act(in::answer);
    }

    /** Callee: sends a final response of 300 or above. */
    public boolean reject(int status) {
        return reject(status, null);
    }

    /** Callee: redirects to another URI. */
    public boolean redirect(String uri) {
        return reject(302, "<" + uri + ">");
    }

    private boolean reject(int status, @Nullable String contact) {
        IncomingLeg in = incoming;
        return in != null && state == State.EARLY && act(() -> in.reject(status, contact));
    }

    /** Caller: gives the call up before it is answered. */
    public boolean cancel() {
        OutgoingLeg out = outgoing;
        return out != null && (state == State.CALLING || state == State.EARLY) && act(out::cancel);
    }

    /** Ends an established call. The callee's BYE waits for the ACK (RFC 3261 15). */
    public boolean bye() {
        if (state == State.ANSWERED) {
            byeWanted = true;
            return true;
        }
        return state == State.ESTABLISHED && act(this::sendBye);
    }

    /** Changes the session by a re-INVITE, now or as soon as RFC 3261 14.1 allows it. */
    public boolean reinvite() {
        return state == State.ESTABLISHED && act(this::sendReinvite);
    }

    /** RFC 3311: sends an UPDATE, with an offer where the state of the negotiation allows one. */
    public boolean update() {
        Dialog d = dialog;
        boolean open =
                state == State.EARLY || state == State.ANSWERED || state == State.ESTABLISHED;
        return open && d != null && d.maySend(Methods.UPDATE, false) && act(this::sendUpdate);
    }

    /** Sends an INFO in the dialog. */
    public boolean info() {
        return state == State.ESTABLISHED && act(() -> send(draft(Methods.INFO)));
    }

    private boolean act(BooleanSupplier action) {
        boolean[] done = new boolean[1];
        agent.node().run(shard, () -> done[0] = action.getAsBoolean());
        return done[0];
    }

    private MessageDraft draft(String method) {
        return need().request(method);
    }

    private boolean send(MessageDraft draft) {
        sendInDialog(draft);
        return true;
    }

    private void sendInDialog(MessageDraft draft) {
        Dialog d = need();
        String method = draft.method();
        boolean refreshes = method.equals(Methods.INVITE) || method.equals(Methods.UPDATE);
        if (refreshes) {
            // The dialog hears of it before Via and Contact are in it: neither matters to it.
            d.sent(draft.copy().setContact(NameAddress.of(agent.uri())).freezeRequest());
        }
        note("> " + method + " " + draft.cseq().number());
        OutgoingRequest out =
                new OutgoingRequest(draft, new DialogRequest(this, method, draft.cseq().number()))
                        .nextHop(d.nextHop());
        if (refreshes) {
            out.decorator(agent.contact());
        }
        RequestAttempt attempt = shard.send(out);
        if (method.equals(Methods.INVITE)) {
            ownChange = attempt;
        }
    }

    boolean sendBye() {
        peer.refuseChange();
        state = State.RELEASING;
        return send(draft(Methods.BYE));
    }

    private boolean sendReinvite() {
        if (!need().maySend(Methods.INVITE, true)) {
            changeWanted = true;
            return true;
        }
        changeWanted = false;
        MessageDraft draft = draft(Methods.INVITE);
        return send(draft.body(agent.description(), UserAgent.SDP));
    }

    private boolean sendUpdate() {
        boolean offer = need().maySend(Methods.UPDATE, true);
        MessageDraft draft = draft(Methods.UPDATE);
        return send(offer ? draft.body(agent.description(), UserAgent.SDP) : draft);
    }

    /** Sends what had to wait for a transaction to end. */
    void proceed() {
        if (byeWanted && state == State.ESTABLISHED) {
            byeWanted = false;
            sendBye();
        } else if (changeWanted
                && state == State.ESTABLISHED
                && need().maySend(Methods.INVITE, true)) {
            sendReinvite();
        }
    }

    /** RFC 3261 14.1: tries the re-INVITE again after a random time. */
    void retryChange() {
        if (retries++ < MAX_RETRIES) {
            long wait = Glare.waitNanos(need().callIdOwner(), agent.random());
            agent.network().time().after(wait, this::reinvite);
        }
    }

    // What comes in

    void receive(ServerTransaction transaction, SipRequest request) {
        saw(request);
        peer.receive(transaction, request);
    }

    void released() {
        IncomingLeg in = incoming;
        if (in != null) {
            in.byeBeforeAnswer();
        }
        if (state != State.RELEASING) {
            end(answered ? Ending.RELEASED_THERE : Ending.CANCELLED);
        }
    }

    void pracked(SipRequest prack) {
        IncomingLeg in = incoming;
        if (in != null) {
            in.pracked(prack);
        }
    }

    void respond(ServerTransaction transaction, SipResponse response) {
        Dialog d = dialog;
        if (d != null) {
            d.responded(transaction.request(), response);
        }
        note("> " + response.status() + " " + response.cseq());
        transaction.respond(response);
    }

    /** A response with Contact, and with a session description where wanted. */
    SipResponse response(SipRequest request, int status, boolean description) {
        String tag = null;
        IncomingLeg in = incoming;
        if (in != null && request.toTag() == null) {
            tag = in.transaction().localTag();
        }
        MessageDraft draft = MessageDraft.responseTo(request, status, null, tag);
        if (status < 300 && !request.is(Methods.BYE)) {
            draft.setContact(NameAddress.of(agent.uri()));
        }
        if (description) {
            draft.body(agent.description(), UserAgent.SDP);
        }
        return draft.freezeResponse();
    }

    void acknowledged(SipRequest ack) {
        saw(ack);
        need().receive(ack);
        if (state == State.ANSWERED) {
            state = State.ESTABLISHED;
        }
        proceed();
    }

    void cancelled(ServerTransaction invite) {
        IncomingLeg in = incoming;
        if (in != null && in.transaction() == invite) {
            note("< CANCEL");
            finalStatus = 487;
            end(Ending.CANCELLED);
        } else if (peer.changeCancelled(invite)) {
            // A CANCEL for a re-INVITE: the session stays as it is.
            note("< CANCEL");
            need().responded(invite.request(), response(invite.request(), 487, false));
            proceed();
        }
    }

    void ackMissing(long cseq) {
        note("! ACK missing");
        need().ackMissing(cseq);
        // RFC 3261 13.3.1.4: "the dialog is confirmed, but the session SHOULD be terminated. This
        // is accomplished with a BYE".
        if (state == State.ANSWERED || state == State.ESTABLISHED) {
            sendBye();
            gaveUp();
        }
    }

    void prackMissing() {
        note("! PRACK missing");
        IncomingLeg in = incoming;
        if (in != null && state == State.EARLY) {
            // RFC 3262 3: "the UAS SHOULD reject the original request with a 5xx response."
            ending = Ending.GAVE_UP;
            in.reject(504, null);
        }
    }

    // For the legs

    Shard shard() {
        return shard;
    }

    Dialog need() {
        Dialog d = dialog;
        if (d == null) {
            throw new IllegalStateException("no dialog yet");
        }
        return d;
    }

    void dialog(Dialog d) {
        if (dialog != d) {
            dialog = d;
            agent.remember(d.key(), this);
        }
    }

    void early() {
        if (state == State.CALLING) {
            state = State.EARLY;
        }
    }

    void answered(int status) {
        answered = true;
        finalStatus = status;
    }

    void state(State next) {
        if (state != State.ENDED) {
            state = next;
        }
    }

    void changeAccepted() {
        changes++;
    }

    /** This end has given up, whatever else happens until it ends. */
    void gaveUp() {
        if (ending == null) {
            ending = Ending.GAVE_UP;
        }
        if (state != State.RELEASING) {
            end(Ending.GAVE_UP);
        }
    }

    void failed(int status) {
        finalStatus = status;
    }

    void end(Ending how) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        if (ending == null) {
            ending = how;
        }
        peer.refuseChange();
        RequestAttempt pending = ownChange;
        if (pending != null) {
            // Nothing else ends an INVITE that has a provisional response and no final one.
            pending.cancel(null);
            ownChange = null;
        }
        note("! ended " + ending);
        Dialog d = dialog;
        if (d != null) {
            d.terminate();
            agent.forget(d.key(), this);
        }
    }

    void saw(SipMessage message) {
        String status = message instanceof SipResponse response ? response.status() + " " : "";
        note("< " + status + message.cseq().method() + " " + message.cseq().number());
    }

    void note(String text) {
        events.add(new CallEvent(agent.network().time().nanoTime(), text));
    }

    @Override
    public String toString() {
        return agent.name() + " " + state + (ending == null ? "" : " " + ending) + " " + events;
    }
}

package io.carillon.sip.dialog;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A dialog (RFC 3261 12): identifiers, sequence numbers, route set and remote target, and the rules
 * on what may be sent and accepted in it. It sends nothing itself.
 *
 * <p>Its owner tells it of every message: {@link #receive(SipRequest)} before a request is
 * processed, {@link #responded} with each response of ours, {@link #sent} with each request of
 * ours, {@link #received(SipResponse)} before a response is processed. Owner: the session's turn;
 * not thread safe. Its state is a value: {@link #write} and {@link #read}.
 */
public final class Dialog {
    public enum State {
        EARLY(0),
        CONFIRMED(1),
        TERMINATED(2);

        /** What stands for the state in its byte form; never given to another state. */
        final int code;

        State(int code) {
            this.code = code;
        }

        static State of(int code) {
            return code == 0 ? EARLY : code == 1 ? CONFIRMED : TERMINATED;
        }
    }

    private static final long NONE = -1;

    private final DialogKey key;
    private final NameAddress local;
    private final NameAddress remote;
    private final boolean callIdOwner;
    private final boolean secure;
    private List<NameAddress> routeSet;
    private Uri remoteTarget;
    private long localCSeq;
    private long remoteCSeq;
    private State state;
    private int revision;

    private final Exchanges exchanges = new Exchanges();

    Dialog(
            DialogKey key,
            NameAddress local,
            NameAddress remote,
            List<NameAddress> routeSet,
            Uri remoteTarget,
            boolean callIdOwner,
            boolean secure,
            State state) {
        this.key = key;
        this.local = local;
        this.remote = remote;
        this.routeSet = routeSet;
        this.remoteTarget = remoteTarget;
        this.callIdOwner = callIdOwner;
        this.secure = secure;
        this.state = state;
    }

    /**
     * RFC 3261 12.1.1: the dialog a UAS has by answering {@code request} with {@code response}
     * (101-299, with a To tag). The request's own offer is noted; pass the response to {@link
     * #responded} as every other one.
     */
    public static Dialog uas(SipRequest request, SipResponse response) {
        return DialogCreation.uas(request, response);
    }

    /**
     * RFC 3261 12.1.2: the dialog a UAC has by the response (101-299) to its {@code sent} request.
     * Pass the response to {@link #received(SipResponse)} afterwards as every other one.
     */
    public static Dialog uac(SipRequest sent, SipResponse response) {
        return DialogCreation.uac(sent, response);
    }

    /**
     * RFC 6665 4.4.1: the dialog a subscriber has by the NOTIFY that came for its {@code sent}
     * SUBSCRIBE.
     */
    public static Dialog subscriber(SipRequest sent, SipRequest notify) {
        return DialogCreation.subscriber(sent, notify);
    }

    /**
     * The peer is reached by a flow (RFC 5626): every request of ours goes by this route of ours
     * first, which the stack takes off; and by no other, where the peer has {@code moved} to it.
     *
     * @param route with {@value RouteSet#FLOW} as the beginning of its user part
     */
    public void reachedBy(NameAddress route, boolean moved) {
        routeSet = RouteSet.with(route, moved ? List.of() : routeSet);
        revision++;
    }

    // What it is

    public DialogKey key() {
        return key;
    }

    public String callId() {
        return key.callId();
    }

    /** Our tag; empty never, except for a dialog that came from a broken peer. */
    public String localTag() {
        return key.localTag();
    }

    /** The peer's tag; empty for a peer of RFC 2543. */
    public String remoteTag() {
        return key.remoteTag();
    }

    public NameAddress local() {
        return local;
    }

    public NameAddress remote() {
        return remote;
    }

    public Uri remoteTarget() {
        return remoteTarget;
    }

    public List<NameAddress> routeSet() {
        return routeSet;
    }

    /** The last CSeq of ours; 0 before the first. */
    public long localCSeq() {
        return localCSeq;
    }

    /** The highest CSeq of the peer; -1 before the first. */
    public long remoteCSeq() {
        return remoteCSeq;
    }

    public boolean secure() {
        return secure;
    }

    public State state() {
        return state;
    }

    /** Did we create the Call-ID (RFC 3261 14.1)? */
    public boolean callIdOwner() {
        return callIdOwner;
    }

    /** Rises with every change: the mark that tells a store what to write again. */
    public int revision() {
        return revision;
    }

    // Requests of ours

    /**
     * RFC 3261 12.2.1.1: a request in this dialog with the next CSeq, routed. Via and Contact are
     * the sender's. Not for ACK and CANCEL.
     */
    public MessageDraft request(String method) {
        if (method.equals(Methods.ACK) || method.equals(Methods.CANCEL)) {
            throw new IllegalArgumentException(method + " has no CSeq of its own");
        }
        // RFC 3261 12.2.1.1: "the value of the local sequence number MUST be incremented by one,
        // and this value MUST be placed into the CSeq header field."
        localCSeq++;
        revision++;
        return draft(method, localCSeq);
    }

    /** RFC 3261 13.2.2.4: the ACK for a 2xx to our INVITE of that CSeq. */
    public MessageDraft ack(long inviteCSeq) {
        exchanges.acknowledging(inviteCSeq);
        revision++;
        return draft(Methods.ACK, inviteCSeq);
    }

    /** RFC 3261 13.2.2.4: "The ACK MUST contain the same credentials as the INVITE." */
    public MessageDraft ack(SipRequest invite) {
        MessageDraft ack = ack(invite.cseqNumber());
        copyAll(invite, ack, HeaderName.AUTHORIZATION);
        copyAll(invite, ack, HeaderName.PROXY_AUTHORIZATION);
        return ack;
    }

    /** RFC 3262 4: the PRACK for a response that {@link #received} told to acknowledge. */
    public MessageDraft prack(SipResponse reliable) {
        MessageDraft prack = request(Methods.PRACK);
        CSeq cseq = reliable.cseq();
        prack.set(
                HeaderName.RACK,
                ReliableProvisionals.rseq(reliable) + " " + cseq.number() + " " + cseq.method());
        return prack;
    }

    /** Where requests of this dialog go: to the top route, or to the remote target. */
    public Uri nextHop() {
        return RouteSet.nextHop(routeSet, target());
    }

    // RFC 3261 8.1.2: "If the first element in the route set indicated a strict router (resulting
    // in forming the request as described in Section 12.2.1.1), the procedures MUST be applied to
    // the Request-URI of the request."
    /**
     * The strict router that is the first of the route set: a request goes there although it has a
     * Route. Null where the top Route, or without one the Request-URI, says where it goes.
     */
    public @Nullable Uri strictHop() {
        return RouteSet.strictHop(routeSet);
    }

    /**
     * RFC 5630 5.1.1.2, 5.1.2: both sides of a dialog begun with sips give sips URIs as Contact.
     * One that does not is not reached without TLS for it.
     */
    private Uri target() {
        return secure && remoteTarget instanceof SipUri sip && !sip.secure()
                ? sip.withSecure(true)
                : remoteTarget;
    }

    /** A request in this dialog; changes nothing in it. */
    MessageDraft draft(String method, long cseq) {
        MessageDraft draft = MessageDraft.request(method, target());
        draft.set(HeaderName.MAX_FORWARDS, "70");
        draft.setFrom(local);
        draft.setTo(remote);
        draft.set(HeaderName.CALL_ID, key.callId());
        draft.setCSeq(cseq, method);
        RouteSet.apply(draft, routeSet, target());
        return draft;
    }

    /**
     * May a request of this method begin now?
     *
     * @param description will it carry a session description?
     */
    public boolean maySend(String method, boolean description) {
        if (state == State.TERMINATED) {
            return false;
        }
        return exchanges.maySend(method, description, state == State.CONFIRMED);
    }

    /** A request of this dialog was sent. */
    public void sent(SipRequest request) {
        exchanges.sent(request);
        revision++;
    }

    /** A response to a request of ours came. Call before it is processed. */
    public Progress received(SipResponse response) {
        return received(response, false);
    }

    /**
     * As {@link #received(SipResponse)}.
     *
     * @param shared whether another usage than the request's keeps the dialog (RFC 5057): a call
     *     beside a subscription, or a subscription beside the call that a BYE ends
     */
    public Progress received(SipResponse response, boolean shared) {
        String method = response.cseqMethod();
        int status = response.status();
        revision++;
        Progress progress = exchanges.received(response);
        if (!progress.process()) {
            return progress;
        }
        if (status < 200) {
            if (progress == Progress.PROCESS_AND_PRACK) {
                refreshFrom(response, method);
            }
        } else if (status < 300) {
            if (method.equals(Methods.INVITE) && state == State.EARLY) {
                confirm(response);
            } else {
                refreshFrom(response, method);
            }
            if (method.equals(Methods.BYE) && !shared) {
                terminate();
            }
        } else {
            failed(method, status, shared);
        }
        return progress;
    }

    /** A request of ours ended without a response (time-out, transport error). */
    public void abandoned(String method, long cseq) {
        abandoned(method, cseq, false);
    }

    /** As {@link #abandoned(String, long)}, in a dialog that another usage may keep. */
    public void abandoned(String method, long cseq, boolean shared) {
        exchanges.abandoned(method, cseq);
        revision++;
        // RFC 3261 12.2.1.2: "A UAC SHOULD also terminate a dialog if no response at all is
        // received for the request". RFC 5057 5.2: "a transaction timeout should affect only the
        // usage in which the transaction occurred."
        if (!shared) {
            terminate();
        }
    }

    private void failed(String method, int status, boolean shared) {
        boolean challenged = status == 401 || status == 407;
        // RFC 3261 12.2.1.2: "If the response for a request within a dialog is a 481 ... or a 408
        // ..., the UAC SHOULD terminate the dialog." RFC 3261 12.3: a non-2xx to the first INVITE
        // ends its early dialogs. RFC 3261 15.1.1: a BYE ends it whatever the answer. RFC 5057 5.1
        // (8): "The dialog itself should not be destroyed unless this was the last usage."
        boolean ends = (status == 408 || status == 481) && !shared;
        ends |= method.equals(Methods.INVITE) && state == State.EARLY && callIdOwner;
        ends |= method.equals(Methods.BYE) && !challenged && !shared;
        // RFC 3262 4 and 3311: a refused PRACK says nothing about the dialog.
        if (ends && !method.equals(Methods.PRACK)) {
            terminate();
        }
    }

    /**
     * RFC 3261 13.2.2.4: a 2xx confirms the dialog: "the route set for the dialog MUST be
     * recomputed based on the 2xx response".
     */
    public void confirm(SipResponse response) {
        if (state != State.EARLY) {
            return;
        }
        if (callIdOwner) {
            routeSet = RouteSet.recomputed(routeSet, response.recordRoutes());
            refreshFrom(response, Methods.INVITE);
        }
        state = State.CONFIRMED;
        revision++;
    }

    public void terminate() {
        if (state != State.TERMINATED) {
            state = State.TERMINATED;
            revision++;
        }
    }

    /**
     * RFC 6141 4.6, 4.7: takes the Contact of a target refresh request that we accepted, or of a
     * reliable response to ours.
     */
    public void targetRefresh(SipMessage message) {
        String method = message.cseqMethod();
        refreshFrom(message, method);
    }

    private void refreshFrom(SipMessage message, String method) {
        if (!refreshes(method)) {
            return;
        }
        NameAddress contact = message.contact();
        if (contact != null && !contact.wildcard() && !contact.uri().equals(remoteTarget)) {
            remoteTarget = contact.uri();
            revision++;
        }
    }

    /**
     * RFC 3261 12.2: re-INVITE; RFC 3311: UPDATE; RFC 6665 and RFC 3515: SUBSCRIBE, NOTIFY, REFER.
     */
    public static boolean refreshes(String method) {
        return switch (method) {
            case Methods.INVITE, Methods.UPDATE, Methods.SUBSCRIBE, Methods.NOTIFY, Methods.REFER ->
                    true;
            default -> false;
        };
    }

    // Requests of the peer

    /**
     * A request of the peer arrived in this dialog (RFC 3261 12.2.2). When not {@link Accept#OK},
     * nothing but the CSeq was noted: answer with its status.
     */
    public Accept receive(SipRequest request) {
        long cseq = request.cseqNumber();
        String method = request.method();
        if (method.equals(Methods.ACK)) {
            exchanges.acknowledged(request);
            revision++;
            return Accept.OK;
        }
        if (method.equals(Methods.CANCEL)) {
            return Accept.OK;
        }
        if (state == State.TERMINATED) {
            return Accept.TERMINATED;
        }
        // RFC 3261 12.2.2: "If the remote sequence number was not empty, but the sequence number of
        // the request is lower than the remote sequence number, the request is out of order and
        // MUST be rejected with a 500 (Server Internal Error) response."
        if (remoteCSeq != NONE && cseq < remoteCSeq) {
            return Accept.STALE_CSEQ;
        }
        remoteCSeq = cseq;
        revision++;
        Accept accept = exchanges.permitted(request);
        if (accept.ok()) {
            exchanges.accepted(request);
        }
        return accept;
    }

    /** Does the 2xx to the peer's INVITE still wait for its ACK? */
    public boolean awaitsAck() {
        return exchanges.awaitsAck();
    }

    /** The ACK for our 2xx will never come (64*T1 passed). */
    public void ackMissing(long inviteCSeq) {
        exchanges.ackMissing(inviteCSeq);
        revision++;
    }

    /** A response of ours to {@code request} went out. */
    public void responded(SipRequest request, SipResponse response) {
        responded(request, response, false);
    }

    /** As {@link #responded(SipRequest, SipResponse)}, in a dialog that another usage may keep. */
    public void responded(SipRequest request, SipResponse response, boolean shared) {
        String method = request.method();
        int status = response.status();
        revision++;
        exchanges.responded(request, response);
        // RFC 6141 4.6: "On sending a reliable provisional response or a 2xx response to the
        // target-refresh request, ... the UA MUST replace the dialog's remote target URI with the
        // URI from the Contact header field in the target-refresh request."
        if ((status >= 200 || reliable(response)) && status < 300) {
            refreshFrom(request, method);
        }
        if (status >= 200 && method.equals(Methods.INVITE)) {
            if (status < 300) {
                confirm(response);
            } else if (state == State.EARLY && !callIdOwner) {
                terminate();
            }
        } else if (status >= 200 && status < 300 && method.equals(Methods.BYE) && !shared) {
            terminate();
        }
    }

    /**
     * RFC 3262 3: the RSeq for the next reliable provisional response to the peer's INVITE of that
     * CSeq.
     */
    public long nextRSeq(long inviteCSeq, RandomGenerator random) {
        revision++;
        return exchanges.provisionals().next(inviteCSeq, random);
    }

    /**
     * Does a reliable provisional response of ours wait for its PRACK? RFC 3262 3: a 2xx with an
     * answer in it has to wait.
     */
    public boolean awaitsPrack() {
        return exchanges.awaitsPrack();
    }

    // State as a value

    public void write(StateWriter out) {
        DialogBytes.write(this, out);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws StateFormatException for bytes that {@link #write} cannot have made
     */
    public static Dialog read(StateReader in) {
        return DialogBytes.read(in);
    }

    Exchanges exchanges() {
        return exchanges;
    }

    void numbers(long local, long peer) {
        localCSeq = local;
        remoteCSeq = peer;
    }

    // Small things

    /** RFC 3262: does this provisional response ask for a PRACK? */
    public static boolean reliable(SipResponse response) {
        return ReliableProvisionals.reliable(response);
    }

    private static void copyAll(SipRequest from, MessageDraft to, HeaderName name) {
        for (int i = from.find(name, 0); i >= 0; i = from.find(name, i + 1)) {
            to.addLast(name, from.valueAt(i));
        }
    }
}

package io.carillon.sip.outbox;

import io.carillon.sip.event.ShardEvents;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.observe.Trace;
import org.jspecify.annotations.Nullable;

/**
 * Counts what leaves and gives it to the wire.
 *
 * <p>Owner: the shard's thread.
 */
public final class Outbox {
    private static final String TOO_LONG = "Header Line Too Long";

    /** Takes what does not leave by the wire. */
    public interface Inside {
        /** A message over an internal hop, of that partition. */
        void message(Hop hop, SipMessage message, int partition);

        /** Our own answer to a request that could not leave; later than the send, on its own. */
        void answer(SipResponse response, Hop to);
    }

    /** Told besides of what never left. */
    public interface Sender extends SendFailure {
        /** The peer has not seen the request: nothing about it may follow. */
        void neverLeft();
    }

    private final ShardEvents events;
    private final Trace trace;
    private final @Nullable TrustBoundary boundary;
    private final Wire wire;
    private final StackCounters counters;
    private final @Nullable Edge edge;
    private final @Nullable Feedback feedback;
    private final OwnershipGate gate;
    private final LeaseGap gap;
    private final OwnMessages ownMessages;
    private final Inside inside;

    /** Null where nothing is ever kept back. */
    private volatile @Nullable Departures departures;

    /**
     * @param inside takes what does not leave
     */
    public Outbox(
            ShardEvents events,
            Trace trace,
            StackCounters counters,
            OwnershipGate gate,
            Wire wire,
            @Nullable TrustBoundary boundary,
            @Nullable Edge edge,
            OwnMessages ownMessages,
            Inside inside) {
        this.events = events;
        this.trace = trace;
        this.counters = counters;
        this.gate = gate;
        this.gap = gate.gap();
        this.wire = wire;
        this.boundary = boundary;
        this.edge = edge;
        this.feedback = edge == null ? null : edge.feedback();
        this.ownMessages = ownMessages;
        this.inside = inside;
    }

    /** May this node act for the partitions that its messages belong to? */
    public OwnershipGate gate() {
        return gate;
    }

    /** Who may keep back what transactions send; null: nobody. Any thread. */
    public @Nullable Departures departures() {
        return departures;
    }

    /** That one may keep back what transactions send; before the first message. */
    public void departures(Departures keeper) {
        departures = keeper;
    }

    /**
     * Sends a message; {@code again} when it went out before. Nothing of a partition that this node
     * may not act for leaves it.
     *
     * @param partition of its call; -1 for none, and without a cluster
     */
    public void send(
            Hop to,
            SipMessage message,
            int partition,
            boolean again,
            @Nullable SendFailure onFailure) {
        send(to, message, partition, again, false, onFailure);
    }

    /**
     * As {@link #send(Hop, SipMessage, int, boolean, SendFailure)}.
     *
     * @param initial it belongs to a request without To tag, although it may have one itself
     */
    public void send(
            Hop to,
            SipMessage whole,
            int partition,
            boolean again,
            boolean initial,
            @Nullable SendFailure onFailure) {
        if (gap.goesFirst()) {
            gap.look();
        }
        if (!gate.leaves(partition)) {
            boolean repeated = again || to.internal() || !to.transport().reliable();
            if (repeated
                    || !gap.keep(
                            partition,
                            () -> send(to, whole, partition, false, initial, onFailure))) {
                gate.stays();
            }
            return;
        }
        SipMessage message =
                feedback != null && whole instanceof SipResponse response && !to.internal()
                        ? feedback.told(response, to, events.now())
                        : whole;
        switch (message) {
            case SipRequest request -> {
                counters.add(Counter.REQUESTS_OUT);
                if (again) {
                    counters.add(Counter.REQUEST_RETRANSMISSIONS_SENT);
                }
            }
            case SipResponse response -> {
                counters.responseOut(response.status());
                if (again) {
                    counters.add(Counter.RESPONSE_RETRANSMISSIONS_SENT);
                }
            }
        }
        trace.sent(message, to, again);
        if (to.internal()) {
            inside.message(to, message, partition);
            return;
        }
        SipMessage allowed = boundary == null ? message : boundary.leaving(message, to);
        if (edge == null) {
            wire.send(to, allowed, onFailure);
        } else {
            cross(edge, to, allowed, partition, initial, onFailure);
        }
    }

    /** How many bytes of a request arrive at the peer. */
    public int lengthAtPeer(SipRequest request, Hop to) {
        if (edge == null) {
            return request.length();
        }
        try {
            SipMessage leaving = edge.leaves(request, to, false);
            return leaving == null ? request.length() : leaving.length();
        } catch (RuntimeException e) {
            // Sending it finds the same, counts and tells it.
            return request.length();
        }
    }

    private void cross(
            Edge border,
            Hop to,
            SipMessage message,
            int partition,
            boolean initial,
            @Nullable SendFailure onFailure) {
        SipMessage leaving;
        try {
            leaving = border.leaves(message, to, initial);
        } catch (RuntimeException e) {
            // What cannot be rewritten stays here: it may hold what must not leave.
            counters.add(Counter.EDGE_WITHHELD);
            events.userError("rewriting a message for " + to, e);
            fail(to, onFailure, "the message could not be rewritten");
            return;
        }
        if (leaving != null) {
            wire.send(to, leaving, onFailure);
            return;
        }
        counters.add(Counter.EDGE_LINES_REFUSED);
        trace.tell(Counter.EDGE_LINES_REFUSED, message, to);
        switch (message) {
            case SipRequest request -> tooLong(request, to, partition, onFailure);
            case SipResponse response -> tooLong(border, response, to, partition, onFailure);
        }
    }

    private void fail(Hop to, @Nullable SendFailure onFailure, String cause) {
        if (onFailure != null) {
            events.executor().execute(() -> onFailure.sendFailed(to, cause));
        }
    }

    /**
     * Who sent the request is told as if the peer had: RFC 3261 21.5.7: "The server was unable to
     * process the request since the message length exceeded its capabilities." Nothing answers an
     * ACK.
     */
    private void tooLong(
            SipRequest request, Hop to, int partition, @Nullable SendFailure onFailure) {
        if (request.is(Methods.ACK)) {
            return;
        }
        if (onFailure instanceof Sender sender) {
            sender.neverLeft();
        }
        SipResponse refusal =
                MessageDraft.responseTo(request, 513, TOO_LONG, gate.tokens().tag(partition))
                        .freezeResponse();
        events.executor().execute(() -> events.event(() -> inside.answer(refusal, to)));
    }

    /**
     * The peer gets a final response in place of the one that it cannot take. A 2xx that it never
     * sees is not acknowledged, so the 513 in its place bears another To tag, and the ACK for it is
     * not taken for the ACK of the 2xx.
     */
    private void tooLong(
            Edge border,
            SipResponse response,
            Hop to,
            int partition,
            @Nullable SendFailure onFailure) {
        if (response.status() < 200) {
            return;
        }
        MessageDraft draft = MessageDraft.response(513, TOO_LONG);
        for (int i = 0; i < response.headerCount(); i++) {
            HeaderName name = response.nameAt(i);
            if (name.equals(HeaderName.TO) && response.status() < 300) {
                draft.addLast(name, response.to().withTag(gate.tokens().tag(partition)).toString());
            } else if (name.id() >= 0 && name.id() <= HeaderName.CSEQ.id()) {
                draft.addLast(name, response.valueAt(i));
            }
        }
        SipMessage refusal = border.leaves(draft.freezeResponse(), to, false);
        if (refusal == null) {
            counters.add(Counter.EDGE_WITHHELD);
            fail(to, onFailure, "a header line is longer than the peer takes");
        } else {
            wire.send(to, refusal, onFailure);
        }
    }

    /** Sends bytes that went out before; parsing them anew is the price of keeping nothing else. */
    public void sendAgain(Hop to, byte[] message, int partition, @Nullable SendFailure onFailure) {
        sendAgain(to, message, partition, false, onFailure);
    }

    /** As {@link #send(Hop, SipMessage, int, boolean, boolean, SendFailure)}. */
    public void sendAgain(
            Hop to,
            byte[] message,
            int partition,
            boolean initial,
            @Nullable SendFailure onFailure) {
        SipMessage parsed = ownMessages.parse(message);
        if (parsed != null) {
            send(to, parsed, partition, true, initial, onFailure);
        }
    }
}

package io.carillon.telemetry.spans;

import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.outbox.Edge;
import java.net.InetSocketAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells peers of the configuration which trace a request belongs to, and nobody else: a {@code
 * traceparent} that came from elsewhere goes no further.
 *
 * <p>Owner: the shard's thread.
 */
final class TraceEdge implements Edge {
    private final Edge inner;
    private final CallTable table;
    private final Predicate<Hop> named;

    TraceEdge(Edge inner, CallTable table, Predicate<Hop> named) {
        this.inner = inner;
        this.table = table;
        this.named = named;
    }

    @Override
    public @Nullable SipMessage leaves(SipMessage message, Hop to, boolean initial) {
        SipMessage leaving = inner.leaves(message, to, initial);
        return leaving instanceof SipRequest out && message instanceof SipRequest inside
                ? stamped(out, inside, to)
                : leaving;
    }

    /**
     * @param out as it is about to leave
     * @param inside as the inside knows it
     */
    private SipRequest stamped(SipRequest out, SipRequest inside, Hop to) {
        TracedCall call =
                inside.is(Methods.ACK) || !named.test(to) ? null : table.find(inside.callId());
        if (call == null && !out.has(TraceParent.NAME) && !out.has(TraceParent.STATE)) {
            return out;
        }
        MessageDraft draft =
                MessageDraft.copyOf(out).remove(TraceParent.NAME).remove(TraceParent.STATE);
        if (call != null) {
            TraceParent self = call.self;
            draft.addLast(
                    TraceParent.NAME,
                    new TraceParent(
                                    self.high(),
                                    self.low(),
                                    call.id(
                                            CallSpan.Kind.CLIENT,
                                            inside.method(),
                                            TraceIds.branch(inside)),
                                    self.sampled())
                            .toString());
        }
        return draft.freezeRequest();
    }

    @Override
    public MessageParser parser(@Nullable Hop from) {
        return inner.parser(from);
    }

    @Override
    public @Nullable SipRequest arrived(SipRequest request, Hop from) {
        return inner.arrived(request, from);
    }

    @Override
    public boolean aimed() {
        return inner.aimed();
    }

    @Override
    public ParseResult.Rejected refusal() {
        return inner.refusal();
    }

    @Override
    public SipResponse arrived(SipResponse response, @Nullable SipRequest sent, Hop from) {
        return inner.arrived(response, sent, from);
    }

    @Override
    public @Nullable Feedback feedback() {
        return inner.feedback();
    }

    @Override
    public @Nullable InetSocketAddress local(Hop to) {
        return inner.local(to);
    }
}

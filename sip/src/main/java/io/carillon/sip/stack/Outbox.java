package io.carillon.sip.stack;

import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what leaves and gives it to the wire.
 *
 * <p>Owner: the shard's thread.
 */
final class Outbox {
    private final Witness witness;
    private final Wire wire;
    private final StackCounters counters;
    private final MessageParser parser;
    private final BiConsumer<Hop, SipMessage> inside;

    /**
     * @param inside takes what goes over an internal hop
     */
    Outbox(
            Witness witness,
            Wire wire,
            StackCounters counters,
            MessageParser parser,
            BiConsumer<Hop, SipMessage> inside) {
        this.witness = witness;
        this.inside = inside;
        this.wire = wire;
        this.counters = counters;
        this.parser = parser;
    }

    /** Sends a message; {@code again} when it went out before. */
    void send(Hop to, SipMessage message, boolean again, @Nullable SendFailure onFailure) {
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
        witness.sent(message, to, again);
        if (to.internal()) {
            inside.accept(to, message);
        } else {
            wire.send(to, message, onFailure);
        }
    }

    /** Sends bytes that went out before; parsing them anew is the price of keeping nothing else. */
    void sendAgain(Hop to, byte[] message, @Nullable SendFailure onFailure) {
        SipMessage parsed = parse(message);
        if (parsed != null) {
            send(to, parsed, true, onFailure);
        }
    }

    /**
     * A message of ours out of its bytes; null, and counted, when our own parser refuses what an
     * application printed.
     */
    @Nullable SipMessage parse(byte[] message) {
        if (parser.parseFramed(message, message.length) instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        counters.add(Counter.MALFORMED_DROPPED);
        return null;
    }
}

package io.carillon.sip.outbox;

import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import org.jspecify.annotations.Nullable;

/** Messages of ours that are kept as bytes, read again. Owner: the shard's thread. */
public final class OwnMessages {
    private final MessageParser parser;
    private final StackCounters counters;

    public OwnMessages(MessageParser parser, StackCounters counters) {
        this.parser = parser;
        this.counters = counters;
    }

    /**
     * A message of ours out of its bytes; null, and counted, when our own parser refuses what an
     * application printed.
     */
    public @Nullable SipMessage parse(byte[] message) {
        if (parser.parseFramed(message, message.length) instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        counters.add(Counter.MALFORMED_DROPPED);
        return null;
    }
}

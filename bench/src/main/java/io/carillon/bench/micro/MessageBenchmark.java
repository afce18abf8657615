package io.carillon.bench.micro;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.token.ShardSelector;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time and allocation per message; {@code ./carillon bench jmh} adds the allocation profiler. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class MessageBenchmark {
    private final MessageParser parser =
            new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
    private final byte[] invite = Samples.invite();
    private final byte[] ok = Samples.ok();
    private final SipRequest parsed = (SipRequest) parse(invite);
    private final Via via;

    public MessageBenchmark() {
        try {
            via = Via.parse("SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKs0-abcdefgh");
        } catch (SipParseException e) {
            throw new IllegalStateException(e);
        }
    }

    private SipMessage parse(byte[] bytes) {
        return switch (parser.parseDatagram(bytes, bytes.length)) {
            case ParseResult.Parsed result -> result.message();
            case ParseResult.Rejected result -> throw new IllegalStateException(result.reason());
            case ParseResult.Dropped result -> throw new IllegalStateException(result.cause());
        };
    }

    @Benchmark
    public SipMessage parseInvite() {
        return parse(invite);
    }

    @Benchmark
    public SipMessage parseOk() {
        return parse(ok);
    }

    /**
     * What every message is asked on its way: the headers that find its transaction and its call.
     */
    @Benchmark
    public int parseInviteAndReadHotHeaders() {
        SipMessage message = parse(invite);
        return message.callId().hashCode()
                + message.topVia().host().length()
                + (int) message.cseq().number()
                + message.maxForwards()
                + String.valueOf(message.fromTag()).length();
    }

    /** What a proxy changes in a request that it forwards. */
    @Benchmark
    public SipMessage printForwardedInvite() {
        return MessageDraft.copyOf(parsed)
                .prependVia(via)
                .addFirst(HeaderName.RECORD_ROUTE, "<sip:127.0.0.1:5060;lr>")
                .setMaxForwards(69)
                .freeze();
    }

    @Benchmark
    public SipMessage printResponse() {
        return MessageDraft.responseTo(parsed, 180, "Ringing", "s0-abcdef").freeze();
    }

    @Benchmark
    public int route() {
        return ShardSelector.shardOf(invite, invite.length, 4);
    }
}

package io.carillon.telemetry.spans;

import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.observe.Tap;
import io.carillon.sip.outbox.Edge;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traces of calls: composes who follows them and where they go. A call's spans are kept until it is
 * over; then those that are drawn, and those that failed, go to the sink. Any thread.
 */
public final class CallTraces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallTraces.class);

    private static final long TURN_MILLIS = 500;
    private static final long TURNS_BETWEEN_TIDY = 10;
    private static final long CLOSE_SECONDS = 5;

    /** What comes late is heard for so long. */
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    /** A call without a session of which nothing was heard for so long is over: Timer C is less. */
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final List<String> COUNTED =
            List.of(
                    "telemetry.calls_ended",
                    "telemetry.calls_kept",
                    "telemetry.calls_not_followed",
                    "telemetry.spans_given_up",
                    "telemetry.spans_sent",
                    "telemetry.spans_unsent",
                    "telemetry.messages_not_taken",
                    "telemetry.now_spans");

    /**
     * What a server is to its traces.
     *
     * @param nanos the clock of the shards
     * @param epochNanos the time since 1970
     * @param random any 64 bits
     * @param named is a peer of the configuration at the other end?
     */
    public record Place(
            LongSupplier nanos,
            LongSupplier epochNanos,
            LongSupplier random,
            Predicate<Hop> named) {}

    private final Place place;
    private final SpanSink sink;
    private final CallTable table;
    private final TraceIds ids;
    private final MessageSpans messages;
    private final HandlerSpans handlers;
    private final SpanFaults faults = new SpanFaults();
    private final LongAdder kept = new LongAdder();
    private @Nullable ScheduledExecutorService thread;
    private long turns;

    /** Ready to follow calls; without {@link #start} somebody else takes its {@link #turn}s. */
    public CallTraces(SpanConfig config, Place place, SpanSink sink) {
        this.place = place;
        this.sink = sink;
        this.table = new CallTable(config);
        this.ids = new TraceIds(place.random(), config.perTenThousand());
        this.messages =
                new MessageSpans(
                        table, ids, place.nanos(), place.epochNanos(), place.named(), faults);
        this.handlers = new HandlerSpans(table, ids, place.nanos(), place.epochNanos(), faults);
    }

    /** Takes its turns by a thread of its own. */
    public synchronized void start() {
        ScheduledExecutorService made =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("call-traces").factory());
        var _ =
                made.scheduleWithFixedDelay(
                        this::turnAnyhow, TURN_MILLIS, TURN_MILLIS, TimeUnit.MILLISECONDS);
        thread = made;
    }

    /** The thread goes on whatever befalls one turn. */
    private void turnAnyhow() {
        try {
            turn();
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Traces of calls that are over were lost", e);
        }
    }

    /** Decides on what is over; by the thread of traces, in a test by the test. */
    public void turn() {
        long now = place.nanos().getAsLong();
        List<FinishedCall> done = new ArrayList<>();
        table.sweep(now - LINGER_NANOS, done::add);
        if (++turns % TURNS_BETWEEN_TIDY == 0) {
            table.tidy(now - IDLE_NANOS, done::add);
        }
        give(done);
    }

    private void give(List<FinishedCall> done) {
        kept.add(done.size());
        sink.take(done);
    }

    /** Looks on at the shards. */
    public Tap tap() {
        return messages;
    }

    /** Looks on at the applications. */
    public TurnTap turnTap() {
        return handlers;
    }

    /** The edges of shards that tell peers of their traces. */
    public Edge.Source edge(Edge.Source peers) {
        return (wire, limits, counted) ->
                new TraceEdge(peers.open(wire, limits, counted), table, place.named());
    }

    /**
     * A request of a page begins.
     *
     * @param method of HTTP
     * @param path without the query
     * @param traceparent as it came from somebody who may say so; null: nobody has
     */
    public Page page(String method, String path, @Nullable String traceparent) {
        return new Page(table, ids, place.nanos(), TraceParent.parse(traceparent), method, path);
    }

    /** Is a peer of the configuration at that address? Its {@code traceparent} counts. */
    public boolean named(InetSocketAddress remote) {
        return remote.getAddress() != null && place.named().test(Hop.to(Transport.TCP, remote));
    }

    /** Now, by the clock of {@link #statement}. */
    public long nanoTime() {
        return place.nanos().getAsLong();
    }

    /**
     * A statement of the database is done, by this thread.
     *
     * @param operation its first word
     * @param beganNanos by {@link #nanoTime}
     * @param failure what went wrong; null: nothing
     */
    public void statement(String operation, long beganNanos, @Nullable String failure) {
        Current.Frame frame = Current.get();
        TracedCall call = frame == null ? null : frame.call;
        if (frame == null || call == null) {
            return;
        }
        CallSpan span =
                new CallSpan(CallSpan.Kind.DATABASE, operation, ids.span(), frame.span, beganNanos)
                        .failed(failure)
                        .ended(place.nanos().getAsLong(), 0);
        synchronized (call) {
            if (!call.gone()) {
                table.add(call, span);
            }
        }
    }

    /** What is counted where there are no traces. */
    public static Map<String, Long> noCounters() {
        Map<String, Long> all = new TreeMap<>();
        COUNTED.forEach(name -> all.put(name, 0L));
        return all;
    }

    /** What is counted, by the names of the status. */
    public Map<String, Long> counters() {
        Map<String, Long> all = noCounters();
        all.put("telemetry.calls_ended", table.finished());
        all.put("telemetry.calls_kept", kept.sum());
        all.put("telemetry.calls_not_followed", table.refused());
        all.put("telemetry.spans_given_up", table.spansDropped());
        all.put("telemetry.messages_not_taken", faults.count());
        all.put("telemetry.now_spans", table.held());
        all.putAll(sink.counters());
        return all;
    }

    /** With nobody looking on any more: what goes on ends here. */
    @Override
    public synchronized void close() {
        ScheduledExecutorService own = thread;
        if (own != null) {
            own.shutdown();
            try {
                if (!own.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    return; // it hangs in the sink
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        List<FinishedCall> done = new ArrayList<>();
        table.end(done::add);
        give(done);
        sink.close();
    }
}

package io.carillon.server.trace;

import io.carillon.server.config.TraceSettings;
import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.TraceEvent;
import io.carillon.server.ladder.TracedCalls;
import io.carillon.servlet.kernel.ApplicationSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches traces on and off, and shows what they recorded. Any thread. */
public final class Traces {
    private static final Logger LOG = LoggerFactory.getLogger(Traces.class);

    private final long capacity;
    private volatile TraceSettings settings;
    private final TraceRules rules;
    private final Tracer tracer;
    private final TraceReader reader;
    private final LongSupplier nanos;
    private final LongSupplier wallMicros;

    /** Microseconds since 1970 at the zero of the shards' clock, as it was last seen. */
    private volatile long epochMicros;

    /**
     * @param node this server's name
     * @param shards how many there are
     * @param nanos the clock of the shards
     * @param wallMicros microseconds since 1970
     * @param taps told to put the tracer on (true) and to take it off (false)
     * @param collector gets messages too; or null
     */
    public Traces(
            TraceSettings settings,
            String node,
            int shards,
            LongSupplier nanos,
            LongSupplier wallMicros,
            Consumer<Boolean> taps,
            @Nullable TraceCollector collector) {
        this.settings = settings;
        this.capacity = settings.buffer().bytes();
        this.nanos = nanos;
        this.wallMicros = wallMicros;
        this.rules = new TraceRules(taps);
        this.tracer =
                new Tracer(
                        settings.buffer().bytes(),
                        settings.maxCalls(),
                        shards,
                        rules,
                        nanos,
                        collector);
        lookAtTheClock();
        this.reader =
                new TraceReader(
                        tracer,
                        new MessageMask(settings.maskHeaders()),
                        node,
                        atNanos -> epochMicros + atNanos / 1000);
    }

    /** How long traces last, and what they hide, from now on; the buffer stays. */
    public void change(TraceSettings changed) {
        reader.mask(new MessageMask(changed.maskHeaders()));
        settings = changed;
    }

    private void lookAtTheClock() {
        epochMicros = wallMicros.getAsLong() - nanos.getAsLong() / 1000;
    }

    /** Calls, and bytes of records, that gave way to others since the start. Any thread. */
    public Map<String, Long> counters() {
        return Map.of(
                "trace.calls_forgotten", tracer.legs().forgotten(),
                "trace.buffer_bytes_forgotten", tracer.letGoBytes());
    }

    /** What the shards and the container are shown to. */
    public Tracer tracer() {
        return tracer;
    }

    /** The collector gets every call from now on; once, before calls come. */
    public void collectAll() {
        rules.collectAll();
    }

    /**
     * Switches a trace on.
     *
     * @param who wants it, for the log
     * @param live the application sessions, of which it takes up those it wants
     * @return its number
     * @throws IllegalArgumentException with a sentence for the user
     */
    public TracedCalls.On on(TraceRequest request, String who, Iterable<ApplicationSession> live) {
        TraceRule.Choice choice = request.choice();
        long seconds =
                request.seconds() == null ? settings.standardFor().toSeconds() : request.seconds();
        long longest = settings.longestFor().toSeconds();
        if (seconds < 1 || seconds > longest) {
            throw new IllegalArgumentException(
                    "--for has to be from 1 s to " + words(longest) + " (trace.longest-for)");
        }
        int calls = request.calls() == null ? settings.standardCalls() : request.calls();
        if (calls < 1) {
            throw new IllegalArgumentException("--calls has to be at least 1");
        }
        lookAtTheClock();
        rules.all(nanos.getAsLong()); // those that are over make room
        TraceRule rule =
                rules.add(
                        choice, nanos.getAsLong() + TimeUnit.SECONDS.toNanos(seconds), calls, who);
        if (rule == null) {
            throw new IllegalArgumentException(
                    TraceRules.MOST + " traces are on, which is the most; switch one off before");
        }
        tracer.takeUp(rule, live);
        LOG.info(
                "Trace {} ({}) was switched on by {}, for {} and at most {} calls",
                rule.number,
                choice.text(),
                who,
                words(seconds),
                calls);
        return on(rule);
    }

    /**
     * Switches a trace off, or all of them; what they recorded stays.
     *
     * @param number 0: all
     * @return how many were on
     */
    public int off(int number, String who) {
        int ended = 0;
        for (TraceRule rule : tracer.rules()) {
            if ((number == 0 || rule.number == number) && rules.remove(rule)) {
                ended++;
                LOG.info(
                        "Trace {} ({}) was switched off by {}; it took up {} calls",
                        rule.number,
                        rule.choice.text(),
                        who,
                        rule.calls());
            }
        }
        return ended;
    }

    /** Forgets what was recorded; traces that are on go on. */
    public void clear() {
        tracer.clear();
    }

    /** What is on, and what was recorded. */
    public TracedCalls list(int most) {
        return new TracedCalls(
                tracer.rules().stream().map(this::on).toList(),
                reader.calls(most),
                tracer.legs().calls().size(),
                tracer.bytes(),
                capacity);
    }

    private TracedCalls.On on(TraceRule rule) {
        long left = rule.deadlineNanos - nanos.getAsLong();
        return new TracedCalls.On(
                rule.number,
                rule.choice.text(),
                rule.who,
                Math.max(0, TimeUnit.NANOSECONDS.toSeconds(left + 500_000_000L)),
                rule.calls(),
                rule.mostCalls);
    }

    /**
     * The calls that are meant, the latest first.
     *
     * @param wanted a Call-ID, the id of an application session, or a user
     */
    public List<CallTrace> find(String wanted, boolean bodies, int most) {
        List<CallTrace> found = new ArrayList<>();
        for (TracedLegs.Call call : reader.find(wanted)) {
            if (found.size() >= most) {
                break;
            }
            CallTrace trace = reader.trace(call, bodies);
            if (!trace.events().isEmpty()) {
                found.add(trace);
            }
        }
        return found;
    }

    /**
     * What came after that, in the order in which it was recorded.
     *
     * @param wanted as for {@link #find}; empty: every call
     */
    public List<TraceEvent> after(long sequence, String wanted, boolean bodies, int most) {
        if (tracer.last() <= sequence) {
            return List.of(); // who follows asks often, and finds out who is meant by reading all
        }
        if (wanted.isEmpty()) {
            return reader.after(sequence, null, bodies, most);
        }
        List<TraceEvent> all = new ArrayList<>();
        for (TracedLegs.Call call : reader.find(wanted)) {
            all.addAll(reader.after(sequence, call, bodies, most));
        }
        all.sort((one, other) -> Long.compare(one.sequence(), other.sequence()));
        return all.subList(0, Math.min(most, all.size()));
    }

    private static String words(long seconds) {
        Duration span = Duration.ofSeconds(seconds);
        if (seconds % 3600 == 0) {
            return span.toHours() + " h";
        }
        return seconds % 60 == 0 ? span.toMinutes() + " min" : seconds + " s";
    }
}

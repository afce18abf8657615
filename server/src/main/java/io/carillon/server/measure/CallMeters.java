package io.carillon.server.measure;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.telemetry.records.CallListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Histograms of calls and handlers. Any thread. Applications, listeners and peers are the
 * operator's names; beyond {@link #MOST_SERIES} of a metric all further ones are counted as
 * "other".
 */
public final class CallMeters implements CallListener {
    /** Combinations of labels of one metric. A histogram has some twenty series for each. */
    static final int MOST_SERIES = 200;

    /** In place of what has no series of its own. */
    static final String OTHER = "other";

    private static final int STATUS_CLASS = 100;

    /** Of what takes milliseconds. */
    static final Duration[] SHORT = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private static final Duration[] SETUP = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(3),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(180)
    };
    private static final Duration[] LENGTH = {
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(2),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(30),
        Duration.ofHours(1),
        Duration.ofHours(2)
    };

    private static final Set<String> METHODS =
            Set.of(
                    Methods.INVITE,
                    Methods.ACK,
                    Methods.BYE,
                    Methods.CANCEL,
                    Methods.REFER,
                    "REGISTER",
                    "OPTIONS",
                    "SUBSCRIBE",
                    "NOTIFY",
                    "PUBLISH",
                    "MESSAGE",
                    "INFO",
                    "UPDATE",
                    "PRACK");

    private record Handler(String application, String kind, String method, String outcome) {}

    private record End(Kind of, String status, String endedBy) {}

    private final MeterRegistry registry;
    private final ListenerNames listeners;
    private final Map<Kind, Timer> ring = new ConcurrentHashMap<>();
    private final Map<Kind, Timer> answer = new ConcurrentHashMap<>();
    private final Map<Kind, Timer> length = new ConcurrentHashMap<>();
    private final Map<End, Counter> ended = new ConcurrentHashMap<>();
    private final Map<String, Timer> waits = new ConcurrentHashMap<>();
    private final Map<Handler, Timer> handlers = new ConcurrentHashMap<>();
    private final Map<Boolean, Timer> lookups = new ConcurrentHashMap<>();

    /**
     * @param listeners which listening point a call came to or left from
     */
    public CallMeters(MeterRegistry registry, ListenerNames listeners) {
        this.registry = registry;
        this.listeners = listeners;
    }

    /** The meter of that key; where there are too many already, of the other one. */
    static <K, M> M of(Map<K, M> known, K key, K other, Function<K, M> make) {
        M meter = known.get(key);
        if (meter != null) {
            return meter;
        }
        return known.computeIfAbsent(known.size() < MOST_SERIES ? key : other, make);
    }

    private static final Kind OTHERS = new Kind(true, OTHER, OTHER, OTHER);

    @Override
    public String listeningPoint(Hop hop) {
        return listeners.of(hop);
    }

    @Override
    public void rang(Kind kind, long nanos) {
        of(
                        ring,
                        kind,
                        OTHERS,
                        k -> timer(k, "carillon.call.ring", "INVITE to the first 18x", SETUP))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void answered(Kind kind, long nanos) {
        of(answer, kind, OTHERS, k -> timer(k, "carillon.call.answer", "INVITE to the 2xx", SETUP))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind, String name, String text, Duration... buckets) {
        return Timer.builder(name)
                .description(text)
                .tag("direction", kind.in() ? "in" : "out")
                .tag("application", kind.application())
                .tag("listener", kind.listener())
                .tag("peer", kind.peer())
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    @Override
    public void ended(Kind kind, int status, String endedBy, long nanos) {
        if (nanos >= 0) {
            of(
                            length,
                            kind,
                            OTHERS,
                            k -> timer(k, "carillon.call.length", "2xx to the end", LENGTH))
                    .record(nanos, TimeUnit.NANOSECONDS);
        }
        String group = status == 0 ? "none" : status / STATUS_CLASS + "xx";
        of(ended, new End(kind, group, endedBy), new End(OTHERS, group, endedBy), this::counter)
                .increment();
    }

    private Counter counter(End end) {
        return Counter.builder("carillon.calls.ended")
                .description("Legs that are over")
                .tag("direction", end.of().in() ? "in" : "out")
                .tag("application", end.of().application())
                .tag("listener", end.of().listener())
                .tag("peer", end.of().peer())
                .tag("status", end.status())
                .tag("ended_by", end.endedBy())
                .register(registry);
    }

    @Override
    public void waited(String application, long nanos) {
        of(waits, application, OTHER, this::wait).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer wait(String application) {
        return Timer.builder("carillon.call.wait")
                .description("INVITE read to its handler")
                .tag("application", application)
                .serviceLevelObjectives(SHORT)
                .register(registry);
    }

    @Override
    public void resolved(boolean found, long nanos) {
        lookups.computeIfAbsent(found, this::lookup).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer lookup(boolean found) {
        return Timer.builder("carillon.dns.lookup")
                .description("A name that a request goes to, where an answer was waited for")
                .tag("outcome", found ? "found" : "nothing")
                .serviceLevelObjectives(SHORT)
                .register(registry);
    }

    @Override
    public void handled(String application, String what, long nanos, boolean threw) {
        String kind;
        String method;
        if (!what.isEmpty() && Character.isDigit(what.charAt(0))) {
            kind = "response";
            method = known(what.substring(what.indexOf(' ') + 1));
        } else if (METHODS.contains(what)) {
            kind = "request";
            method = what;
        } else {
            boolean request = what.equals(what.toUpperCase(Locale.ROOT));
            kind = request ? "request" : "listener";
            method = request ? OTHER : "";
        }
        String outcome = threw ? "threw" : "ok";
        of(
                        handlers,
                        new Handler(application, kind, method, outcome),
                        new Handler(OTHER, kind, method, outcome),
                        this::handler)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private static String known(String method) {
        return METHODS.contains(method) ? method : OTHER;
    }

    private Timer handler(Handler handler) {
        return Timer.builder("carillon.handler")
                .description("Time of a handler or listener")
                .tag("application", handler.application())
                .tag("kind", handler.kind())
                .tag("method", handler.method())
                .tag("outcome", handler.outcome())
                .serviceLevelObjectives(SHORT)
                .register(registry);
    }
}

package io.carillon.server.measure;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The status as Prometheus metrics. A scrape reads the status once; nothing is counted here. */
public final class Meters {
    private static final String MILLIS = "milliseconds";

    private final StatusSource source;
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private volatile ServerStatus last;

    /** What goes up and down. */
    private static final String NOW = ".now_";

    private final Set<String> known = new HashSet<>();

    /** Registers every metric. */
    public Meters(StatusSource source) {
        this.source = source;
        this.last = source.status();
        gauge("carillon.calls.held", "Calls held", s -> s.calls().held());
        counter("carillon.calls.started", "Calls started", s -> s.calls().started());
        gauge(
                "carillon.transactions",
                "SIP transactions, lingering ones too",
                ServerStatus::transactions);
        gauge(
                "carillon.application.sessions",
                "SIP application sessions",
                ServerStatus::applicationSessions);
        messages("in", "request", s -> s.messages().requestsIn());
        messages("out", "request", s -> s.messages().requestsOut());
        messages("in", "response", s -> s.messages().responsesIn());
        messages("out", "response", s -> s.messages().responsesOut());
        retransmissions("in", s -> s.messages().retransmissionsSeen());
        retransmissions("out", s -> s.messages().retransmissionsSent());
        counter(
                "carillon.messages.malformed",
                "Messages refused as malformed",
                s -> s.messages().malformed());
        counter(
                "carillon.messages.dropped",
                "Messages dropped without an answer",
                s -> s.messages().dropped());
        gauge("carillon.connections", "Open connections", s -> s.connections().open());
        counter(
                "carillon.connections.limited",
                "Connections closed by a limit",
                s -> s.connections().closedByLimit());
        counter(
                "carillon.kernel.drops",
                "Datagrams dropped by the kernel, receive buffer full",
                ServerStatus::kernelDrops);
        counter("carillon.gc.pauses", "Pauses of the collector", s -> s.gcPauses().count());
        millis(
                "carillon.gc.pause.max",
                "Longest pause of the collector",
                s -> s.gcPauses().maxMillis());
        millis(
                "carillon.gc.pause.p99",
                "99th percentile of the collector's pauses",
                s -> s.gcPauses().p99Millis());
        bytes("carillon.heap.used", "Heap in use", s -> s.heap().usedBytes());
        bytes("carillon.heap.committed", "Heap taken", s -> s.heap().committedBytes());
        bytes("carillon.heap.touched", "Most heap in use", s -> s.heap().touchedBytes());
        gauge(
                "carillon.slow.handlers",
                "Handlers that hold a thread for too long",
                s -> s.slowHandlers().size());
        gauge(
                "carillon.database.failed",
                "1 while the database is of no use",
                s -> s.databaseFailure() == null ? 0 : 1);
        overload();
        for (String name : last.counters().keySet()) {
            counted(name);
        }
    }

    private void counted(String name) {
        ToDoubleFunction<ServerStatus> value = s -> s.counters().getOrDefault(name, 0L);
        if (name.contains(NOW)) {
            gauge("carillon." + name, "Now: " + name, value);
        } else {
            counter("carillon." + name, "Counter " + name, value);
        }
    }

    private void overload() {
        Gauge.builder(
                        "carillon.queueing.delay",
                        this,
                        meters -> meters.last.overload().delayMillis() / 1000)
                .description("How long messages wait where they wait longest")
                .baseUnit("seconds")
                .register(registry);
        gauge("carillon.load", "Load, 0 to 100; 100: shedding", s -> s.overload().load());
        gauge(
                "carillon.shedding",
                "1 while new calls are refused as the server is overloaded",
                s -> s.overload().shedding() ? 1 : 0);
        gauge(
                "carillon.applications.late",
                "Applications whose new calls are refused as they are late",
                s -> s.overload().late().size());
    }

    /** The page for Prometheus, in its text format. Any thread. */
    public String scrape() {
        last = source.status();
        certificates();
        return registry.scrape();
    }

    /** Certificates may come with a reload; the gauge of one that is gone shows no number. */
    private synchronized void certificates() {
        ServerStatus.Tls tls = last.tls();
        if (tls == null) {
            return;
        }
        for (ServerStatus.TlsCertificate one : tls.certificates()) {
            String file = one.file();
            String names = String.join(",", one.names());
            if (known.add(file + " " + names)) {
                Gauge.builder(
                                "carillon.tls.certificate.expiry",
                                this,
                                meters -> meters.secondsLeft(file, one.names()))
                        .description("Time until a certificate of ours expires")
                        .baseUnit("seconds")
                        .tag("file", file)
                        .tag("names", names)
                        .register(registry);
            }
        }
    }

    private double secondsLeft(String file, List<String> names) {
        ServerStatus.Tls tls = last.tls();
        if (tls != null) {
            for (ServerStatus.TlsCertificate one : tls.certificates()) {
                if (one.file().equals(file) && one.names().equals(names)) {
                    return one.secondsLeft();
                }
            }
        }
        return Double.NaN;
    }

    private void gauge(String name, String text, ToDoubleFunction<ServerStatus> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.last))
                .description(text)
                .register(registry);
    }

    private void millis(String name, String text, ToDoubleFunction<ServerStatus> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.last))
                .description(text)
                .baseUnit(MILLIS)
                .register(registry);
    }

    private void bytes(String name, String text, ToDoubleFunction<ServerStatus> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.last))
                .description(text)
                .baseUnit("bytes")
                .register(registry);
    }

    private void counter(String name, String text, ToDoubleFunction<ServerStatus> value) {
        FunctionCounter.builder(name, this, meters -> value.applyAsDouble(meters.last))
                .description(text)
                .register(registry);
    }

    private void messages(String direction, String kind, ToDoubleFunction<ServerStatus> value) {
        FunctionCounter.builder(
                        "carillon.messages", this, meters -> value.applyAsDouble(meters.last))
                .description("SIP messages")
                .tag("direction", direction)
                .tag("kind", kind)
                .register(registry);
    }

    private void retransmissions(String direction, ToDoubleFunction<ServerStatus> value) {
        FunctionCounter.builder(
                        "carillon.retransmissions",
                        this,
                        meters -> value.applyAsDouble(meters.last))
                .description("SIP messages that were repeated")
                .tag("direction", direction)
                .register(registry);
    }
}

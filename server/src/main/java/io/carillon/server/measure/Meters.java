package io.carillon.server.measure;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The status as Prometheus metrics. A scrape reads the status once; nothing is counted here. */
public final class Meters {
    private final StatusSource source;
    private final PrometheusMeterRegistry registry;
    private volatile ServerStatus last;

    /** What goes up and down. */
    private static final String NOW = ".now_";

    private final Set<String> known = new HashSet<>();

    /** A registry with the metrics of the JVM. */
    public static PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        made.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time")) // nanoseconds
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"))
                .meterFilter(new PoolBuckets());
        List.of(
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(one -> one.bindTo(made));
        FunctionCounter.builder(
                        "process.cpu",
                        ProcessHandle.current(),
                        self ->
                                self.info().totalCpuDuration().orElse(Duration.ZERO).toMillis()
                                        / 1000.0)
                .description("CPU that the process has used")
                .baseUnit("seconds")
                .register(made);
        Gauge.builder("system.cpus", Runtime.getRuntime(), Runtime::availableProcessors)
                .description("Processors")
                .register(made);
        return made;
    }

    /** Registers every metric. */
    public Meters(StatusSource source, PrometheusMeterRegistry registry) {
        this.source = source;
        this.registry = registry;
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
        collector();
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
        Map<String, String> texts = CounterTexts.all();
        for (String name : last.counters().keySet()) {
            counted(name, texts.getOrDefault(name, "Counter " + name));
        }
    }

    private void collector() {
        counter("carillon.gc.pauses", "Pauses of the collector", s -> s.gcPauses().count());
        seconds(
                "carillon.gc.pause.max",
                "Longest pause of the collector",
                s -> s.gcPauses().maxMillis());
        seconds(
                "carillon.gc.pause.p99",
                "99th percentile of the collector's pauses",
                s -> s.gcPauses().p99Millis());
    }

    /** The pool of the database measures in buckets, as all else does. */
    private static final class PoolBuckets implements MeterFilter {
        private static final double[] NANOS = {1e6, 5e6, 10e6, 50e6, 100e6, 500e6, 1e9, 2e9, 5e9};

        @Override
        public DistributionStatisticConfig configure(
                Meter.Id id, DistributionStatisticConfig config) {
            return id.getName().startsWith("hikaricp.") && id.getType() == Meter.Type.TIMER
                    ? DistributionStatisticConfig.builder()
                            .serviceLevelObjectives(NANOS)
                            .build()
                            .merge(config)
                    : config;
        }
    }

    private void counted(String name, String text) {
        ToDoubleFunction<ServerStatus> value = s -> s.counters().getOrDefault(name, 0L);
        if (name.contains(NOW)) {
            gauge("carillon." + name, text, value);
        } else {
            counter("carillon." + name, text, value);
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

    /** All of them with their values. Any thread. */
    public List<Metric> list() {
        last = source.status();
        return Metric.of(registry);
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

    private void seconds(String name, String text, ToDoubleFunction<ServerStatus> millis) {
        Gauge.builder(name, this, meters -> millis.applyAsDouble(meters.last) / 1000)
                .description(text)
                .baseUnit("seconds")
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

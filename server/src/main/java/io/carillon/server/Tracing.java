package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.server.calls.CallCommands;
import io.carillon.server.calls.Calls;
import io.carillon.server.cluster.CallsOfAll;
import io.carillon.server.cluster.ClusterCalls;
import io.carillon.server.config.CdrSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.TraceSettings;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.data.Database;
import io.carillon.server.hep.HepSender;
import io.carillon.server.http.AdminHttp;
import io.carillon.server.measure.CallMeters;
import io.carillon.server.measure.ListenerNames;
import io.carillon.server.measure.Meters;
import io.carillon.server.spans.KeptTraces;
import io.carillon.server.spans.SpanCommands;
import io.carillon.server.start.StartException;
import io.carillon.server.trace.TraceCommands;
import io.carillon.server.trace.Traces;
import io.carillon.servlet.SipContainer;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TrustBoundary;
import io.carillon.sip.shard.Shard;
import io.carillon.telemetry.Onlookers;
import io.carillon.telemetry.records.CallListener;
import io.carillon.telemetry.records.CallRecords;
import io.carillon.telemetry.records.RecordException;
import io.carillon.telemetry.spans.CallTraces;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Seeing calls: composes traces, the collector and the commands about calls. Any thread. */
final class Tracing implements AutoCloseable {
    private static final int NANOS_PER_MICRO = 1000;

    private final Onlookers onlookers;
    private final SipContainer container;
    private final Traces traces;
    private final Calls calls;
    private final @Nullable HepSender collector;
    private final @Nullable CallRecords records;
    private final @Nullable CallTraces spans;
    private final @Nullable KeptTraces kept;
    private final PrometheusMeterRegistry registry;
    private final @Nullable CallsOfAll cluster;

    /**
     * What measures calls.
     *
     * @param records null where nobody follows them
     * @param spans traces of calls for a collector, if there is one
     * @param registry of all metrics
     */
    private record Measured(
            @Nullable CallRecords records, SpanSide spans, PrometheusMeterRegistry registry) {}

    private Tracing(
            TraceSettings settings,
            List<Shard> shards,
            SipContainer container,
            @Nullable HepSender collector,
            Measured measured,
            String node,
            @Nullable CallsOfAll cluster) {
        this.onlookers = new Onlookers(shards, container);
        this.container = container;
        this.collector = collector;
        this.records = measured.records();
        this.spans = measured.spans().traces();
        this.kept = measured.spans().kept();
        this.registry = measured.registry();
        this.traces =
                new Traces(
                        settings,
                        node,
                        shards.size(),
                        System::nanoTime,
                        Tracing::wallMicros,
                        this::tap,
                        collector);
        this.cluster = cluster;
        this.calls =
                cluster == null
                        ? new Calls(container, node)
                        : new Calls(container, node, cluster::standing);
    }

    /**
     * Ready to trace; a collector that is to have all calls gets them from now on, and call records
     * follow them.
     *
     * @param folder where records wait, when no other is set
     * @param network whose shards are followed
     * @param cluster null for a server that is alone
     * @throws StartException when there is no socket for the collector, or no place for records
     */
    static Tracing of(
            Configuration configuration,
            Path folder,
            Network network,
            SipContainer container,
            SpanSide spans,
            @Nullable ClusterCalls cluster)
            throws StartException {
        List<Shard> shards = network.shards();
        TraceSettings settings = configuration.trace();
        String node = node(configuration);
        PrometheusMeterRegistry registry = Meters.registry();
        CallRecords.Place place =
                new CallRecords.Place(
                        node,
                        System::nanoTime,
                        container::millis,
                        trusted(shards.getFirst().config().boundary()),
                        spans.peers(),
                        cluster != null);
        CallListener listener =
                configuration.metrics().calls()
                        ? new CallMeters(registry, new ListenerNames(network::listening))
                        : CallListener.NONE;
        CallRecords records = records(configuration, folder, place, listener);
        HepSender collector = null;
        if (settings.hep() != null) {
            try {
                collector =
                        HepSender.start(
                                settings.hep().address(),
                                settings,
                                node,
                                System::nanoTime,
                                Tracing::wallMicros);
            } catch (IOException e) {
                throw new StartException(
                        "no socket for the collector (trace.hep): " + e.getMessage(), e);
            }
        }
        Tracing tracing =
                new Tracing(
                        settings,
                        shards,
                        container,
                        collector,
                        new Measured(records, spans, registry),
                        node,
                        cluster == null ? null : cluster.ofAll());
        if (records != null) {
            tracing.onlookers.add(Onlookers.Who.RECORDS, records.tap(), records.turnTap());
            container.settings().records(records::write);
        }
        tracing.beginSpans();
        if (collector != null && settings.hepCalls() == TraceSettings.HepCalls.ALL) {
            tracing.traces.collectAll();
        }
        return tracing;
    }

    private void beginSpans() {
        CallTraces all = spans;
        if (all != null) {
            onlookers.add(Onlookers.Who.SPANS, all.tap(), all.turnTap());
            all.start();
        }
    }

    /** How long traces last, and what they hide, from now on. */
    void change(TraceSettings settings) {
        traces.change(settings);
    }

    private static @Nullable CallRecords records(
            Configuration configuration,
            Path folder,
            CallRecords.Place place,
            CallListener listener)
            throws StartException {
        CdrSettings settings = configuration.cdr();
        if (!settings.configured() && !configuration.metrics().calls()) {
            return null;
        }
        try {
            return CallRecords.open(
                    RecordTranslation.of(settings),
                    settings.spool() == null ? folder : settings.spool(),
                    place,
                    listener);
        } catch (RecordException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Predicate<Hop> trusted(@Nullable TrustBoundary boundary) {
        return peer -> boundary == null || boundary.trusts(peer);
    }

    /** This server's name. */
    static String node(Configuration configuration) {
        String named = configuration.trace().node();
        return named == null ? hostName() : named;
    }

    /** Requests of pages and statements of the database are spans of calls, where there are any. */
    void followPages(AdminHttp http, Database database) {
        CallTraces all = spans;
        if (all != null) {
            http.follow(all);
            database.follow(all);
        }
    }

    /** Where metrics are registered. */
    PrometheusMeterRegistry registry() {
        return registry;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "carillon"; // a machine without a name of its own
        }
    }

    private static long wallMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / NANOS_PER_MICRO;
    }

    private void tap(boolean on) {
        if (on) {
            onlookers.add(Onlookers.Who.TRACE, traces.tracer(), traces.tracer());
        } else {
            onlookers.remove(Onlookers.Who.TRACE);
        }
    }

    /** By the names that the command line sends. */
    Map<String, ControlCommand> commands() {
        Map<String, ControlCommand> all = new HashMap<>();
        all.putAll(TraceCommands.of(traces, container.sessions()::all));
        all.putAll(SpanCommands.of(kept));
        Map<String, ControlCommand> here = CallCommands.of(calls);
        all.putAll(cluster == null ? here : cluster.anywhere(here));
        return all;
    }

    /** What is counted here, by the names of the status. */
    Map<String, Long> counters() {
        Map<String, Long> all = new HashMap<>(traces.counters());
        HepSender sender = collector;
        all.put("trace.hep_sent", sender == null ? 0 : sender.sent());
        all.put("trace.hep_dropped", sender == null ? 0 : sender.dropped());
        all.putAll(spans == null ? CallTraces.noCounters() : spans.counters());
        all.putAll(records == null ? CallRecords.noCounters() : records.counters());
        return all;
    }

    @Override
    public void close() {
        tap(false);
        onlookers.remove(Onlookers.Who.RECORDS);
        onlookers.remove(Onlookers.Who.SPANS);
        if (spans != null) {
            spans.close();
        }
        if (records != null) {
            records.close();
        }
        if (collector != null) {
            collector.close();
        }
    }
}

package io.carillon.server;

import io.carillon.server.calls.CallCommands;
import io.carillon.server.calls.Calls;
import io.carillon.server.cluster.CallsOfAll;
import io.carillon.server.cluster.ClusterCalls;
import io.carillon.server.config.TraceSettings;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.hep.HepSender;
import io.carillon.server.start.StartException;
import io.carillon.server.trace.TraceCommands;
import io.carillon.server.trace.Traces;
import io.carillon.servlet.SipContainer;
import io.carillon.sip.shard.Shard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Seeing calls: composes traces, the collector and the commands about calls. Any thread. */
final class Tracing implements AutoCloseable {
    private static final int NANOS_PER_MICRO = 1000;

    private final List<Shard> shards;
    private final SipContainer container;
    private final Traces traces;
    private final Calls calls;
    private final @Nullable HepSender collector;
    private final @Nullable CallsOfAll cluster;

    private Tracing(
            TraceSettings settings,
            List<Shard> shards,
            SipContainer container,
            @Nullable HepSender collector,
            String node,
            @Nullable CallsOfAll cluster) {
        this.shards = shards;
        this.container = container;
        this.collector = collector;
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
     * Ready to trace; a collector that is to have all calls gets them from now on.
     *
     * @param cluster null for a server that is alone
     * @throws StartException when there is no socket for the collector
     */
    static Tracing of(
            TraceSettings settings,
            List<Shard> shards,
            SipContainer container,
            @Nullable ClusterCalls cluster)
            throws StartException {
        String node = settings.node() == null ? hostName() : settings.node();
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
                        node,
                        cluster == null ? null : cluster.ofAll());
        if (collector != null && settings.hepCalls() == TraceSettings.HepCalls.ALL) {
            tracing.traces.collectAll();
        }
        return tracing;
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
        for (Shard shard : shards) {
            shard.tap(on ? traces.tracer() : null);
        }
        container.tap(on ? traces.tracer() : null);
    }

    /** By the names that the command line sends. */
    Map<String, ControlCommand> commands() {
        Map<String, ControlCommand> all = new HashMap<>();
        all.putAll(TraceCommands.of(traces, container.sessions()::all));
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
        return all;
    }

    @Override
    public void close() {
        tap(false);
        if (collector != null) {
            collector.close();
        }
    }
}

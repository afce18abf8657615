package io.carillon.server.trace;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.TraceSettings;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A container under virtual time with traces, as the server composes them. */
public final class TracedServer {
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;

    public final SipTestServer sip;
    public final Traces traces;
    boolean tapped;

    private TracedServer(
            SipTestServer sip, TraceSettings settings, @Nullable TraceCollector collector) {
        this.sip = sip;
        this.traces =
                new Traces(
                        settings,
                        "node1",
                        1,
                        sip.time()::nanoTime,
                        () -> EPOCH_MICROS + sip.time().nanoTime() / 1000,
                        this::tap,
                        collector);
    }

    public static TracedServer open(String yaml, @Nullable TraceCollector collector) {
        try {
            Configuration configuration =
                    ConfigurationReader.read("test", "trace: {" + yaml + "}", null);
            return new TracedServer(SipTestServer.open(7, false), configuration.trace(), collector);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }

    public static TracedServer open() {
        return open("", null);
    }

    private void tap(boolean on) {
        tapped = on;
        for (SimulatedNode node : sip.network().nodes()) {
            if (node.name().equals("server")) {
                for (Shard shard : node.shards()) {
                    shard.tap(on ? traces.tracer() : null);
                }
            }
        }
        sip.container().tap(on ? traces.tracer() : null);
    }

    /** Switches a trace on by one of the five choices. */
    public void on(TraceRequest request) {
        traces.on(request, "tester", sip.container().sessions().all());
    }

    static TraceRequest all() {
        return new TraceRequest(null, null, null, null, true, null, null);
    }

    static TraceRequest user(String user) {
        return new TraceRequest(null, user, null, null, false, null, null);
    }

    static TraceRequest peer(String peer) {
        return new TraceRequest(null, null, peer, null, false, null, null);
    }

    static TraceRequest callId(String id) {
        return new TraceRequest(id, null, null, null, false, null, null);
    }

    /** The calls that were recorded, the latest first. */
    List<io.carillon.server.ladder.TracedCalls.Call> recorded() {
        return traces.list(1000).calls();
    }
}

package io.carillon.telemetry.otlp;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.token.RandomSource;
import io.carillon.telemetry.Onlookers;
import io.carillon.telemetry.spans.CallTraces;
import io.carillon.telemetry.spans.SpanConfig;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SimulatedNode;
import io.carillon.testkit.UserAgent;
import io.carillon.testkit.VirtualTime;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import javax.servlet.sip.SipServlet;

/** A container under virtual time whose calls have traces, with a peer that has a name. */
final class TracedServer {
    static final String HOST = "10.0.0.1";

    /** The address of the peer that the configuration knows. */
    static final String TRUNK = "10.0.2.1";

    private static final int PORT = 5060;
    private static final long EPOCH_NANOS = 1_700_000_000_000_000_000L;
    private static final Duration TURN = Duration.ofMillis(500);

    final VirtualTime time = new VirtualTime();
    final SimulatedNetwork network = new SimulatedNetwork(time, 7);
    final SipContainer container;
    final CallTraces traces;
    final InMemorySpanExporter exporter = InMemorySpanExporter.create();

    /** Of each request to the collector, the spans in it. */
    final List<Integer> requests = new ArrayList<>();

    private int phones;

    TracedServer(SpanConfig config) {
        Random random = new Random(7);
        Function<Hop, String> names = hop -> hop.remoteHost().equals(TRUNK) ? "trunk" : "";
        traces =
                new CallTraces(
                        config,
                        new CallTraces.Place(
                                time::nanoTime,
                                () -> EPOCH_NANOS + time.nanoTime(),
                                random::nextLong,
                                hop -> !names.apply(hop).isEmpty()),
                        new OtlpSink(new Counting(), "memory", Resource.empty(), names));
        container =
                new SipContainer(
                        ContainerConfig.defaults()
                                .withMillis(() -> (EPOCH_NANOS + time.nanoTime()) / 1_000_000)
                                .withRandom(RandomSource.seeded(7))
                                .withListeningPoints(List.of("sip:" + HOST + ":" + PORT)),
                        task -> time.after(network.random().nextLong(1_000_000), task),
                        SessionStores.inMemory());
        EdgeConfig edge =
                new EdgeConfig(
                        PeerTable.builder().build(),
                        List.of(new byte[32]),
                        new InternalHosts(List.of(), List.of()),
                        Compliance.DEFAULT);
        SimulatedNode node =
                SimulatedNode.start(
                        network,
                        "server",
                        HOST,
                        PORT,
                        1,
                        StackConfig.builder().edge(traces.edge(edge)).build(),
                        container);
        container.start(node.shards());
        new Onlookers(node.shards(), container)
                .add(Onlookers.Who.SPANS, traces.tap(), traces.turnTap());
    }

    private final class Counting implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            requests.add(spans.size());
            return exporter.export(spans);
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    void deploy(String name, SipServlet servlet) throws DeploymentException {
        container.replace(
                ApplicationDescription.builder(name).servlet(name, () -> servlet).build(), null);
    }

    UserAgent phone(String name) {
        return UserAgent.start(network, name, "10.0.1." + ++phones, PORT);
    }

    ScriptedPeer peer(String name, String host) {
        return ScriptedPeer.bind(network, name, host, PORT);
    }

    /** So much later, with all turns of the traces. */
    void advance(Duration span) {
        for (Duration left = span; left.isPositive(); left = left.minus(TURN)) {
            time.runFor(TURN);
            traces.turn();
        }
    }

    /** What was kept by now, once what has ended has lingered, and has left with others. */
    List<SpanData> kept() {
        advance(Duration.ofSeconds(7));
        return exporter.getFinishedSpanItems();
    }

    /** Name of the span, names of those that it lies in. */
    static String path(SpanData span, List<SpanData> all) {
        for (SpanData other : all) {
            if (other.getSpanId().equals(span.getParentSpanId())) {
                return path(other, all) + " > " + span.getName();
            }
        }
        return span.getName();
    }
}

package io.carillon.server;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.SpanSettings;
import io.carillon.server.spans.KeptTraces;
import io.carillon.server.start.StartException;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.outbox.Edge;
import io.carillon.telemetry.otlp.OtlpSink;
import io.carillon.telemetry.spans.CallTraces;
import io.carillon.telemetry.spans.SpanConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Traces of calls for a collector, where there is one.
 *
 * @param traces null where there is none
 * @param kept the last of them; null where there is none
 * @param peers names of peers, by their addresses as they are now; empty for a stranger
 */
record SpanSide(
        @Nullable CallTraces traces, @Nullable KeptTraces kept, Function<Hop, String> peers) {
    private static final long NANOS = 1_000_000_000L;

    /**
     * Reads what the collector wants.
     *
     * @param peering null where there are no peers
     * @throws StartException with a sentence for the user
     */
    static SpanSide of(Configuration configuration, @Nullable Peering peering)
            throws StartException {
        Function<Hop, String> peers = peering == null ? hop -> "" : names(peering.edge());
        SpanSettings settings = configuration.telemetry().traces();
        String endpoint = settings.otlp();
        if (endpoint == null) {
            return new SpanSide(null, null, peers);
        }
        OtlpSink.Target target =
                new OtlpSink.Target(
                        endpoint,
                        headers(settings.headersFile()),
                        settings.service(),
                        Tracing.node(configuration),
                        Version.current());
        try {
            KeptTraces kept = new KeptTraces(OtlpSink.open(target, peers));
            CallTraces traces =
                    new CallTraces(
                            new SpanConfig(
                                    settings.sample().perTenThousand(),
                                    settings.keepFailed(),
                                    settings.maxSpans()),
                            new CallTraces.Place(
                                    System::nanoTime,
                                    SpanSide::epochNanos,
                                    () -> ThreadLocalRandom.current().nextLong(),
                                    hop -> !peers.apply(hop).isEmpty()),
                            kept);
            return new SpanSide(traces, kept, peers);
        } catch (IllegalArgumentException e) {
            throw new StartException("telemetry.traces.otlp: " + e.getMessage(), e);
        } catch (NoClassDefFoundError e) {
            throw new StartException(
                    "telemetry.traces.otlp: the libraries of OpenTelemetry are not there: "
                            + e.getMessage(),
                    e);
        }
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    private static Map<String, String> headers(@Nullable Path file) throws StartException {
        Map<String, String> all = new LinkedHashMap<>();
        if (file == null) {
            return all;
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new StartException(
                    "telemetry.traces.headers-file: " + file + " cannot be read: " + e, e);
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            int colon = line.indexOf(':');
            if (line.isEmpty()) {
                continue;
            }
            if (colon < 1) {
                throw new StartException(
                        "telemetry.traces.headers-file: "
                                + file
                                + " line "
                                + (i + 1)
                                + " is no header, as in Authorization: Bearer KEY");
            }
            all.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return all;
    }

    private static Function<Hop, String> names(EdgeConfig known) {
        return hop -> {
            InetAddress address = hop.remote().getAddress();
            Peer peer = address == null ? null : known.peers().of(address);
            return peer == null ? "" : peer.name();
        };
    }

    /** The edges of shards: where there are traces, peers are told of theirs. */
    Edge.Source edge(EdgeConfig peers) {
        return traces == null ? peers : traces.edge(peers);
    }
}

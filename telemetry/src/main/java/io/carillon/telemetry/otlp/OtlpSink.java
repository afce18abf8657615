package io.carillon.telemetry.otlp;

import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.hop.Hop;
import io.carillon.telemetry.spans.CallSpan;
import io.carillon.telemetry.spans.FinishedCall;
import io.carillon.telemetry.spans.SpanSink;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends traces to a collector by OTLP over HTTP. What it does not take in time is lost, counted and
 * told. Owner: the thread of traces; what follows a request is the library's.
 */
public final class OtlpSink implements SpanSink {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpSink.class);

    /** The library tells every failure; so do we, in a sentence. Kept, as loggers are weak. */
    private static final java.util.logging.Logger LIBRARY =
            java.util.logging.Logger.getLogger("io.opentelemetry");

    private static final LimitedLog WARNINGS = new LimitedLog(TimeUnit.MINUTES.toNanos(1));
    private static final int BATCH = 512;

    /**
     * A request costs as much as the spans of many calls, so those of 5 s, in turns of 500 ms,
     * leave together.
     */
    private static final int TURNS_TOGETHER = 10;

    /** Spans on their way to a collector that is slow. */
    private static final int MOST_UNDER_WAY = 16_384;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long CLOSE_SECONDS = 5;

    private final SpanExporter exporter;
    private final String place;
    private final Resource resource;
    private final Function<Hop, String> peers;
    private final AtomicLong underWay = new AtomicLong();

    /** Of the thread of traces; not much more than a batch. */
    private List<SpanData> waiting = new ArrayList<>();

    private int turnsWaited;

    /** Bounded by what may be under way. */
    private final Set<CompletableResultCode> results = ConcurrentHashMap.newKeySet();

    private final LongAdder sent = new LongAdder();
    private final LongAdder unsent = new LongAdder();

    /**
     * Where traces go, and whose they are.
     *
     * @param endpoint URL of the collector, with its path
     * @param headers that it wants, as for authorization
     * @param service name of the server among others
     * @param node name of this server
     * @param version of it
     */
    public record Target(
            String endpoint,
            Map<String, String> headers,
            String service,
            String node,
            String version) {}

    OtlpSink(SpanExporter exporter, String place, Resource resource, Function<Hop, String> peers) {
        this.exporter = exporter;
        this.place = place;
        this.resource = resource;
        this.peers = peers;
    }

    /**
     * Ready to send; nobody is asked whether there is a collector.
     *
     * @param peers names of peers; empty for a stranger
     * @throws IllegalArgumentException when the endpoint is no URL
     */
    public static OtlpSink open(Target target, Function<Hop, String> peers) {
        LIBRARY.setLevel(Level.OFF);
        OtlpHttpSpanExporterBuilder builder =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(target.endpoint())
                        .setCompression("gzip")
                        .setTimeout(TIMEOUT);
        target.headers().forEach(builder::addHeader);
        return new OtlpSink(builder.build(), target.endpoint(), resource(target), peers);
    }

    static Resource resource(Target target) {
        return Resource.create(
                Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        target.service(),
                        AttributeKey.stringKey("service.instance.id"),
                        target.node(),
                        AttributeKey.stringKey("service.version"),
                        target.version()));
    }

    @Override
    public void take(List<FinishedCall> calls) {
        for (FinishedCall call : calls) {
            for (CallSpan span : call.spans()) {
                waiting.add(
                        new CallSpanData(
                                call, span, resource, SpanAttributes.of(call, span, peers)));
            }
            if (waiting.size() >= BATCH) {
                sendWaiting();
            }
        }
        if (!waiting.isEmpty() && ++turnsWaited >= TURNS_TOGETHER) {
            sendWaiting();
        }
    }

    private void sendWaiting() {
        List<SpanData> batch = waiting;
        waiting = new ArrayList<>();
        turnsWaited = 0;
        send(batch);
    }

    private void send(List<SpanData> batch) {
        int size = batch.size();
        if (underWay.addAndGet(size) > MOST_UNDER_WAY) {
            underWay.addAndGet(-size);
            lost(size, "it is too slow");
            return;
        }
        CompletableResultCode result = exporter.export(batch);
        results.add(result);
        result.whenComplete(() -> {
            results.remove(result);
            underWay.addAndGet(-size);
            if (result.isSuccess()) {
                sent.add(size);
            } else {
                Throwable why = result.getFailureThrowable();
                lost(size, why == null ? "it did not take them" : said(why));
            }
        });
    }

    /** What went wrong, without those who only passed it on. */
    static String said(Throwable why) {
        Throwable told = why;
        Throwable cause = why.getCause();
        while (cause != null && passesOn(told)) {
            told = cause;
            cause = told.getCause();
        }
        return told.toString();
    }

    private static boolean passesOn(Throwable why) {
        return why instanceof CompletionException
                || why instanceof ExecutionException
                || why instanceof UncheckedIOException
                || why.getClass().getName().startsWith("io.opentelemetry.");
    }

    private void lost(int spans, String why) {
        unsent.add(spans);
        long others = WARNINGS.admit(System.nanoTime());
        if (others >= 0) {
            LOG.warn(
                    "{} spans of traces did not reach the collector {}: {} ({} more batches since"
                            + " the last of these lines)",
                    spans,
                    place,
                    why,
                    others);
        }
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of("telemetry.spans_sent", sent.sum(), "telemetry.spans_unsent", unsent.sum());
    }

    @Override
    public void close() {
        if (!waiting.isEmpty()) {
            sendWaiting();
        }
        // The exporter gives up what is under way, and knows no end of it.
        CompletableResultCode.ofAll(List.copyOf(results)).join(CLOSE_SECONDS, TimeUnit.SECONDS);
        exporter.flush().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        exporter.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}

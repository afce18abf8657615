package io.carillon.telemetry.otlp;

import io.carillon.telemetry.spans.CallEvent;
import io.carillon.telemetry.spans.CallSpan;
import io.carillon.telemetry.spans.FinishedCall;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;

/** A span of ours as the library's exporters take it. Immutable. */
final class CallSpanData implements SpanData {
    private static final InstrumentationScopeInfo SCOPE =
            InstrumentationScopeInfo.create("io.carillon.telemetry");

    private final FinishedCall call;
    private final CallSpan span;
    private final Resource resource;
    private final SpanContext self;
    private final Attributes attributes;
    private final List<EventData> events;

    CallSpanData(FinishedCall call, CallSpan span, Resource resource, Attributes attributes) {
        this.call = call;
        this.span = span;
        this.resource = resource;
        this.attributes = attributes;
        this.self = context(call, span.id());
        this.events = events(call, span.id());
    }

    private static SpanContext context(FinishedCall call, long id) {
        return id == 0
                ? SpanContext.getInvalid()
                : SpanContext.create(
                        TraceId.fromLongs(call.high(), call.low()),
                        SpanId.fromLong(id),
                        TraceFlags.getSampled(),
                        TraceState.getDefault());
    }

    private static List<EventData> events(FinishedCall call, long id) {
        List<EventData> all = new ArrayList<>();
        for (CallEvent event : call.events()) {
            if (event.span() == id) {
                all.add(
                        EventData.create(
                                event.atNanos() + call.clockNanos(),
                                event.text(),
                                Attributes.empty()));
            }
        }
        return List.copyOf(all);
    }

    @Override
    public String getName() {
        return SpanAttributes.name(span);
    }

    @Override
    public SpanKind getKind() {
        return switch (span.kind()) {
            case SERVER, PAGE -> SpanKind.SERVER;
            case CLIENT, DATABASE, DNS -> SpanKind.CLIENT;
            case CALL, HANDLER -> SpanKind.INTERNAL;
        };
    }

    @Override
    public SpanContext getSpanContext() {
        return self;
    }

    @Override
    public SpanContext getParentSpanContext() {
        return context(call, span.parent());
    }

    @Override
    public StatusData getStatus() {
        String error = span.error();
        return error == null ? StatusData.unset() : StatusData.create(StatusCode.ERROR, error);
    }

    @Override
    public long getStartEpochNanos() {
        return span.beganNanos() + call.clockNanos();
    }

    @Override
    public long getEndEpochNanos() {
        return Math.max(span.beganNanos(), span.endedNanos()) + call.clockNanos();
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    public List<EventData> getEvents() {
        return events;
    }

    @Override
    public int getTotalRecordedEvents() {
        return events.size();
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // the interface wants it
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(SCOPE.getName(), null);
    }

    @Override
    public Resource getResource() {
        return resource;
    }
}

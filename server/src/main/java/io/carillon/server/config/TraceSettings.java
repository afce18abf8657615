package io.carillon.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traces of calls.
 *
 * @param buffer bytes kept of traced calls
 * @param maxCalls traced calls that are remembered
 * @param standardFor until a trace ends by itself
 * @param longestFor cap of that
 * @param standardCalls calls of one trace
 * @param maskHeaders further headers whose values are hidden
 * @param node name of this server
 * @param hep the collector
 * @param hepCalls which calls it gets
 * @param hepCaptureId number of this server there
 * @param hepKey password there
 * @param hepQueue messages that may wait
 */
public record TraceSettings(
        @Setting(
                        value =
                                "Room for what traces record; the oldest goes first. Taken only while a trace is on or"
                                        + " was.",
                        standard = "32 MiB",
                        min = "1 MiB",
                        max = "4 GiB",
                        metrics = "trace.buffer_bytes_forgotten")
                ByteSize buffer,
        @Setting(
                        value =
                                "Call-IDs of traced calls that are remembered; the oldest goes first.",
                        standard = "20000",
                        min = "100",
                        max = "1000000",
                        metrics = "trace.calls_forgotten")
                int maxCalls,
        @Setting(
                        value = "When a trace ends by itself, where its command says nothing else.",
                        reload = true,
                        standard = "10 min",
                        min = "1 s",
                        max = "240 h")
                Duration standardFor,
        @Setting(
                        value = "The longest that a command may ask for.",
                        reload = true,
                        standard = "24 h",
                        min = "1 s",
                        max = "240 h")
                Duration longestFor,
        @Setting(
                        value =
                                "How many calls a trace takes up before it takes no more, where its command says"
                                        + " nothing else.",
                        reload = true,
                        standard = "1000",
                        min = "1",
                        max = "10000000")
                int standardCalls,
        @Setting(
                        value =
                                "Headers whose values a trace hides, besides those that carry credentials.",
                        reload = true)
                List<String> maskHeaders,
        @Setting(
                        value = "This server's name in traces and lists of calls.",
                        standardText = "the host's name")
                @Nullable String node,
        @Setting(
                        value =
                                "Collector that gets the messages of calls as HEP3 (Homer), as in udp:192.0.2.5:9060.",
                        common = true)
                @Nullable CollectorAddress hep,
        @Setting(
                        value = "Which calls the collector gets: those that are traced, or all.",
                        standard = "all")
                HepCalls hepCalls,
        @Setting(
                        value = "This server's capture id at the collector.",
                        standard = "2001",
                        min = "0",
                        max = "2147483647")
                int hepCaptureId,
        @Setting("The key that the collector asks for.") @Nullable Secret hepKey,
        @Setting(
                        value =
                                "Messages that may wait for the collector, of 2 KiB on average; what finds no"
                                        + " room is dropped and counted.",
                        standard = "10000",
                        min = "16",
                        max = "1000000",
                        metrics = "trace.hep_dropped")
                int hepQueue) {

    /** Which calls a collector gets. */
    public enum HepCalls {
        /** Those of traces that are on. */
        TRACED,
        /** Every call. */
        ALL
    }
}

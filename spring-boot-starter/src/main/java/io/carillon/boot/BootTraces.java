package io.carillon.boot;

import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Hop;
import io.carillon.telemetry.otlp.OtlpSink;
import io.carillon.telemetry.spans.CallTraces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the traces of calls that an application wants. Stateless. */
final class BootTraces {
    private static final long NANOS = 1_000_000_000L;

    private BootTraces() {}

    /**
     * @param endpoint of the collector
     * @param service name of the application
     */
    static CallTraces open(TelemetryProperties.Traces traces, String endpoint, String service) {
        AddressRanges peers = AddressRanges.of(traces.peers());
        OtlpSink.Target target =
                new OtlpSink.Target(
                        endpoint,
                        traces.headers(),
                        service,
                        host(),
                        String.valueOf(BootTraces.class.getPackage().getImplementationVersion()));
        try {
            return new CallTraces(
                    traces.config(),
                    new CallTraces.Place(
                            System::nanoTime,
                            BootTraces::epochNanos,
                            () -> ThreadLocalRandom.current().nextLong(),
                            hop -> named(peers, hop)),
                    OtlpSink.open(target, hop -> ""));
        } catch (IllegalArgumentException e) {
            throw new SipStartException("carillon.telemetry.traces.otlp: " + e.getMessage(), e);
        }
    }

    private static boolean named(AddressRanges peers, Hop hop) {
        InetAddress address = hop.remote().getAddress();
        return address != null && peers.contains(address);
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "carillon"; // a machine without a name of its own
        }
    }
}

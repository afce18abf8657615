package io.carillon.lab.load;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Calls between our own two sides, in memory and then over the sockets, before the first call at
 * the server: a cold JVM would be slow for some seconds, and the load would count that as the
 * server's.
 */
final class SelfWarmUp {
    private static final int MOST_CALLS = 40_000;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Datagram(byte[] bytes, Hop from) {}

    private SelfWarmUp() {}

    /** The addresses of calls that go straight from the caller to the callee. */
    static LoadAddresses direct(LoadAddresses places) {
        // Where the sides differ, both use the callee's transport: it is the one that is listened
        // to.
        Transport transport = places.calleeTransport();
        InetSocketAddress caller =
                transport == places.transport() ? places.caller() : places.callee();
        return new LoadAddresses(transport, places.callee(), caller, places.callee());
    }

    /** Arrivals at a rate that rises to that of the load. */
    static Arrivals arrivals(RatePlan rate, long startNanos, long nanos) {
        double most = Math.clamp(rate.to(), 200, 3000);
        return new Arrivals(
                new RatePlan(most / 4, most, most / 4, Math.max(1, nanos / 4)),
                false,
                Long.MAX_VALUE,
                startNanos,
                nanos,
                1);
    }

    static CallPlan plan(LoadAddresses direct) {
        return CallPlan.calls(
                Workload.PROXY200,
                "sip:callee@" + LoadAddresses.print(direct.callee()) + direct.calleeUriParameter(),
                0,
                0,
                Long.MAX_VALUE,
                Long.MAX_VALUE);
    }

    /**
     * Runs calls in memory.
     *
     * @param nanos real time after which no further call is begun
     */
    static void inMemory(long nanos) {
        InetAddress host = InetAddress.getLoopbackAddress();
        LoadAddresses places =
                direct(
                        new LoadAddresses(
                                Transport.UDP,
                                new InetSocketAddress(host, 5060),
                                new InetSocketAddress(host, 5061),
                                new InetSocketAddress(host, 5062)));
        ArrayDeque<Datagram> way = new ArrayDeque<>();
        Arrivals arrivals =
                new Arrivals(RatePlan.constant(1000), false, MOST_CALLS, 0, Arrivals.NEVER - 1, 1);
        LoadEngine engine =
                new LoadEngine(
                        plan(places),
                        places,
                        arrivals,
                        0,
                        (to, bytes, length, headersEnd, sender) ->
                                way.add(
                                        new Datagram(
                                                Arrays.copyOf(bytes, length), turned(places, to))),
                        1);
        long end = System.nanoTime() + nanos;
        long virtual = 0;
        while (System.nanoTime() < end && !arrivals.ended()) {
            virtual += 1_000_000;
            engine.wake(virtual);
            for (Datagram d = way.poll(); d != null; d = way.poll()) {
                engine.receive(d.bytes(), d.bytes().length, d.from(), virtual);
            }
        }
    }

    private static Hop turned(LoadAddresses places, Hop to) {
        InetSocketAddress from =
                places.caller().equals(to.remote()) ? places.callee() : places.caller();
        return new Hop(Transport.UDP, to.remote(), from, 0);
    }
}

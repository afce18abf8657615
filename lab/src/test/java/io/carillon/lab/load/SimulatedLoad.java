package io.carillon.lab.load;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** An engine on a simulated network, driven by virtual time. Owner: the test's thread. */
final class SimulatedLoad {
    static final InetSocketAddress SERVER = SimulatedNetwork.address("10.0.9.1", 5060);
    static final InetSocketAddress CALLER = SimulatedNetwork.address("10.0.1.1", 15001);
    static final InetSocketAddress CALLEE = SimulatedNetwork.address("10.0.1.1", 15002);

    final VirtualTime time = new VirtualTime();
    final SimulatedNetwork network = new SimulatedNetwork(time, 7);
    final LoadAddresses places = new LoadAddresses(Transport.UDP, SERVER, CALLER, CALLEE);
    private LoadEngine engine;

    /** What a test changes of a load. */
    record Shape(
            RatePlan rate,
            long calls,
            Duration ring,
            Duration hold,
            Duration warmup,
            long maxHeld) {
        static Shape of(double rate, long calls) {
            return new Shape(
                    RatePlan.constant(rate),
                    calls,
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ZERO,
                    Long.MAX_VALUE);
        }

        Shape times(Duration ringing, Duration talking) {
            return new Shape(rate, calls, ringing, talking, warmup, maxHeld);
        }

        Shape held(long most) {
            return new Shape(rate, calls, ring, hold, warmup, most);
        }

        Shape warm(Duration span) {
            return new Shape(rate, calls, ring, hold, span, maxHeld);
        }
    }

    LoadEngine start(Shape shape) {
        return start(
                shape,
                CallPlan.calls(
                        Workload.PROXY200,
                        "sip:callee@" + LoadAddresses.print(CALLEE),
                        shape.ring().toNanos(),
                        shape.hold().toNanos(),
                        shape.maxHeld(),
                        LoadSettings.LATE_NANOS));
    }

    /** Calls by callers with habits. */
    LoadEngine start(Shape shape, CallerHabits habits) {
        return start(
                shape,
                CallPlan.calls(
                                Workload.PROXY200,
                                "sip:callee@" + LoadAddresses.print(CALLEE),
                                0,
                                0,
                                shape.maxHeld(),
                                LoadSettings.LATE_NANOS)
                        .with(habits));
    }

    LoadEngine register(Shape shape, List<RegisteredUser> users) {
        return start(
                shape,
                new CallPlan(
                        Workload.REGISTER,
                        "sip:10.0.9.1",
                        0,
                        0,
                        shape.maxHeld(),
                        LoadSettings.LATE_NANOS,
                        users,
                        3600,
                        CallerHabits.NONE));
    }

    LoadEngine voiceMail(Shape shape) {
        return start(
                shape,
                CallPlan.calls(
                        Workload.WEB_VOICE_MAIL,
                        "sip:nobody@10.0.9.1",
                        0,
                        shape.hold().toNanos(),
                        shape.maxHeld(),
                        LoadSettings.LATE_NANOS));
    }

    private LoadEngine start(Shape shape, CallPlan plan) {
        Arrivals arrivals =
                new Arrivals(
                        shape.rate(),
                        false,
                        shape.calls(),
                        time.nanoTime(),
                        Duration.ofHours(1).toNanos(),
                        1);
        LoadEngine made =
                new LoadEngine(
                        plan,
                        places,
                        arrivals,
                        shape.warmup().toNanos(),
                        (to, bytes, length, headersEnd, sender) -> send(to, bytes, length),
                        42);
        engine = made;
        network.bind(CALLER, (bytes, transport, from, to) -> arrived(made, bytes, from, to));
        network.bind(CALLEE, (bytes, transport, from, to) -> arrived(made, bytes, from, to));
        time.drive(
                new VirtualTime.Clocked() {
                    @Override
                    public long nextDeadlineNanos() {
                        return made.nextWakeNanos();
                    }

                    @Override
                    public void advance(long nowNanos) {
                        made.wake(nowNanos);
                    }
                });
        return made;
    }

    private void send(Hop to, byte[] bytes, int length) {
        network.send(Transport.UDP, to.local(), to.remote(), Arrays.copyOf(bytes, length));
    }

    private void arrived(
            LoadEngine made, byte[] bytes, InetSocketAddress from, InetSocketAddress to) {
        made.receive(bytes, bytes.length, new Hop(Transport.UDP, to, from, 0), time.nanoTime());
    }

    /** Runs until every leg is given back; fails the run when it takes longer than an hour. */
    LoadCounts finish() {
        if (!time.runUntil(() -> engine.ended() && engine.legs() == 0, Duration.ofHours(1))) {
            throw new AssertionError(engine.legs() + " legs are still in use");
        }
        return engine.stats().all();
    }
}

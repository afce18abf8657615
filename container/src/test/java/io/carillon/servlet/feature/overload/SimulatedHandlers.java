package io.carillon.servlet.feature.overload;

import io.carillon.sip.overload.QueueingDelay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * New calls of one application in virtual time: they come at random, each has a thread at once or
 * when one is free, then waits for a connection of a pool, which it holds for a time.
 */
final class SimulatedHandlers {
    static final long MILLI = 1_000_000L;
    private static final long RESCUED_AFTER = 20 * MILLI;
    private static final long HEAD_START = 2 * MILLI;
    private static final long LOUD = 1;
    private static final long POLITE = 2;

    /** How long a handler holds its connection, in milliseconds. */
    interface Service {
        double millis(RandomGenerator random);
    }

    private record Call(long at, double doneAt, boolean carried, double uses) {}

    private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    private final HandlerLoad load;
    private final QueueingDelay delay = new QueueingDelay();

    private final ArrayDeque<Long> waiting = new ArrayDeque<>();
    private final PriorityQueue<Call> held =
            new PriorityQueue<>((a, b) -> Double.compare(a.doneAt, b.doneAt));
    private double next;
    private boolean waitsToBegin;

    /** Does one processor do the work of all that have begun, each a part of it? */
    private boolean sharesProcessor;

    private boolean carrierTaken;
    private boolean rescuing;
    private long probed;
    private double meanUsed = 5 * MILLI;
    private final AtomicLong threads;

    /** What each of those that have begun has been given, in nanoseconds. */
    private double given;

    int pool = Integer.MAX_VALUE;
    Service service = r -> 200;
    long now = 77 * MILLI;
    long came;
    long refused;
    long done;

    /** Every so manieth call is of a polite source; 0: none. */
    int politeEach;

    long polite;
    long politeRefused;

    /** Every so manieth call is an emergency call; 0: none. */
    int emergencyEach;

    long emergencies;
    long emergenciesRefused;
    List<Double> millis = new ArrayList<>();

    /**
     * @param threads where it tells how long work waits for a virtual thread
     */
    SimulatedHandlers(HandlerLoad load, AtomicLong threads) {
        this.load = load;
        this.threads = threads;
        this.next = now;
    }

    /** The pool is one of threads: a call has not begun before it has its place. */
    SimulatedHandlers ofThreads() {
        waitsToBegin = true;
        return this;
    }

    /**
     * Handlers compute on one processor, with one thread that carries the virtual ones. Who finds
     * it taken for too long begins on a thread of its own, and shares the processor. How many do,
     * and what they use, tells how much longer the next one takes.
     */
    SimulatedHandlers onOneProcessor() {
        sharesProcessor = true;
        waitsToBegin = true;
        return this;
    }

    QueueingDelay delay() {
        return delay;
    }

    /** Begins to count anew. */
    void forget() {
        came = 0;
        refused = 0;
        done = 0;
        polite = 0;
        politeRefused = 0;
        emergencies = 0;
        emergenciesRefused = 0;
        millis = new ArrayList<>();
    }

    double longest() {
        return millis.stream().mapToDouble(m -> m).max().orElse(0);
    }

    /** So many calls come in a second, for so many seconds. */
    void run(double perSecond, double seconds) {
        long end = now + (long) (seconds * 1000 * MILLI);
        next = Math.max(next, now);
        while (now < end) {
            now += MILLI / 4;
            given += MILLI / 4.0 / (sharesProcessor ? Math.max(1, held.size()) : 1);
            ends();
            while (perSecond > 0 && next <= now) {
                next += -Math.log(1 - random.nextDouble()) * 1000 * MILLI / perSecond;
                comes();
            }
        }
    }

    private void comes() {
        came++;
        boolean first = emergencyEach > 0 && came % emergencyEach == 0;
        emergencies += first ? 1 : 0;
        boolean fromPolite = politeEach > 0 && came % politeEach == 0;
        polite += fromPolite ? 1 : 0;
        if (!load.hasRoomForAll(now)
                && !load.hasRoom(fromPolite ? POLITE : LOUD, 1, now)
                && !(first && load.hasRoomForEmergency(true, 0, now))) {
            load.refuses();
            emergenciesRefused += first ? 1 : 0;
            politeRefused += fromPolite ? 1 : 0;
            refused++;
            return;
        }
        load.handed(delay, now);
        if (!waitsToBegin) {
            load.begins(delay, now, now);
        }
        waiting.add(now);
        serve();
    }

    private void serve() {
        while (!waiting.isEmpty() && begins(waiting.element())) {
            long at = waiting.remove();
            boolean carried = !carrierTaken;
            carrierTaken |= sharesProcessor;
            if (waitsToBegin) {
                load.begins(delay, at, now);
            }
            double uses = service.millis(random) * MILLI;
            held.add(new Call(at, given + uses, carried, uses));
        }
    }

    private boolean begins(long at) {
        if (!sharesProcessor) {
            return held.size() < pool;
        }
        if (!carrierTaken) {
            return true;
        }
        if (now - at < (rescuing ? HEAD_START : RESCUED_AFTER)) {
            return false;
        }
        if (!rescuing) {
            rescuing = true;
            probed = now;
        }
        return true;
    }

    private void carrierIsFree() {
        carrierTaken = false;
        rescuing &= now - probed >= RESCUED_AFTER;
        probed = now;
    }

    private void ends() {
        serve();
        int rescued = held.size() - (carrierTaken ? 1 : 0);
        threads.set(rescuing ? (long) ((rescued + 1) * meanUsed) : 0);
        while (!held.isEmpty() && held.peek().doneAt <= given) {
            Call call = held.remove();
            if (sharesProcessor && call.carried) {
                carrierIsFree();
            } else if (sharesProcessor) {
                meanUsed += (Math.min(50 * MILLI, call.uses) - meanUsed) / 8;
            }
            done++;
            millis.add((now - call.at) / (double) MILLI);
            load.ended(call.at, now);
            serve();
        }
    }
}

package io.carillon.servlet.feature.overload;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.Slot;
import io.carillon.sip.overload.EmergencyRate;
import io.carillon.sip.overload.OverloadState;
import io.carillon.sip.overload.QueueingDelay;
import io.carillon.sip.overload.SourceRate;
import io.carillon.sip.overload.Waiting;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How one application keeps up with its new calls: how long they wait for a thread that runs their
 * handler, and how long they take until it has ended. While it is late its new calls are refused,
 * those of other applications are not.
 *
 * <p>Any thread. For a call it costs three counts, and a look every {@value #LOOK_MILLIS} ms of all
 * of them together.
 */
public final class HandlerLoad {
    static final long LOOK_MILLIS = 50;

    private static final Slot<HandlerLoad> SLOT = Slot.of(HandlerLoad.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    private static final long RECENT_NANOS = 4 * LOOK_NANOS;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = SECOND_NANOS;

    /** Of the room of all: so much more for who asks for little, and less for the others. */
    private static final int PART = 4;

    /**
     * Of what handlers may take: who waited longer than three eighths of it to begin came too late.
     * By default that is shortly before the 100 (Trying) is due, 200 ms after the INVITE (RFC 3261
     * 17.2.1).
     */
    private static final int LATE = 3;

    private static final int LATE_OF = 8;

    /** So many make a mean. */
    private static final int MANY = 10;

    /** Without a new call for so long, an application says nothing about how others are served. */
    private static final long USED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * What was seen of an application.
     *
     * @param application its name
     * @param shedding are its new calls refused
     * @param sinceNanos since when, by the clock of the shards
     * @param delayNanos how long it takes for a new call, what it waits to begin included
     * @param notBegunNanos how long new calls wait to begin
     * @param shedPerSecond new calls that were refused, of late
     */
    public record Seen(
            String application,
            boolean shedding,
            long sinceNanos,
            long delayNanos,
            long notBegunNanos,
            double shedPerSecond) {}

    private final String application;
    private final HandlerLoads all;
    private final HandlerCounts counts = new HandlerCounts();

    /** Of what began since the last look; the longest value for none. */
    private final AtomicLong shortestWait = new AtomicLong(Long.MAX_VALUE);

    private final Marks marks =
            new Marks(ThreadLocalRandom.current().nextLong()); // guarded by this
    private volatile long lastBegun;
    private volatile long lastHanded;
    private volatile boolean used;
    private volatile long nextLook;
    private volatile int most = LateLimit.NONE;
    private volatile Seen seen;

    /** What looks keep of what they saw. */
    private static final class Marks {
        final HandlerAge age = new HandlerAge();
        final LateLimit limit = new LateLimit();
        final EmergencyRate emergencies;
        // Since it was late for the first time: it is large.
        @Nullable SourceRate sources;
        double donePerSecond;
        // The last but one mark, and the last one.
        final long[] nanos = new long[2];
        final long[] ended = new long[2];
        final long[] refused = new long[2];
        long took;
        long learned;
        long learnedNanos;

        Marks(long seed) {
            emergencies = new EmergencyRate(seed, 0);
        }
    }

    HandlerLoad(String application, HandlerLoads all) {
        this.application = application;
        this.all = all;
        this.seen = new Seen(application, false, 0, 0, 0, 0);
    }

    /** Of an application; null before it is deployed. */
    public static @Nullable HandlerLoad of(Application application) {
        return application.parts().get(SLOT);
    }

    void keep(Application of) {
        of.parts().put(SLOT, this);
    }

    /** Is each new call let in now? */
    public boolean hasRoomForAll(long nowNanos) {
        lookIfDue(nowNanos);
        return most == LateLimit.NONE;
    }

    /**
     * Is there room for a new call of this source? While not all are let in, there is some more for
     * sources that ask for no more than their share, and less for the others: who calls loudly
     * takes nothing of what others need.
     *
     * @param source of {@link io.carillon.sip.guard.SourceKey}
     * @param weight how many sources it counts as
     */
    public synchronized boolean hasRoom(long source, int weight, long nowNanos) {
        int limit = most;
        SourceRate sources = marks.sources;
        if (limit == LateLimit.NONE || sources == null) {
            return true;
        }
        boolean fair = sources.fair(source, weight, nowNanos);
        int part = Math.max(1, limit / PART);
        boolean taken = counts.inHand() < (fair ? limit + part : limit - part);
        if (!marks.limit.drains()) { // then who is refused tells nothing of the shares
            sources.decided(fair, taken);
        }
        return taken;
    }

    /**
     * Is an emergency call let in where others are not? Up to half of what is done, and of one
     * source no more than leaves room for those of others.
     *
     * @param believed is it surely one?
     * @param source who sends it
     */
    public synchronized boolean hasRoomForEmergency(boolean believed, long source, long nowNanos) {
        return marks.emergencies.take(marks.donePerSecond, believed, source, nowNanos);
    }

    /** A new call is refused. */
    public void refuses() {
        counts.refused.incrementAndGet();
        all.refused().increment();
    }

    /**
     * Has no other application had new calls of late? Then what is refused here says how much the
     * server takes, and peers may be told to send less.
     */
    public boolean alone(long nowNanos) {
        return !all.others(this, nowNanos);
    }

    /** A new call runs on its shard at once: this one never waits for a thread. */
    public void runsAtOnce(long nowNanos) {
        if (!used || nowNanos - lastHanded > SECOND_NANOS) {
            uses(nowNanos);
        }
    }

    private void uses(long nowNanos) {
        lastHanded = nowNanos;
        if (!used) {
            begin(nowNanos);
        }
    }

    private synchronized void begin(long nowNanos) {
        if (!used) {
            nextLook = nowNanos + LOOK_NANOS;
            Arrays.fill(marks.nanos, nowNanos);
            used = true;
        }
    }

    /**
     * A new call is given to a thread, soon.
     *
     * @param delay of the shard that it belongs to
     */
    public void handed(QueueingDelay delay, long nowNanos) {
        uses(nowNanos);
        long before = counts.handed.getAndIncrement();
        if (before == counts.begun.get()) {
            lastBegun = nowNanos;
        } else if (nowNanos - lastBegun > all.delayNanos()) {
            tell(delay, nowNanos - lastBegun, nowNanos); // nothing has begun since
        }
        lookIfDue(nowNanos);
    }

    /**
     * Its handler begins.
     *
     * @param handedNanos when it was handed over
     */
    public void begins(QueueingDelay delay, long handedNanos, long nowNanos) {
        // One that has been given a thread of its own, as the processors are taken, shares them.
        long waited = Math.max(nowNanos - handedNanos, all.threadsNanos());
        counts.begun.getAndIncrement();
        lastBegun = nowNanos;
        if (waited < shortestWait.get()) {
            shortestWait.accumulateAndGet(waited, Math::min);
        }
        tell(delay, waited, nowNanos);
    }

    /**
     * Has a new call waited so long for its thread, while new work is limited, that nothing comes
     * of it? Its caller sends it again from 500 ms on (T1 of RFC 3261 17.1.1.1), and those behind
     * it wait for no reason. So what had come before the server knew that it is late is refused at
     * once, and does not hold up new calls for as long as it came.
     *
     * @param shard where its messages are worked on
     */
    public boolean cameTooLate(OverloadState shard, long handedNanos, long nowNanos) {
        return nowNanos - handedNanos > all.handlerNanos() / LATE_OF * LATE
                && all.shed()
                && (shard.limiting() || most != LateLimit.NONE);
    }

    /** It is refused in place of its handler. */
    public void givesUp(long nowNanos) {
        counts.givenUp.incrementAndGet();
        refuses();
        lookIfDue(nowNanos);
    }

    /** Its handler has ended. */
    public void ended(long handedNanos, long nowNanos) {
        counts.tookNanos.getAndAdd(nowNanos - handedNanos);
        counts.ended.getAndIncrement();
        lookIfDue(nowNanos);
    }

    /**
     * The shard's delay is what no application escapes: an application that is late alone is no
     * reason to refuse the calls of others.
     */
    private void tell(QueueingDelay delay, long waited, long nowNanos) {
        long escapes = waited > all.worthAsking() ? all.leastBeside(this, nowNanos) : waited;
        delay.waited(Waiting.HANDLER, Math.min(waited, escapes));
    }

    /** Has it had new calls of late? */
    boolean used(long nowNanos) {
        return used && nowNanos - lastHanded < USED_NANOS;
    }

    /** How long its new calls wait to begin now; takes no lock. */
    long notBegunNanos(long nowNanos) {
        long standing = standing(nowNanos);
        return nowNanos - nextLook < RECENT_NANOS
                ? Math.max(seen.notBegunNanos, standing)
                : standing;
    }

    /** For how long nothing has begun while something waits. */
    private long standing(long nowNanos) {
        return counts.handed.get() > counts.begun.get() ? Math.max(0, nowNanos - lastBegun) : 0;
    }

    /** As it is now. */
    Seen seen(long nowNanos) {
        lookIfDue(nowNanos);
        return seen;
    }

    private void lookIfDue(long nowNanos) {
        if (used && nowNanos - nextLook >= 0) {
            look(nowNanos);
        }
    }

    private synchronized void look(long nowNanos) {
        if (nowNanos - nextLook < 0) {
            return; // another thread did
        }
        nextLook = nowNanos + LOOK_NANOS;
        long endedNow = counts.ended.get();
        long handedNow = counts.handed.get();
        long goneNow = endedNow + counts.givenUp.get();
        long shortest = shortestWait.getAndSet(Long.MAX_VALUE);
        long standing = standing(nowNanos);
        long wait = shortest == Long.MAX_VALUE ? standing : Math.max(shortest, standing);
        marks.age.sample(handedNow, nowNanos);
        long age = marks.age.of(goneNow, nowNanos);
        learn(endedNow, nowNanos);
        double seconds = Math.max(LOOK_NANOS, nowNanos - marks.nanos[0]) / NANOS_PER_SECOND;
        boolean alone =
                wait > all.delayNanos()
                        && all.others(this, nowNanos)
                        && all.leastBeside(this, nowNanos) <= all.delayNanos() / 2;
        marks.donePerSecond = (endedNow - marks.ended[0]) / seconds;
        marks.limit.look(
                new LateLimit.Look(
                        age,
                        alone ? wait : 0,
                        handedNow - goneNow,
                        marks.donePerSecond,
                        counts.refused.get()),
                all.delayNanos(),
                all.handlerNanos(),
                nowNanos);
        limit(all.shed() ? marks.limit.most() : LateLimit.NONE, nowNanos);
        seen =
                new Seen(
                        application,
                        all.shed() && marks.limit.sheds(),
                        marks.limit.sinceNanos(),
                        Math.max(age, wait),
                        wait,
                        (counts.refused.get() - marks.refused[0]) / seconds);
        if (nowNanos - marks.nanos[1] >= SECOND_NANOS) {
            mark(endedNow, nowNanos);
        }
    }

    private void limit(int now, long nowNanos) {
        if (now != LateLimit.NONE) {
            SourceRate sources = marks.sources;
            if (sources == null) {
                sources = new SourceRate(ThreadLocalRandom.current().nextLong());
                marks.sources = sources;
            }
            if (most == LateLimit.NONE) {
                sources.begin(marks.donePerSecond, nowNanos);
            } else {
                sources.look(marks.donePerSecond);
            }
        }
        most = now;
    }

    /** What handlers took that ended in the last second, or longer where they are few. */
    private void learn(long endedNow, long nowNanos) {
        long count = endedNow - marks.learned;
        if (count >= MANY
                && (marks.learned == 0 || nowNanos - marks.learnedNanos >= SECOND_NANOS)) {
            marks.learnedNanos = nowNanos;
            long took = counts.tookNanos.get();
            marks.limit.took((double) (took - marks.took) / count);
            marks.took = took;
            marks.learned = endedNow;
        }
    }

    /** Rates are of the last second or two. */
    private void mark(long endedNow, long nowNanos) {
        next(marks.nanos, nowNanos);
        next(marks.ended, endedNow);
        next(marks.refused, counts.refused.get());
    }

    private static void next(long[] of, long value) {
        of[0] = of[1];
        of[1] = value;
    }
}

package io.carillon.server.guard;

import io.carillon.server.measure.ServerStatus.LateApplication;
import io.carillon.server.measure.ServerStatus.Overload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log when the server, or one of its applications, begins to refuse new work, and when
 * that is over. It is over when nothing was refused for {@value #QUIET_SECONDS} s, so that a load
 * at the edge does not fill the log.
 *
 * <p>Owner: the thread that looks. Bounded by the applications there are.
 */
public final class OverloadWatch {
    static final long QUIET_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(OverloadWatch.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
    private static final double NANOS_PER_SECOND = 1e9;

    /** In the place of an application's name: the server. */
    private static final String SERVER = "";

    /** One time of shedding. */
    private static final class Period {
        final long beganNanos;
        final long before;
        long lastNanos;

        Period(long beganNanos, long before) {
            this.beganNanos = beganNanos;
            this.before = before;
        }
    }

    private final Consumer<String> log;
    private final Map<String, Period> periods = new HashMap<>();

    /** Of a server that begins. */
    public OverloadWatch() {
        this(LOG::warn);
    }

    OverloadWatch(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Writes what is due.
     *
     * @param refused by the server since its start, as it shed
     * @param refusedLate the same of applications that were late, all together
     */
    public void look(Overload now, long refused, long refusedLate, long nowNanos) {
        Set<String> shedding = new HashSet<>();
        if (now.shedding()) {
            shedding.add(SERVER);
            sheds(SERVER, refused, nowNanos, now.delayMillis(), "queueing delay", now.because());
        }
        for (LateApplication one : now.late()) {
            shedding.add(one.application());
            sheds(
                    one.application(),
                    refusedLate,
                    nowNanos,
                    one.delayMillis(),
                    "time of handlers",
                    "its handlers are late");
        }
        for (Iterator<Map.Entry<String, Period>> all = periods.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<String, Period> one = all.next();
            Period period = one.getValue();
            if (!shedding.contains(one.getKey()) && nowNanos - period.lastNanos >= QUIET_NANOS) {
                all.remove();
                ended(one.getKey(), period, one.getKey().equals(SERVER) ? refused : refusedLate);
            }
        }
    }

    private void sheds(
            String who, long refused, long nowNanos, double millis, String what, String because) {
        Period period = periods.get(who);
        if (period == null) {
            period = new Period(nowNanos, refused);
            periods.put(who, period);
            log.accept(
                    String.format(
                            Locale.ROOT,
                            "Overload: new calls%s are shed, %s %.1f ms, because %s (%s,"
                                    + " docs/guides/overload.md)",
                            who.equals(SERVER) ? "" : " of " + who,
                            what,
                            millis,
                            because,
                            who.equals(SERVER) ? "overload.delay" : "overload.handler-delay"));
        }
        period.lastNanos = nowNanos;
    }

    private void ended(String who, Period period, long refused) {
        log.accept(
                String.format(
                        Locale.ROOT,
                        "Overload is over%s after %.0f s: %,d requests for new calls and the like"
                                + " were refused meanwhile",
                        who.equals(SERVER) ? "" : ", of " + who + ",",
                        (period.lastNanos - period.beganNanos) / NANOS_PER_SECOND,
                        refused - period.before));
    }
}

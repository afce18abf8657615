package io.carillon.server.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls and users of whom more is logged for a while: all that their application code and the
 * container log in their turns at a level or above. While there are none the log is as it was: the
 * filter that asks is not there.
 *
 * <p>Any thread; a lock for who adds and removes. At most {@value #MOST} at a time, each with its
 * end. One for the process, as the log is.
 */
public final class RaisedLevels {
    private static final Logger LOG = LoggerFactory.getLogger(RaisedLevels.class);

    /** Each is asked about each line that would not be written otherwise. */
    public static final int MOST = 16;

    /** The longest time. */
    public static final Duration LONGEST = Duration.ofHours(24);

    private static final RaisedLevels PROCESS = new RaisedLevels(System::nanoTime);

    private final LongSupplier clock;
    private final List<One> on = new ArrayList<>();
    private volatile One[] asked = new One[0];
    private @Nullable RaisedFilter filter;
    private int next = 1;

    RaisedLevels(LongSupplier clock) {
        this.clock = clock;
    }

    /** Those of this process. */
    public static RaisedLevels ofProcess() {
        return PROCESS;
    }

    private record One(int number, RaisedChoice choice, Level level, long endNanos, String who) {}

    /**
     * One that is on.
     *
     * @param number for {@link #end}
     * @param what of whom more is logged
     * @param level how much
     * @param secondsLeft until it ends by itself
     * @param who switched it on
     */
    public record Shown(int number, String what, String level, long secondsLeft, String who) {}

    /**
     * From now on all of one call is logged.
     *
     * @param id a Call-ID, or the id of an application session
     * @param level at which and above
     * @return null when there are too many
     */
    public @Nullable Shown call(String id, String level, Duration time, String who) {
        return add(new RaisedChoice.ByCall(id), level, time, who);
    }

    /**
     * From now on all of one user's calls is logged.
     *
     * @param user as {@code sip:alice@example.com}, {@code alice} or {@code +4930123}
     */
    public @Nullable Shown user(String user, String level, Duration time, String who) {
        return add(RaisedChoice.ByUser.of(user), level, time, who);
    }

    private synchronized @Nullable Shown add(
            RaisedChoice choice, String level, Duration time, String who) {
        long now = clock.getAsLong();
        endOld(now);
        if (on.size() >= MOST) {
            return null;
        }
        One one =
                new One(
                        next++,
                        choice,
                        Level.valueOf(level.toUpperCase(Locale.ROOT)),
                        now + time.toNanos(),
                        who);
        on.add(one);
        changed();
        return shown(one, now);
    }

    /** Ends one. False when it was over. */
    public synchronized boolean end(int number) {
        boolean was = on.removeIf(one -> one.number == number);
        if (was) {
            changed();
        }
        return was;
    }

    /** Ends all; how many there were. */
    public synchronized int endAll() {
        int were = on.size();
        on.clear();
        if (were > 0) {
            changed();
        }
        return were;
    }

    /** Those that are on. What is over ends now; somebody asks every second. */
    public synchronized List<Shown> on() {
        long now = clock.getAsLong();
        endOld(now);
        return on.stream().map(one -> shown(one, now)).toList();
    }

    private void endOld(long now) {
        List<One> over = on.stream().filter(one -> now - one.endNanos >= 0).toList();
        if (on.removeAll(over)) {
            changed();
            over.forEach(one ->
                    LOG.info(
                            "More is no longer logged of {} (number {}): its time is over",
                            one.choice.text(),
                            one.number));
        }
    }

    private static Shown shown(One one, long now) {
        long left = Math.max(0, one.endNanos - now);
        return new Shown(
                one.number,
                one.choice.text(),
                one.level.name().toLowerCase(Locale.ROOT),
                TimeUnit.NANOSECONDS.toSeconds(left + TimeUnit.SECONDS.toNanos(1) - 1),
                one.who);
    }

    /** Is a line of that level to be written for what the calling thread works for? */
    boolean wants(Level level) {
        for (One one : asked) {
            if (level.isMoreSpecificThan(one.level)
                    && clock.getAsLong() - one.endNanos < 0
                    && one.choice.now()) {
                return true;
            }
        }
        return false;
    }

    private void changed() {
        asked = on.toArray(new One[0]);
        if (!(LogManager.getContext(false) instanceof LoggerContext context)) {
            return;
        }
        RaisedFilter before = filter;
        if (on.isEmpty() && before != null) {
            context.getConfiguration().removeFilter(before);
            filter = null;
        } else if (!on.isEmpty() && before == null) {
            RaisedFilter made = new RaisedFilter(this);
            made.start();
            context.getConfiguration().addFilter(made);
            filter = made;
        }
        Level most = Level.OFF;
        for (One one : on) {
            most = one.level.isLessSpecificThan(most) ? one.level : most;
        }
        JulLines.raised(most);
    }
}

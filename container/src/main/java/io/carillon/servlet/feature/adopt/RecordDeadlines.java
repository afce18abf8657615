package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.SessionHost;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is due in records that nobody has asked for, on the wheels of their shards. A piece of work
 * of an event loop is about some of them, however many there are. Any thread.
 */
final class RecordDeadlines {
    /** Records that are put on a wheel, or taken off it, in one piece of work. */
    static final int AT_ONCE = 256;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SessionHost host;
    private final RecordIndex index;

    RecordDeadlines(SessionHost host, RecordIndex index) {
        this.host = host;
        this.index = index;
    }

    /** Those of that partition, {@link #AT_ONCE} at most. */
    void begin(int partition, List<KnownRecord> records) {
        Shard home = host.shards().ofPartition(partition);
        home.perform(() -> {
            long now = host.millis();
            for (KnownRecord record : records) {
                long left = Math.min(left(record, now), SilentCalls.afterMillis(record.id));
                if (index.find(record.id) == record && record.unasked()) {
                    home.timers().schedule(record, home.now() + nanos(left));
                }
            }
        });
    }

    /** It is read: it is due once more when nobody has said for long what became of it. */
    void hangs(KnownRecord record) {
        Shard home = host.shards().ofPartition(record.partition);
        home.perform(() -> {
            if (!record.isOver()) {
                home.timers().schedule(record, home.now() + nanos(KnownRecord.HANGS_MILLIS + 1));
            }
        });
    }

    /** Until something is due in it; one that nobody asks for is taken over all the same. */
    private static long left(KnownRecord record, long now) {
        return record.deadlineMillis > 0
                ? Math.max(0, record.deadlineMillis - now)
                : Long.MAX_VALUE;
    }

    /** No more than the clock of a wheel can count to. */
    private static long nanos(long millis) {
        return Math.min(millis, Long.MAX_VALUE / (4 * NANOS_PER_MILLI)) * NANOS_PER_MILLI;
    }

    /** Nothing of it is due here any more. */
    void end(KnownRecord record) {
        Shard home = host.shards().ofPartition(record.partition);
        home.perform(() -> home.timers().cancel(record));
    }

    /** As {@link #end(KnownRecord)}, of many. */
    void end(List<KnownRecord> records) {
        Map<Shard, List<KnownRecord>> byHome = new HashMap<>();
        for (KnownRecord record : records) {
            Shard home = host.shards().ofPartition(record.partition);
            byHome.computeIfAbsent(home, same -> new ArrayList<>()).add(record);
        }
        byHome.forEach((home, all) -> {
            for (int from = 0; from < all.size(); from += AT_ONCE) {
                List<KnownRecord> some = all.subList(from, Math.min(from + AT_ONCE, all.size()));
                home.perform(() -> some.forEach(record -> home.timers().cancel(record)));
            }
        });
    }

    /** Something else that is to be done after so long, where that partition has its shard. */
    void later(int partition, long nanos, Runnable task) {
        Shard home = host.shards().ofPartition(partition);
        home.perform(() ->
                home.timers()
                        .schedule(
                                new WheelTimer() {
                                    @Override
                                    protected void fire(long nowNanos) {
                                        task.run();
                                    }
                                },
                                home.now() + nanos));
    }
}

package io.carillon.net.guard;

import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.guard.SourceKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sources that failed too often, and those that are on the way there.
 *
 * <p>A datagram's source may be forged, so that somebody could have a customer banned. Hence two
 * accounts: failures that surely came from their source (on a connection, or with a nonce that was
 * sent there) end in a full ban; those in datagrams in a short one of datagrams alone, and not at
 * all for a source that has shown within the last hour that it gets our answers.
 *
 * <p>Any thread. {@link #any} and {@link #stops} take no lock; the rest takes one for some
 * nanoseconds.
 */
final class Bans {
    private static final Logger LOG = LoggerFactory.getLogger(Bans.class);

    private static final int SETS = 1024;

    /** Whoever calls proves it: 65,536 of them, in 1 MiB. */
    private static final int PROOF_SETS = 8192;

    private static final long PROOF_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What stands behind an entry of the table. */
    private record Detail(String reason, int failures, boolean datagramsOnly) {}

    private final GuardConfig.BanRule rule;
    private final long startNanos;
    private final SourceTable until;
    private final AtomicLongArray dropped;
    private final SourceTable proofs;
    private final LimitedLog log = new LimitedLog(LOG_PAUSE_NANOS);

    // Guarded by this.
    private final @Nullable Detail[] details;
    private final FailureCounts proven;
    private final FailureCounts unproven;

    private long made;

    private volatile boolean any;

    Bans(GuardConfig.BanRule rule, LongSupplier random, long startNanos) {
        this.rule = rule;
        this.startNanos = startNanos;
        until = new SourceTable(SETS, random.getAsLong());
        proofs = new SourceTable(PROOF_SETS, random.getAsLong());
        dropped = new AtomicLongArray(until.size());
        details = new @Nullable Detail[until.size()];
        proven = new FailureCounts(SETS, random.getAsLong(), rule.banWindowNanos());
        unproven = new FailureCounts(SETS, random.getAsLong(), rule.banWindowNanos());
    }

    /** Whether there are bans at all; perhaps only some that have ended. */
    boolean any() {
        return any;
    }

    /** Since the start, and never 0: that is the table's empty slot. */
    private long time(long nowNanos) {
        return nowNanos - startNanos + 1;
    }

    /** Whether a source is not listened to; counts what it sends. */
    boolean stops(long source, long nowNanos, boolean connection) {
        int slot = until.find(source);
        if (slot < 0) {
            return false;
        }
        long end = until.deadlineAt(slot);
        if (end == SourceTable.NONE || time(nowNanos) >= Math.abs(end)) {
            return false;
        }
        // A negative deadline is that of a ban of datagrams.
        if (connection && end < 0) {
            return false;
        }
        dropped.incrementAndGet(slot);
        return true;
    }

    void proven(long source, long nowNanos) {
        long now = time(nowNanos);
        long known = proofs.deadline(source);
        // Once in a while is enough, and spares the lock.
        if (known - now < PROOF_NANOS / 2) {
            synchronized (this) {
                proofs.put(source, now + PROOF_NANOS, now);
            }
        }
    }

    /** Has it shown within the last hour that it gets our answers? */
    boolean provenLately(long source, long nowNanos) {
        return proofs.deadline(source) > time(nowNanos);
    }

    void failed(long source, String reason, int weight, boolean sure, long nowNanos) {
        long now = time(nowNanos);
        Detail detail;
        synchronized (this) {
            int failures = (sure ? proven : unproven).add(source, weight, now);
            if (failures < rule.banAfter() || (!sure && proofs.deadline(source) > now)) {
                return;
            }
            (sure ? proven : unproven).forget(source);
            detail = new Detail(reason, failures, !sure);
            ban(source, detail, now);
        }
        long silent = log.admit(nowNanos);
        if (silent >= 0) {
            LOG.warn(
                    "{} is banned for {} s{}: {}"
                            + " ({} failures; {} more bans since the last such line)",
                    SourceKey.text(source),
                    TimeUnit.NANOSECONDS.toSeconds(
                            sure ? rule.banTimeNanos() : rule.datagramBanTimeNanos()),
                    sure ? "" : ", its datagrams only",
                    detail.reason(),
                    detail.failures(),
                    silent);
        }
    }

    /** With the lock held. */
    private void ban(long source, Detail detail, long now) {
        long end =
                now + (detail.datagramsOnly() ? rule.datagramBanTimeNanos() : rule.banTimeNanos());
        long known = until.deadline(source);
        if (known > now && detail.datagramsOnly()) {
            return; // a full ban is not made smaller
        }
        int slot = until.find(source);
        if (slot < 0) {
            slot = until.put(source, end, now);
            dropped.set(slot, 0);
        }
        until.set(slot, detail.datagramsOnly() ? -end : end);
        details[slot] = detail;
        any = true;
        made++;
    }

    synchronized List<Ban> list(long nowNanos) {
        long now = time(nowNanos);
        List<Ban> all = new ArrayList<>();
        for (int slot = 0; slot < until.size(); slot++) {
            long end = Math.abs(until.deadlineAt(slot));
            Detail detail = details[slot];
            if (end <= now || detail == null) {
                clear(slot);
                continue;
            }
            all.add(
                    new Ban(
                            SourceKey.text(until.keyAt(slot)),
                            detail.reason(),
                            detail.failures(),
                            dropped.get(slot),
                            TimeUnit.NANOSECONDS.toSeconds(end - now) + 1,
                            detail.datagramsOnly()));
        }
        any = !all.isEmpty();
        all.sort(Comparator.comparingLong(Ban::secondsLeft).reversed());
        return all;
    }

    private void clear(int slot) {
        if (details[slot] != null) {
            details[slot] = null;
            until.clear(slot);
        }
    }

    synchronized boolean lift(long source, long nowNanos) {
        proven.forget(source);
        unproven.forget(source);
        int slot = until.find(source);
        boolean banned = slot >= 0 && Math.abs(until.deadlineAt(slot)) > time(nowNanos);
        if (slot >= 0) {
            clear(slot);
        }
        return banned;
    }

    synchronized int liftAll(long nowNanos) {
        int banned = list(nowNanos).size();
        for (int slot = 0; slot < until.size(); slot++) {
            clear(slot);
        }
        proven.forgetAll();
        unproven.forgetAll();
        any = false;
        return banned;
    }

    /** Bans made since the start. */
    synchronized long made() {
        return made;
    }
}

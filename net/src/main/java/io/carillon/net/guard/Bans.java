package io.carillon.net.guard;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.guard.SourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
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

    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Ways to be heard, each of which is stopped by no more bans than the one before. */
    static final int DATAGRAM = 0;

    static final int CONNECTION = 1;

    /** A connection that has shown that it belongs here. */
    static final int PROVED = 2;

    /**
     * What stands behind an entry of the table.
     *
     * @param most the last way that is stopped
     */
    private record Detail(String reason, int failures, int most) {
        boolean datagramsOnly() {
            return most == DATAGRAM;
        }
    }

    private final GuardConfig.BanRule rule;
    private final long startNanos;
    private final SourceTable until;
    private final AtomicLongArray dropped;
    private final Proofs proofs;
    private final LimitedLog log = new LimitedLog(LOG_PAUSE_NANOS);

    /** Written with the lock held. */
    private final AtomicReferenceArray<@Nullable Detail> details;

    // Guarded by this.
    private final FailureCounts proven;
    private final FailureCounts unproven;

    private long made;

    private volatile boolean any;

    Bans(GuardConfig.BanRule rule, Proofs proofs, LongSupplier random, long startNanos) {
        this.rule = rule;
        this.startNanos = startNanos;
        until = new SourceTable(SETS, random.getAsLong());
        this.proofs = proofs;
        dropped = new AtomicLongArray(until.size());
        details = new AtomicReferenceArray<>(until.size());
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

    /**
     * Whether a source is not listened to; counts what it sends.
     *
     * @param way {@link #DATAGRAM}, {@link #CONNECTION} or {@link #PROVED}
     */
    boolean stops(long source, long nowNanos, int way) {
        int slot = until.find(source);
        if (slot < 0) {
            return false;
        }
        long end = until.deadlineAt(slot);
        if (end == SourceTable.NONE || time(nowNanos) >= end) {
            return false;
        }
        Detail ban = details.get(slot);
        if (ban == null || way > ban.most()) {
            return false;
        }
        dropped.incrementAndGet(slot);
        return true;
    }

    void failed(long source, PeerConduct.Failure how, int weight, boolean sure, long nowNanos) {
        long now = time(nowNanos);
        Detail detail;
        synchronized (this) {
            int failures = (sure ? proven : unproven).add(source, weight, now);
            if (failures < rule.banAfter() || (!sure && proofs.answersAt(source, nowNanos))) {
                return;
            }
            (sure ? proven : unproven).forget(source);
            detail = new Detail(how.text(), failures, stopped(how, sure));
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

    /**
     * An address is not a person: phones that are at home there do not lose their connections for
     * what a neighbour did. But on a server that answers everybody a connection proves itself for
     * nothing: passwords are tried on none.
     */
    private static int stopped(PeerConduct.Failure how, boolean sure) {
        if (!sure) {
            return DATAGRAM;
        }
        return how == PeerConduct.Failure.WRONG_CREDENTIALS ? PROVED : CONNECTION;
    }

    /** With the lock held. */
    private void ban(long source, Detail detail, long now) {
        long end =
                now + (detail.datagramsOnly() ? rule.datagramBanTimeNanos() : rule.banTimeNanos());
        int slot = until.find(source);
        Detail known = slot < 0 || until.deadlineAt(slot) <= now ? null : details.get(slot);
        if (known != null && known.most() > detail.most()) {
            return; // a ban is not made smaller
        }
        if (slot < 0) {
            slot = until.put(source, end, now);
            dropped.set(slot, 0);
        }
        until.set(slot, end);
        details.set(slot, detail);
        any = true;
        made++;
    }

    synchronized List<Ban> list(long nowNanos) {
        long now = time(nowNanos);
        List<Ban> all = new ArrayList<>();
        for (int slot = 0; slot < until.size(); slot++) {
            long end = until.deadlineAt(slot);
            Detail detail = details.get(slot);
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
                            detail.datagramsOnly(),
                            false));
        }
        any = !all.isEmpty();
        return all;
    }

    private void clear(int slot) {
        if (details.get(slot) != null) {
            details.set(slot, null);
            until.clear(slot);
        }
    }

    synchronized boolean lift(long source, long nowNanos) {
        proven.forget(source);
        unproven.forget(source);
        int slot = until.find(source);
        boolean banned = slot >= 0 && until.deadlineAt(slot) > time(nowNanos);
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

package io.carillon.net.guard;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.guard.SourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sources from which too many wrong credentials came by WebSocket although a user of ours is there.
 * Credentials that come from there by WebSocket are not looked at for a while; all else goes on.
 *
 * <p>Any thread. {@link #holds} takes no lock. Memory is fixed.
 */
final class HeldCredentials {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCredentials.class);

    private static final int SETS = 1024;
    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final GuardConfig.BanRule rule;
    private final long startNanos;
    private final SourceTable until;
    private final AtomicLongArray refused;
    private final LimitedLog log = new LimitedLog(LOG_PAUSE_NANOS);

    // Guarded by this.
    private final FailureCounts failures;

    HeldCredentials(GuardConfig.BanRule rule, LongSupplier random, long startNanos) {
        this.rule = rule;
        this.startNanos = startNanos;
        until = new SourceTable(SETS, random.getAsLong());
        refused = new AtomicLongArray(until.size());
        failures = new FailureCounts(SETS, random.getAsLong(), rule.banWindowNanos());
    }

    /** Since the start, and never 0: that is the table's empty slot. */
    private long time(long nowNanos) {
        return nowNanos - startNanos + 1;
    }

    /** Are credentials from there not looked at? Counts them. */
    boolean holds(long source, long nowNanos) {
        int slot = until.find(source);
        if (slot < 0 || until.deadlineAt(slot) <= time(nowNanos)) {
            return false;
        }
        refused.incrementAndGet(slot);
        return true;
    }

    void failed(long source, long nowNanos) {
        long now = time(nowNanos);
        synchronized (this) {
            if (failures.add(source, 1, now) < rule.banAfter()) {
                return;
            }
            failures.forget(source);
            refused.set(until.put(source, now + rule.banTimeNanos(), now), 0);
        }
        long silent = log.admit(nowNanos);
        if (silent >= 0) {
            LOG.warn(
                    "Credentials by WebSocket from {} are not looked at for {} s: {} were wrong"
                            + " ({} more such sources since the last such line)",
                    SourceKey.text(source),
                    TimeUnit.NANOSECONDS.toSeconds(rule.banTimeNanos()),
                    rule.banAfter(),
                    silent);
        }
    }

    synchronized List<Ban> list(long nowNanos) {
        long now = time(nowNanos);
        List<Ban> all = new ArrayList<>();
        for (int slot = 0; slot < until.size(); slot++) {
            long left = until.deadlineAt(slot) - now;
            if (left > 0) {
                all.add(
                        new Ban(
                                SourceKey.text(until.keyAt(slot)),
                                PeerConduct.Failure.WRONG_CREDENTIALS.text() + " by WebSocket",
                                rule.banAfter(),
                                refused.get(slot),
                                TimeUnit.NANOSECONDS.toSeconds(left) + 1,
                                false,
                                true));
            }
        }
        return all;
    }

    synchronized boolean lift(long source, long nowNanos) {
        failures.forget(source);
        int slot = until.find(source);
        boolean held = slot >= 0 && until.deadlineAt(slot) > time(nowNanos);
        if (slot >= 0) {
            until.clear(slot);
        }
        return held;
    }

    synchronized int liftAll(long nowNanos) {
        int held = list(nowNanos).size();
        for (int slot = 0; slot < until.size(); slot++) {
            until.clear(slot);
        }
        failures.forgetAll();
        return held;
    }
}

package io.carillon.server.trace;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The traces that are on. Any thread: asking takes no lock, switching on and off does. A rule whose
 * time is over is removed by whoever notices it first.
 */
public final class TraceRules {
    private static final Logger LOG = LoggerFactory.getLogger(TraceRules.class);

    /** Each is asked about every message of a call that is not traced. */
    static final int MOST = 16;

    private final Consumer<Boolean> taps;
    private final List<TraceRule> on = new ArrayList<>();
    private volatile TraceRule[] asked = new TraceRule[0];
    private volatile boolean recording;
    private int next = 1;

    /**
     * @param taps told when the first rule comes (true) and when the last one went (false)
     */
    public TraceRules(Consumer<Boolean> taps) {
        this.taps = taps;
    }

    /** A rule for the collector alone, as long as the server runs. */
    public synchronized void collectAll() {
        put(new TraceRule(0, new TraceRule.All(), Long.MAX_VALUE, Integer.MAX_VALUE, "", false));
    }

    /** Null when too many are on. */
    synchronized @Nullable TraceRule add(
            TraceRule.Choice choice, long deadlineNanos, int mostCalls, String who) {
        if (on.size() >= MOST) {
            return null;
        }
        TraceRule rule = new TraceRule(next++, choice, deadlineNanos, mostCalls, who, true);
        put(rule);
        return rule;
    }

    private void put(TraceRule rule) {
        // Those that record are asked before the one for the collector.
        on.add(rule.records ? 0 : on.size(), rule);
        changed();
    }

    /** False when it was gone before. */
    synchronized boolean remove(TraceRule rule) {
        rule.end();
        boolean was = on.remove(rule);
        if (was) {
            changed();
        }
        return was;
    }

    private void changed() {
        boolean before = asked.length > 0;
        asked = on.toArray(new TraceRule[0]);
        recording = on.stream().anyMatch(rule -> rule.records);
        boolean now = asked.length > 0;
        if (before != now) {
            taps.accept(now);
        }
    }

    /** Is a trace on that records? */
    boolean recording() {
        return recording;
    }

    /** The rule that takes this call up, which is counted there; null when none does. */
    @Nullable TraceRule match(String callId, SipMessage message, Hop hop, long nowNanos) {
        for (TraceRule rule : asked) {
            if (rule.over(nowNanos)) {
                overNow(rule);
            } else if (!rule.full()
                    && rule.choice.takes(callId, message, hop)
                    && rule.takeOneMore()) {
                return rule;
            }
        }
        return null;
    }

    /** The same for a session that the application has just made. */
    @Nullable TraceRule matchParty(NameAddress local, NameAddress remote, long nowNanos) {
        for (TraceRule rule : asked) {
            if (rule.choice instanceof TraceRule.ByUser user
                    && !rule.over(nowNanos)
                    && (user.is(local) || user.is(remote))
                    && rule.takeOneMore()) {
                return rule;
            }
        }
        return null;
    }

    private void overNow(TraceRule rule) {
        if (remove(rule)) {
            LOG.info(
                    "Trace {} ({}) has ended by itself; it took up {} calls",
                    rule.number,
                    rule.choice.text(),
                    rule.calls());
        }
    }

    /** Those that record and are not over. */
    List<TraceRule> all(long nowNanos) {
        List<TraceRule> left = new ArrayList<>();
        for (TraceRule rule : asked) {
            if (rule.over(nowNanos)) {
                overNow(rule);
            } else if (rule.records) {
                left.add(rule);
            }
        }
        left.sort((one, other) -> Integer.compare(one.number, other.number));
        return left;
    }
}

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
public final class Rules {
    private static final Logger LOG = LoggerFactory.getLogger(Rules.class);

    /** Each is asked about every message of a call that is not traced. */
    static final int MOST = 16;

    private final Consumer<Boolean> taps;
    private final List<Rule> on = new ArrayList<>();
    private volatile Rule[] asked = new Rule[0];
    private volatile boolean recording;
    private int next = 1;

    /**
     * @param taps told when the first rule comes (true) and when the last one went (false)
     */
    public Rules(Consumer<Boolean> taps) {
        this.taps = taps;
    }

    /** A rule for the collector alone, as long as the server runs. */
    public synchronized void collectAll() {
        put(new Rule(0, new Rule.All(), Long.MAX_VALUE, Integer.MAX_VALUE, "", false));
    }

    /** Null when too many are on. */
    synchronized @Nullable Rule add(
            Rule.Choice choice, long deadlineNanos, int mostCalls, String who) {
        if (on.size() >= MOST) {
            return null;
        }
        Rule rule = new Rule(next++, choice, deadlineNanos, mostCalls, who, true);
        put(rule);
        return rule;
    }

    private void put(Rule rule) {
        // Those that record are asked before the one for the collector.
        on.add(rule.records ? 0 : on.size(), rule);
        changed();
    }

    /** False when it was gone before. */
    synchronized boolean remove(Rule rule) {
        rule.end();
        boolean was = on.remove(rule);
        if (was) {
            changed();
        }
        return was;
    }

    private void changed() {
        boolean before = asked.length > 0;
        asked = on.toArray(new Rule[0]);
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
    @Nullable Rule match(String callId, SipMessage message, Hop hop, long nowNanos) {
        for (Rule rule : asked) {
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
    @Nullable Rule matchParty(NameAddress local, NameAddress remote, long nowNanos) {
        for (Rule rule : asked) {
            if (rule.choice instanceof Rule.ByUser user
                    && !rule.over(nowNanos)
                    && (user.is(local) || user.is(remote))
                    && rule.takeOneMore()) {
                return rule;
            }
        }
        return null;
    }

    private void overNow(Rule rule) {
        if (remove(rule)) {
            LOG.info(
                    "Trace {} ({}) has ended by itself; it took up {} calls",
                    rule.number,
                    rule.choice.text(),
                    rule.calls());
        }
    }

    /** Those that record and are not over. */
    List<Rule> all(long nowNanos) {
        List<Rule> left = new ArrayList<>();
        for (Rule rule : asked) {
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

package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Check;
import io.carillon.it.failover.Oracle.Loss;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How soon the first thing that each call asked for after a loss was answered. One thread. */
final class Answers {
    private static final int OF = 100;

    private final Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);
    private long late;
    private long never;
    private long longest = Oracle.LONGEST_NANOS;

    void add(Collection<CallFacts> calls, Loss loss) {
        // While no node can answer nobody is blamed for it.
        longest = Math.max(longest, loss.withinNanos() * 2);
        for (CallFacts call : calls) {
            if (call.checks().isEmpty() || !call.kind().staysInside()) {
                continue;
            }
            Check first = call.checks().getFirst();
            if (!first.answered()) {
                never++;
                continue;
            }
            long nanos = Math.max(0, first.answeredNanos() - first.sentNanos());
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
            if (first.answeredNanos() - Oracle.dueNanos(first, loss) > 0) {
                late++;
            }
        }
    }

    private long all() {
        return micros.getTotalCount() + never;
    }

    /** Was one of a hundred at most late? */
    boolean inTime() {
        return late * OF <= all();
    }

    /** Was each answered, and none after more than a caller bears? */
    boolean bearable() {
        return never == 0 && micros.getMaxValue() <= TimeUnit.NANOSECONDS.toMicros(longest);
    }

    boolean good() {
        return inTime() && bearable();
    }

    /** So long a caller bears it: 15.5 s, more where no node could answer for longer. */
    double mostSeconds() {
        return longest / 1e9;
    }

    double maxSeconds() {
        return micros.getMaxValue() / 1e6;
    }

    String text(long withinNanos) {
        return String.format(
                Locale.ROOT,
                "first request after it answered after p50 %.0f ms, p99 %.0f ms, max %.0f ms; of %d,"
                        + " %d later than %.0f s after the loss and 200 ms after it was sent, %d"
                        + " never",
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3,
                all(),
                late,
                withinNanos / 1e9,
                never);
    }
}

package io.carillon.it.attack;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of the calls beside one attack, and what it cost the server.
 *
 * @param id of the attack
 * @param what it did
 * @param perSecond messages or connections of the attack
 * @param made calls
 * @param failed calls, by cause
 * @param p99Millis of the calls' response time
 * @param liveBefore bytes of live heap without calls
 * @param peakUsed most bytes of heap in use, garbage included
 * @param liveAfter bytes of live heap when all was over; 0 where nobody waited for that
 * @param peakTransactions most at a time
 * @param cpus of the server while it was attacked, in CPUs
 * @param dropped datagrams that were dropped unread
 * @param closed connections that a limit closed
 * @param reflected what the server sent for what it got, where it is counted
 * @param settledSeconds until no transaction and no call was left; -1: not in time
 */
record AttackResult(
        String id,
        String what,
        double perSecond,
        long made,
        Map<String, Long> failed,
        double p99Millis,
        long liveBefore,
        long peakUsed,
        long liveAfter,
        long peakTransactions,
        double cpus,
        long dropped,
        long closed,
        double reflected,
        double settledSeconds) {

    /** What stays of an attack may be tables that have grown and classes' own data. */
    private static final long SLACK_BYTES = 24L << 20;

    private static final double MB = 1e6;

    long failures() {
        return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    /** No call failed, the heap is back where it was, and nobody got more than was sent. */
    boolean good() {
        return made > 0
                && failures() == 0
                && reflected <= 1
                && settledSeconds >= 0
                && liveAfter < liveBefore + SLACK_BYTES;
    }

    /** What came of all of them, in a sentence. */
    static String summary(List<AttackResult> results) {
        long bad = results.stream().filter(one -> !one.good()).count();
        return String.format(
                Locale.ROOT,
                "%d attacks, %d calls beside them, %d failed; %s.",
                results.size(),
                results.stream().mapToLong(AttackResult::made).sum(),
                results.stream().mapToLong(AttackResult::failures).sum(),
                bad == 0 ? "the server withstood all" : bad + " attacks did harm");
    }

    static String table(List<AttackResult> results) {
        StringBuilder text = new StringBuilder();
        text.append(
                "| Attack | What | Per second | Calls | Failed | p99 | CPUs | Heap before, peak, after"
                        + " | Transactions | Dropped unread | Closed | Out/in | Over after |\n"
                        + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        for (AttackResult one : results) {
            text.append(one.row());
        }
        return text.toString();
    }

    private String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.0f | %d | %d%s | %.1f ms | %.2f | %.0f, %.0f, %.0f MB | %d | %d | %d | %.2f | %s |%n",
                id,
                what,
                perSecond,
                made,
                failures(),
                failed.isEmpty() ? "" : " " + failed,
                p99Millis,
                cpus,
                liveBefore / MB,
                peakUsed / MB,
                liveAfter / MB,
                peakTransactions,
                dropped,
                closed,
                reflected,
                settledSeconds < 0
                        ? "not in time"
                        : String.format(Locale.ROOT, "%.0f s", settledSeconds));
    }
}

package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Turns SIPp's tables, which are cumulative, into seconds and a summary. Owner: the thread that
 * runs the load.
 */
final class ScenarioCourse {
    /** So much of a CPU one SIPp may use: it has one thread. */
    private static final double MOST_CPU = 0.9;

    private final LoadSettings settings;
    private final long startNanos;
    private final Histogram response;
    private SippTables before = SippTables.NONE;
    private SippTables warmTables = SippTables.NONE;
    private Cost costBefore;
    private ProcessCosts warmCost;
    private ProcessCosts lastCost;
    private long nanosBefore;
    private long warmNanos;
    private long endNanos;
    private long heldMax;
    private long lateBeforeWarm;
    private long late;
    private double busiest;

    /**
     * What the SIPps cost until now.
     *
     * @param all CPU of them together, and what the kernel dropped
     * @param eachCpuNanos CPU of each, always in the same order; 0 for one that has ended
     */
    record Cost(ProcessCosts all, List<Long> eachCpuNanos) {
        /** CPU nanoseconds of the one that used most since. */
        private long busiestSince(Cost earlier) {
            long most = 0;
            for (int i = 0; i < eachCpuNanos.size(); i++) {
                most = Math.max(most, eachCpuNanos.get(i) - earlier.eachCpuNanos.get(i));
            }
            return most;
        }
    }

    ScenarioCourse(LoadSettings settings, long startNanos, Cost cost, Histogram response) {
        this.settings = settings;
        this.startNanos = startNanos;
        this.response = response;
        nanosBefore = startNanos;
        warmNanos = startNanos;
        endNanos = startNanos;
        costBefore = cost;
        warmCost = cost.all();
        lastCost = cost.all();
    }

    LoadSample second(long now, SippTables tables, Histogram interval, Cost cost, boolean ended) {
        double wall = Math.max(1, now - nanosBefore);
        // The last reading finds no process to read.
        ProcessCosts used =
                ended ? new ProcessCosts(0, 0, 0, 0, 0, 0) : cost.all().minus(costBefore.all());
        long lateNow = interval.getCountBetweenValues(200_001, interval.getMaxValue() + 200_001);
        late += lateNow;
        boolean warmup = now - startNanos < settings.warmup().toNanos();
        LoadSample sample =
                new LoadSample(
                        Math.round((now - startNanos) / 1e9),
                        warmup,
                        ended ? 0 : settings.rate().from(),
                        tables.made() - before.made(),
                        tables.completed() - before.completed(),
                        sum(tables) - sum(before),
                        tables.held(),
                        tables.retransmissionsSent() - before.retransmissionsSent(),
                        tables.retransmissionsReceived() - before.retransmissionsReceived(),
                        tables.unexpected() - before.unexpected(),
                        lateNow,
                        Sampler.millis(interval, 50),
                        Sampler.millis(interval, 95),
                        Sampler.millis(interval, 99),
                        Sampler.millis(interval, 99.9),
                        interval.getMaxValue() / 1e3,
                        0,
                        used.cpuNanos() / wall,
                        used.drops(),
                        settings.serverPids().isEmpty() ? -1 : used.serverCpuNanos() / wall,
                        used.serverDrops(),
                        0,
                        Outcomes.NONE);
        heldMax = Math.max(heldMax, tables.held());
        before = tables;
        nanosBefore = now;
        if (!ended) {
            busiest = Math.max(busiest, cost.busiestSince(costBefore) / wall);
            costBefore = cost;
            lastCost = cost.all();
            endNanos = now;
        }
        if (warmup) {
            warmTables = tables;
            warmCost = cost.all();
            warmNanos = now;
            lateBeforeWarm = late;
        }
        return sample;
    }

    private static long sum(SippTables tables) {
        return tables.failed().values().stream().mapToLong(Long::longValue).sum();
    }

    LoadSummary summary() {
        Map<String, Long> failed = new LinkedHashMap<>(before.failed());
        warmTables.failed().forEach((cause, count) -> failed.merge(cause, -count, Long::sum));
        failed.values().removeIf(count -> count <= 0);
        ProcessCosts used = lastCost.minus(warmCost);
        LoadCounts counts = new LoadCounts();
        counts.made = before.made() - warmTables.made();
        counts.completed = before.completed() - warmTables.completed();
        counts.retransmissionsSent =
                before.retransmissionsSent() - warmTables.retransmissionsSent();
        counts.retransmissionsReceived =
                before.retransmissionsReceived() - warmTables.retransmissionsReceived();
        counts.unexpected = before.unexpected() - warmTables.unexpected();
        counts.late = late - lateBeforeWarm;
        failed.forEach(counts::fail);
        double p99 = Sampler.millis(response, 99);
        double calls = Math.max(1, settings.rate().from() * (endNanos - warmNanos) / 1e9);
        String reason = reason(used);
        return new LoadSummary(
                "sipp",
                settings.rate().from(),
                (endNanos - warmNanos) / 1e9,
                counts.made,
                counts.completed,
                counts.failures(),
                heldMax,
                counts.retransmissionsSent,
                counts.retransmissionsReceived,
                counts.unexpected,
                counts.late,
                Sampler.millis(response, 50),
                Sampler.millis(response, 95),
                p99,
                Sampler.millis(response, 99.9),
                response.getMaxValue() / 1e3,
                0,
                0,
                used.cpuNanos() / 1e3 / calls,
                0,
                used.drops(),
                !reason.isEmpty(),
                reason,
                settings.serverPids().isEmpty() ? -1 : used.serverCpuNanos() / 1e3 / calls,
                used.serverDrops(),
                "",
                broken(counts, p99));
    }

    private List<String> broken(LoadCounts counts, double p99) {
        List<String> broken = new ArrayList<>(settings.limits().broken(counts, p99));
        if (response.getTotalCount() == 0) {
            for (String option : settings.limits().ofResponseTimes()) {
                broken.add(
                        "SIPp told no response time, as the callers' scenario has no rtd or no call came to it: "
                                + option
                                + " cannot be judged.");
            }
        }
        return broken;
    }

    private String reason(ProcessCosts used) {
        List<String> reasons = new ArrayList<>();
        if (used.drops() > 0) {
            reasons.add("the kernel dropped " + used.drops() + " datagrams at SIPp's sockets");
        }
        if (busiest > MOST_CPU) {
            reasons.add("a SIPp used all of its one CPU");
        }
        return reasons.isEmpty()
                ? ""
                : "The load itself was the bottleneck: " + String.join("; ", reasons) + ".";
    }
}

package io.carillon.server.cluster;

import io.carillon.cluster.link.NodeReport;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What this process has used of its processors in the last seconds. Owner: one thread. */
final class ProcessorUse {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier cpuNanos;
    private final int processors;
    private boolean begun;
    private long cpu;
    private long since;
    private int percent = NodeReport.NOT_SAID;

    /**
     * @param cpuNanos used since the start of the process; negative where that cannot be told
     * @param processors that it has
     */
    ProcessorUse(LongSupplier cpuNanos, int processors) {
        this.cpuNanos = cpuNanos;
        this.processors = processors;
    }

    static ProcessorUse ofProcess() {
        LongSupplier nanos =
                ManagementFactory.getOperatingSystemMXBean()
                                instanceof com.sun.management.OperatingSystemMXBean system
                        ? system::getProcessCpuTime
                        : () -> -1;
        return new ProcessorUse(nanos, Runtime.getRuntime().availableProcessors());
    }

    /** Percent of the last whole window; {@link NodeReport#NOT_SAID} before the first is over. */
    int percent(long nowNanos) {
        long took = nowNanos - since;
        if (begun && took < WINDOW_NANOS) {
            return percent;
        }
        long used = cpuNanos.getAsLong();
        if (begun && used >= 0) {
            percent = Math.clamp(Math.round(100.0 * (used - cpu) / took / processors), 0, 100);
        }
        begun = true;
        cpu = used;
        since = nowNanos;
        return percent;
    }
}

package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What all CPUs of the machine did since it started, in ticks of 1/100 s (proc(5), {@code
 * /proc/stat}).
 *
 * @param busy in user or kernel mode, of this machine's own processes
 * @param steal taken by other guests of the same host
 * @param total everything, idle time included
 */
public record CpuTimes(long busy, long steal, long total) {
    private static final int IDLE = 4;
    private static final int IOWAIT = 5;
    private static final int STEAL = 8;
    private static final double NANOS_PER_TICK = 1e7;

    public static CpuTimes now() throws IOException {
        return parse(Files.readString(Path.of("/proc/stat")));
    }

    /**
     * Reads the first line: cpu user nice system idle iowait irq softirq steal guest guest_nice.
     */
    static CpuTimes parse(String stat) throws IOException {
        String[] fields = stat.lines().findFirst().orElse("").trim().split("\\s+");
        if (fields.length <= STEAL || !fields[0].equals("cpu")) {
            throw new IOException("/proc/stat does not begin with the line of all CPUs");
        }
        long total = 0;
        // Guest time is contained in user time already.
        for (int i = 1; i <= STEAL; i++) {
            total += Long.parseLong(fields[i]);
        }
        long steal = Long.parseLong(fields[STEAL]);
        long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IOWAIT]);
        return new CpuTimes(total - idle - steal, steal, total);
    }

    /** What happened since an earlier reading. */
    public CpuTimes since(CpuTimes earlier) {
        return new CpuTimes(busy - earlier.busy, steal - earlier.steal, total - earlier.total);
    }

    /** Share of all CPUs' time that the host took away, 0 to 1. */
    public double stealShare() {
        return total == 0 ? 0 : (double) steal / total;
    }

    /** Share of all CPUs' time that was used beyond so many nanoseconds of known processes. */
    public double othersShare(long knownNanos) {
        return total == 0 ? 0 : Math.max(0, (busy - knownNanos / NANOS_PER_TICK) / total);
    }
}

package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds a process to a share of one CPU, by a control group of its own. The kernel lets it run for
 * its part of each period and then stops all of its threads, so the period is short: what waits for
 * the next one waits for a few milliseconds. Linux, and only who may make control groups.
 */
public final class CpuQuota implements AutoCloseable {
    private static final long USUAL_PERIOD_MICROS = 5_000;

    /** The least that the kernel takes as a quota. */
    private static final long LEAST_QUOTA_MICROS = 1_000;

    private static final String NAME = "carillon-lab-";
    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final int TRIES = 50;

    private final Path group;
    private final Path parent;

    private CpuQuota(Path group, Path parent) {
        this.group = group;
        this.parent = parent;
    }

    /**
     * Holds this process, and what it starts, to the share from now on.
     *
     * @param share of one CPU, above 0 to 1
     */
    public static CpuQuota hold(long pid, double share) throws IOException {
        Path parent = Files.exists(V1.resolve("cpu.cfs_quota_us")) ? V1 : V2;
        Path group = parent.resolve(NAME + pid);
        try {
            removeLeftOvers(parent);
            Files.createDirectory(group);
            CpuQuota quota = new CpuQuota(group, parent);
            quota.set(share);
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
            return quota;
        } catch (IOException e) {
            throw new IOException(
                    "a control group cannot be made, which --quota needs (root, with the controller cpu): "
                            + e.getMessage(),
                    e);
        }
    }

    /** Groups of runs that were killed: a group without a process can go. */
    private static void removeLeftOvers(Path parent) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path left : groups) {
                if (Files.readString(left.resolve("cgroup.procs")).isBlank()) {
                    Files.deleteIfExists(left);
                }
            }
        }
    }

    private void set(double share) throws IOException {
        long period = periodMicros(share);
        long quota = Math.round(period * share);
        if (parent.equals(V1)) {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(period));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
        } else {
            Files.writeString(group.resolve("cpu.max"), quota + " " + period);
        }
    }

    /** The period for a share: 5 ms, or as long as the least quota needs. */
    public static long periodMicros(double share) {
        return Math.max(USUAL_PERIOD_MICROS, (long) Math.ceil(LEAST_QUOTA_MICROS / share));
    }

    /** Removes the group; the process, where it still runs, goes back to where it came from. */
    @Override
    public void close() throws IOException {
        for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
            try {
                Files.writeString(parent.resolve("cgroup.procs"), pid);
            } catch (IOException e) {
                // One that has ended between the reading and the moving needs no moving.
                if (ProcessHandle.of(Long.parseLong(pid)).isPresent()) {
                    throw e;
                }
            }
        }
        for (int i = 1; ; i++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (i == TRIES) {
                    throw e;
                }
                Pause.millis(100); // its last threads are about to end
            }
        }
    }
}

package io.carillon.server.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a container or a service gives a process (cgroups, version 1 and 2). A limit
 * holds for everything below it, so the smallest on the way up is the one. Any thread.
 */
final class ControlGroup {
    /** Version 1 writes "no limit" as a number that no machine has. */
    private static final long NO_LIMIT = 1L << 60;

    private final SystemFiles files;
    private final List<String> lines;

    /**
     * The group of a process.
     *
     * @param process its number, or {@code self}
     */
    ControlGroup(SystemFiles files, String process) {
        this.files = files;
        this.lines = files.lines("proc/" + process + "/cgroup");
    }

    /** Most bytes of memory; null: no limit. */
    @Nullable Long memoryBytes() {
        Long limit = least("memory", "memory.limit_in_bytes", "memory.max");
        return limit == null || limit >= NO_LIMIT ? null : limit;
    }

    /** Bytes of memory that are free below the limits; null: no limit. */
    @Nullable Long memoryLeftBytes() {
        Long least = null;
        for (String folder : folders("memory")) {
            Long limit = either(folder, "memory.limit_in_bytes", "memory.max");
            Long used = either(folder, "memory.usage_in_bytes", "memory.current");
            if (limit != null && limit < NO_LIMIT && used != null) {
                long left = limit - used;
                least = least == null ? left : Math.min(least, left);
            }
        }
        return least;
    }

    /** Most processes and threads; null: no limit. */
    @Nullable Long processes() {
        return least("pids", "pids.max", "pids.max");
    }

    /** Processors that may be used, as in 1.5; null: no limit. */
    @Nullable Double processors() {
        Double least = null;
        for (String folder : folders("cpu")) {
            Double here = processors(folder);
            if (here != null && (least == null || here < least)) {
                least = here;
            }
        }
        return least;
    }

    private @Nullable Double processors(String folder) {
        String both = files.text(folder + "/cpu.max");
        Long quota;
        Long period;
        if (both != null) {
            String[] words = SystemFiles.words(both);
            quota = SystemFiles.parse(words[0]);
            period = words.length > 1 ? SystemFiles.parse(words[1]) : null;
        } else {
            quota = files.number(folder + "/cpu.cfs_quota_us");
            period = files.number(folder + "/cpu.cfs_period_us");
        }
        return quota == null || period == null || quota <= 0 || period <= 0
                ? null
                : (double) quota / period;
    }

    /** Periods in which the processes had to stand still because the quota was used up. */
    long throttledPeriods() {
        long sum = 0;
        for (String folder : folders("cpu")) {
            Long throttled = files.number(folder + "/cpu.stat", "nr_throttled");
            sum += throttled == null ? 0 : throttled;
        }
        return sum;
    }

    private @Nullable Long least(String controller, String first, String second) {
        Long least = null;
        for (String folder : folders(controller)) {
            Long here = either(folder, first, second);
            if (here != null && (least == null || here < least)) {
                least = here;
            }
        }
        return least;
    }

    private @Nullable Long either(String folder, String first, String second) {
        Long here = files.number(folder + "/" + first);
        return here == null ? files.number(folder + "/" + second) : here;
    }

    /** The folders of the group and of all above it, under both versions' mounts. */
    private List<String> folders(String controller) {
        List<String> folders = new java.util.ArrayList<>();
        for (String line : lines) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            if (parts[1].isEmpty()) {
                upwards(folders, "sys/fs/cgroup", parts[2]);
                upwards(folders, "sys/fs/cgroup/unified", parts[2]);
            } else if (List.of(parts[1].split(",", -1)).contains(controller)) {
                upwards(folders, "sys/fs/cgroup/" + controller, parts[2]);
                if (!parts[1].equals(controller)) {
                    upwards(folders, "sys/fs/cgroup/" + parts[1], parts[2]);
                }
            }
        }
        return folders;
    }

    /** In a container the path is the host's and not there; its mount is then the group itself. */
    private void upwards(List<String> folders, String mount, String path) {
        String at = path;
        while (!at.isEmpty() && !at.equals("/")) {
            if (files.exists(mount + at)) {
                folders.add(mount + at);
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        if (files.exists(mount)) {
            folders.add(mount);
        }
    }
}

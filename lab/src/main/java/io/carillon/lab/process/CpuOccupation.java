package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who had the machine's CPUs at a moment, counted since each process began, in ticks of 1/100 s
 * (proc(5)).
 *
 * @param cpus how many the machine has
 * @param busyTicks of all CPUs outside of interrupts, whoever's (the first line of /proc/stat)
 * @param stealTicks taken by the host
 * @param ownTicks of this run: this process and its living descendants
 * @param otherTicks of each other living process
 */
public record CpuOccupation(
        long atNanos,
        int cpus,
        long busyTicks,
        long stealTicks,
        long ownTicks,
        Map<Long, Long> otherTicks) {
    private static final int STEAL = 8;
    private static final Path PROC = Path.of("/proc");

    public static CpuOccupation now() throws IOException {
        return now(List.of());
    }

    /**
     * Reads it now.
     *
     * @param more processes of this run that are no descendants of this one
     */
    public static CpuOccupation now(List<ProcessHandle> more) throws IOException {
        Set<Long> own = new HashSet<>();
        add(ProcessHandle.current(), own);
        more.forEach(process -> add(process, own));
        long ownTicks = 0;
        Map<Long, Long> others = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                long ticks = Proc.ticks(process.resolve("stat"));
                if (own.contains(pid)) {
                    ownTicks += ticks;
                } else {
                    others.put(pid, ticks);
                }
            }
        }
        List<String> lines = Files.readAllLines(PROC.resolve("stat"));
        String[] all = allCpus(lines);
        int cpus = (int) lines.stream().filter(line -> line.matches("cpu[0-9]+ .*")).count();
        return new CpuOccupation(System.nanoTime(), cpus, busy(all), steal(all), ownTicks, others);
    }

    private static void add(ProcessHandle root, Set<Long> pids) {
        try (Stream<ProcessHandle> tree = Stream.concat(Stream.of(root), root.descendants())) {
            tree.forEach(process -> pids.add(process.pid()));
        }
    }

    /**
     * The first line of {@code /proc/stat}: cpu user nice system idle iowait irq softirq steal.
     *
     * @throws IOException when it is anything else
     */
    static String[] allCpus(List<String> stat) throws IOException {
        String[] fields = stat.isEmpty() ? new String[0] : stat.getFirst().trim().split("\\s+");
        if (fields.length <= STEAL || !fields[0].equals("cpu")) {
            throw new IOException("/proc/stat does not begin with the line of all CPUs");
        }
        return fields;
    }

    /** cpu user nice system ...: interrupts are left out, as our own load makes most of them. */
    static long busy(String[] cpuLine) {
        return Long.parseLong(cpuLine[1]) + Long.parseLong(cpuLine[2]) + Long.parseLong(cpuLine[3]);
    }

    static long steal(String[] cpuLine) {
        return Long.parseLong(cpuLine[STEAL]);
    }

    /**
     * What others took since then. Processes that live at both ends are known exactly; those that
     * came and went in between show only in the machine's total, which is sampled: the larger of
     * both counts.
     */
    public Disturbance since(CpuOccupation begin) {
        long living = 0;
        for (Map.Entry<Long, Long> process : otherTicks.entrySet()) {
            long before = begin.otherTicks.getOrDefault(process.getKey(), 0L);
            living += Math.max(0, process.getValue() - before);
        }
        long unknown = busyTicks - begin.busyTicks - (ownTicks - begin.ownTicks);
        double all = (atNanos - begin.atNanos) / (double) Proc.NANOS_PER_TICK * cpus;
        return new Disturbance(
                (stealTicks - begin.stealTicks) / all, Math.max(living, unknown) / all);
    }
}

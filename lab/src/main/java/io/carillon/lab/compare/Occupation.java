package io.carillon.lab.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who had the machine's CPUs at a moment, counted since each process began, in ticks of 1/100 s.
 *
 * @param cpus how many the machine has
 * @param busyTicks of all CPUs outside of interrupts, whoever's (the first line of /proc/stat)
 * @param stealTicks taken by the host
 * @param ownTicks of this run: this process and its living descendants
 * @param otherTicks of each other living process
 */
record Occupation(
        long atNanos,
        int cpus,
        long busyTicks,
        long stealTicks,
        long ownTicks,
        Map<Long, Long> otherTicks) {
    private static final double NANOS_PER_TICK = 1e7;
    private static final Path PROC = Path.of("/proc");

    /** What the others and the host took, in percent of all CPUs' time. */
    record Shares(double othersPercent, double stealPercent) {}

    static Occupation now() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        Set<Long> own;
        try (Stream<ProcessHandle> tree = Stream.concat(Stream.of(self), self.descendants())) {
            own = tree.map(ProcessHandle::pid).collect(Collectors.toSet());
        }
        long ownTicks = 0;
        Map<Long, Long> others = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                long ticks = ticks(process.resolve("stat"));
                if (own.contains(pid)) {
                    ownTicks += ticks;
                } else {
                    others.put(pid, ticks);
                }
            }
        }
        List<String> lines = Files.readAllLines(PROC.resolve("stat"));
        String[] all = lines.getFirst().trim().split("\\s+");
        int cpus = (int) lines.stream().filter(line -> line.matches("cpu[0-9]+ .*")).count();
        return new Occupation(System.nanoTime(), cpus, busy(all), steal(all), ownTicks, others);
    }

    /** utime and stime of one process; 0 when it has just ended. */
    private static long ticks(Path stat) throws IOException {
        try {
            String text = Files.readString(stat);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            if (Files.exists(stat)) {
                throw e;
            }
            return 0; // it ended between the opening and the reading
        }
    }

    /** cpu user nice system ...: interrupts are left out, as our own load makes most of them. */
    static long busy(String[] cpuLine) {
        return Long.parseLong(cpuLine[1]) + Long.parseLong(cpuLine[2]) + Long.parseLong(cpuLine[3]);
    }

    static long steal(String[] cpuLine) {
        return cpuLine.length > 8 ? Long.parseLong(cpuLine[8]) : 0;
    }

    /**
     * What others took since then. Processes that live at both ends are known exactly; those that
     * came and went in between show only in the machine's total, which is sampled: the larger of
     * both counts.
     */
    Shares since(Occupation begin) {
        long living = 0;
        for (Map.Entry<Long, Long> process : otherTicks.entrySet()) {
            long before = begin.otherTicks.getOrDefault(process.getKey(), 0L);
            living += Math.max(0, process.getValue() - before);
        }
        long unknown = busyTicks - begin.busyTicks - (ownTicks - begin.ownTicks);
        double all = (atNanos - begin.atNanos) / NANOS_PER_TICK * cpus;
        return new Shares(
                100 * Math.max(living, unknown) / all, 100 * (stealTicks - begin.stealTicks) / all);
    }
}

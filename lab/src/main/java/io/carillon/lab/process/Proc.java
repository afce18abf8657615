package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the kernel accounts: CPU time of processes and dropped datagrams (proc(5)). */
public final class Proc {
    /** USER_HZ: the unit of utime and stime is fixed at 1/100 s for user space on Linux. */
    static final long NANOS_PER_TICK = 10_000_000L;

    /** The kernel's tables of UDP sockets; a kernel without IPv6 has not the second. */
    private static final List<Path> UDP_TABLES =
            List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));

    private Proc() {}

    /** CPU nanoseconds (utime + stime) of a process and all its living descendants. */
    public static long cpuNanos(ProcessHandle root) throws IOException {
        long ticks = 0;
        try (Stream<ProcessHandle> tree = Stream.concat(Stream.of(root), root.descendants())) {
            for (ProcessHandle process : tree.toList()) {
                Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
                ticks += ticks(stat);
            }
        }
        return ticks * NANOS_PER_TICK;
    }

    /** utime and stime of one process, in ticks; 0 when it has just ended. */
    static long ticks(Path stat) throws IOException {
        try {
            return ticks(Files.readString(stat));
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            if (Files.exists(stat)) {
                throw e;
            }
            return 0; // it ended between the opening and the reading
        }
    }

    /** utime and stime in the text of a {@code stat} file, in ticks. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /** Datagrams that the kernel dropped on sockets bound to one of the ports since they opened. */
    public static long udpDrops(List<Integer> ports) throws IOException {
        return udpDrops(UDP_TABLES, ports);
    }

    /** The same of tables of these files; one that is not there has no sockets. */
    static long udpDrops(List<Path> tables, List<Integer> ports) throws IOException {
        long drops = 0;
        for (Path table : tables) {
            if (Files.exists(table)) {
                for (String line : Files.readAllLines(table)) {
                    drops += dropsAt(ports, line);
                }
            }
        }
        return drops;
    }

    private static long dropsAt(List<Integer> ports, String line) {
        String[] fields = line.trim().split("\\s+");
        int colon = fields[1].indexOf(':');
        boolean ours =
                colon > 0 && ports.contains(Integer.parseInt(fields[1].substring(colon + 1), 16));
        return ours ? Long.parseLong(fields[fields.length - 1]) : 0;
    }
}

package io.carillon.server.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel has counted up to a moment; the watch is the difference of two.
 *
 * @param udpErrors datagrams thrown away because a receive buffer was full, IPv4 and IPv6, of all
 *     sockets of the machine; null where it is not told
 * @param softnetDrops packets that a processor's backlog had no room for; null likewise
 * @param softnetSqueezed how often a processor ended a round of packets with some left
 * @param listenDrops connections refused because a listener's queue was full
 * @param cpuTicks all ticks of all processors
 * @param stealTicks those that the hypervisor gave to others
 * @param throttledPeriods see {@link ControlGroup#throttledPeriods}
 * @param swappedIn pages read back from swap
 */
record Snapshot(
        @Nullable Long udpErrors,
        @Nullable Long softnetDrops,
        long softnetSqueezed,
        long listenDrops,
        long cpuTicks,
        long stealTicks,
        long throttledPeriods,
        long swappedIn) {
    /** Of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
    private static final int STEAL = 7;

    private static final int HEX = 16;

    /**
     * Reads all counters.
     *
     * @param process whose control group counts
     */
    static Snapshot of(SystemFiles files, String process) {
        List<Long> ticks = cpuTicks(files);
        return new Snapshot(
                udpErrors(files),
                softnet(files, 1),
                orZero(softnet(files, 2)),
                orZero(files.paired("proc/net/netstat", "TcpExt", "ListenDrops")),
                ticks.stream().mapToLong(Long::longValue).sum(),
                ticks.size() > STEAL ? ticks.get(STEAL) : 0,
                new ControlGroup(files, process).throttledPeriods(),
                orZero(files.number("proc/vmstat", "pswpin")));
    }

    private static @Nullable Long udpErrors(SystemFiles files) {
        Long four = files.paired("proc/net/snmp", "Udp", "RcvbufErrors");
        Long six = files.number("proc/net/snmp6", "Udp6RcvbufErrors");
        return four == null && six == null ? null : orZero(four) + orZero(six);
    }

    /** The sum of a column (hexadecimal) over the processors. */
    private static @Nullable Long softnet(SystemFiles files, int column) {
        List<String> lines = files.lines("proc/net/softnet_stat");
        if (lines.isEmpty()) {
            return null;
        }
        long sum = 0;
        for (String line : lines) {
            String[] words = SystemFiles.words(line);
            if (words.length > column) {
                sum += hex(words[column]);
            }
        }
        return sum;
    }

    /** The first eight numbers: guest time is in user time already. */
    private static List<Long> cpuTicks(SystemFiles files) {
        List<Long> ticks = new ArrayList<>();
        for (String line : files.lines("proc/stat")) {
            String[] words = SystemFiles.words(line);
            if (words[0].equals("cpu")) {
                for (int i = 1; i < Math.min(words.length, STEAL + 2); i++) {
                    ticks.add(orZero(SystemFiles.parse(words[i])));
                }
            }
        }
        return ticks;
    }

    static long hex(String text) {
        try {
            return Long.parseLong(text, HEX);
        } catch (NumberFormatException e) {
            return 0; // a column of another kernel
        }
    }

    static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }
}

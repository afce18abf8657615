package io.carillon.lab.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The TCP connections of IPv4 that are up at a moment with one of some ports at an end (proc(5)). A
 * connection on this machine stands there once for each end.
 */
record TcpConnections(Set<String> ends) {
    private static final String ESTABLISHED = "01";

    static TcpConnections now(List<Integer> ports) throws IOException {
        return of(Files.readAllLines(Path.of("/proc/net/tcp")), ports);
    }

    static TcpConnections of(List<String> lines, List<Integer> ports) {
        Set<String> found = new HashSet<>();
        for (String line : lines) {
            String[] fields = line.trim().split("\\s+");
            if (fields.length > 3
                    && fields[3].equals(ESTABLISHED)
                    && (hasPort(fields[1], ports) || hasPort(fields[2], ports))) {
                found.add(fields[1] + " " + fields[2]);
            }
        }
        return new TcpConnections(Set.copyOf(found));
    }

    private static boolean hasPort(String address, List<Integer> ports) {
        return ports.contains(Integer.parseInt(address.substring(address.indexOf(':') + 1), 16));
    }

    int count() {
        return ends.size();
    }

    /** Ends that have come since then, and those that have gone. */
    int changedSince(TcpConnections before) {
        long come = ends.stream().filter(end -> !before.ends.contains(end)).count();
        long gone = before.ends.stream().filter(end -> !ends.contains(end)).count();
        return Math.toIntExact(come + gone);
    }
}

package io.carillon.server.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much of everything a process may have. */
final class LimitChecks {
    private static final String OPEN_FILES = "open-files";

    /** Libraries, archives, logs, control and HTTP. */
    private static final int OTHER_FILES = 500;

    /** Event loops, carriers, collector, compiler, HTTP, and the pool for handlers that compute. */
    private static final int THREADS = 1000;

    /** ZGC maps each granule of 2 MiB up to three times, and some on top (its own start check). */
    private static final double MAPS_PER_MIB = 1.8;

    private static final long MIB = 1024 * 1024;
    private static final long OTHER_MAPS = 5000;

    private LimitChecks() {}

    static List<Finding> of(SystemFiles files, ServerNeeds needs) {
        return List.of(openFiles(files, needs), threads(files, needs), maps(files, needs));
    }

    private static Finding openFiles(SystemFiles files, ServerNeeds needs) {
        Long limit = limit(files, needs.process(), "Max open files");
        if (limit == null) {
            return Finding.note(
                    OPEN_FILES,
                    "The limit of open files is not to be seen here.",
                    "Each connection is an open file: see ulimit -n.");
        }
        long open = files.names("proc/" + needs.process() + "/fd").size();
        long wanted = (long) needs.connections() + OTHER_FILES;
        String found =
                (needs.process().equals("self") ? "A process may have " : "The server may have ")
                        + (limit == Long.MAX_VALUE ? "any number of" : NumberText.count(limit))
                        + " files open"
                        + (needs.process().equals("self") || open == 0
                                ? ""
                                : " and has " + NumberText.count(open));
        if (limit >= wanted) {
            return Finding.ok(OPEN_FILES, found + ".");
        }
        return Finding.warning(
                OPEN_FILES,
                found
                        + "; tcp.max-connections is "
                        + NumberText.count(needs.connections())
                        + ", and each connection is a file.",
                "Callers over TCP beyond it wait for an answer that nobody gives. UDP is not touched.",
                "ulimit -n " + wanted + "   # in the shell that starts the server",
                "echo '* - nofile " + wanted + "' >> /etc/security/limits.d/60-carillon.conf",
                "systemctl edit carillon   # where systemd starts it: [Service] LimitNOFILE="
                        + wanted);
    }

    private static Finding threads(SystemFiles files, ServerNeeds needs) {
        String check = "threads";
        Long group = new ControlGroup(files, needs.process()).processes();
        Long user = limit(files, needs.process(), "Max processes");
        Long machine = files.number("proc/sys/kernel/threads-max");
        if (group == null && user == null && machine == null) {
            return Finding.note(check, "The limit of threads is not to be seen here.", "");
        }
        if (group != null && group < THREADS) {
            return Finding.warning(
                    check,
                    "The container or service may have "
                            + NumberText.count(group)
                            + " threads (pids.max).",
                    "The JVM ends when it gets no thread for its collector, its compiler or a slow handler.",
                    "docker update --pids-limit 4096 CONTAINER",
                    "systemctl set-property carillon TasksMax=4096");
        }
        if (user != null && user < THREADS) {
            return Finding.warning(
                    check,
                    "The user may have " + NumberText.count(user) + " threads (ulimit -u).",
                    "The JVM ends when it gets no thread for its collector, its compiler or a slow handler.",
                    "ulimit -u 4096   # in the shell that starts the server",
                    "echo '* - nproc 4096' >> /etc/security/limits.d/60-carillon.conf");
        }
        if (machine != null && machine < THREADS) {
            return Finding.warning(
                    check,
                    "The machine may have " + NumberText.count(machine) + " threads.",
                    "The JVM ends when it gets no thread for its collector, its compiler or a slow handler.",
                    Finding.sysctl("kernel.threads-max", 32_768));
        }
        return Finding.ok(
                check,
                "Enough threads are allowed"
                        + (machine == null
                                ? "."
                                : ": " + NumberText.count(machine) + " on the machine."));
    }

    private static Finding maps(SystemFiles files, ServerNeeds needs) {
        String check = "memory-maps";
        Long limit = files.number("proc/sys/vm/max_map_count");
        if (limit == null) {
            return Finding.note(
                    check, "The limit of mapped pieces of memory is not to be seen here.", "");
        }
        long wanted = Math.round(MAPS_PER_MIB * needs.heapBytes() / MIB) + OTHER_MAPS;
        String found = "A process may map " + NumberText.count(limit) + " pieces of memory";
        if (limit >= wanted) {
            return Finding.ok(check, found + ".");
        }
        return Finding.warning(
                check,
                found
                        + "; ZGC with a heap of "
                        + NumberText.bytes(needs.heapBytes())
                        + " may need "
                        + NumberText.count(wanted)
                        + ".",
                "When the heap is torn into many pieces the JVM ends in the middle of its work.",
                Finding.sysctl("vm.max_map_count", Math.max(262_144, wanted)));
    }

    /** The soft limit of a process; {@code unlimited} is the largest number. */
    private static @Nullable Long limit(SystemFiles files, String process, String name) {
        for (String line : files.lines("proc/" + process + "/limits")) {
            if (line.startsWith(name)) {
                String soft = SystemFiles.words(line.substring(name.length()))[0];
                return soft.equals("unlimited")
                        ? Long.valueOf(Long.MAX_VALUE)
                        : SystemFiles.parse(soft);
            }
        }
        return null;
    }
}

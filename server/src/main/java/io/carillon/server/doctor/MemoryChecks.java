package io.carillon.server.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory: what the server may have, and what slows its own down. */
final class MemoryChecks {
    private static final String MEMORY_LIMIT = "memory-limit";
    private static final String SWAP = "swap";

    /** Classes, compiled code, threads, buffers and the collector's tables, beside the heap. */
    private static final long BESIDE_HEAP = 400L << 20;

    private static final long KIB = 1024;

    private static final int MOST_DEVICES = 32;
    private static final int REPORTING_BIT = 5;

    private static final String SHARED_HUGE_PAGES =
            "echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled";

    private MemoryChecks() {}

    static List<Finding> of(SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        List<Finding> findings = new ArrayList<>();
        findings.add(limit(files, needs));
        findings.add(swap(files, needs, before, after));
        findings.add(hugePages(files));
        findings.add(reporting(files));
        return findings;
    }

    /** Virtio 1.2, 5.5.3: bit 5 of a balloon's features is VIRTIO_BALLOON_F_REPORTING. */
    private static Finding reporting(SystemFiles files) {
        String check = "free-page-reporting";
        for (int i = 0; i < MOST_DEVICES; i++) {
            String device = "sys/bus/virtio/devices/virtio" + i;
            String features = files.text(device + "/features");
            if ("0x0005".equals(files.text(device + "/device"))
                    && features != null
                    && features.startsWith("1", REPORTING_BIT)) {
                return Finding.note(
                        check,
                        "The host takes free memory back from this machine (a balloon with free page reporting).",
                        "It has to find memory again when a heap grows into it, and the calls wait with it: ./carillon doctor"
                                + " --touch says for how long.",
                        FirstTouch.TAKEN_AT_THE_START);
            }
        }
        return Finding.ok(check, "No host is known to take free memory back from this machine.");
    }

    static Finding limit(SystemFiles files, ServerNeeds needs) {
        Long total = files.number("proc/meminfo", "MemTotal");
        if (total == null) {
            return Finding.note(MEMORY_LIMIT, "The size of the memory is not to be seen here.", "");
        }
        Long group = new ControlGroup(files, needs.process()).memoryBytes();
        boolean limited = group != null && group < total * KIB;
        long bytes = limited ? Snapshot.orZero(group) : total * KIB;
        String found =
                "The heap may grow to "
                        + NumberText.bytes(needs.heapBytes())
                        + (limited ? "; the container or service may have " : "; the machine has ")
                        + NumberText.bytes(bytes);
        if (needs.heapBytes() + BESIDE_HEAP <= bytes) {
            return Finding.ok(MEMORY_LIMIT, found + ".");
        }
        long fits = Math.max(64, (bytes - BESIDE_HEAP) >> 20);
        String smaller = "./carillon run --jvm -Xmx" + fits + "m ...";
        String cost =
                "Classes, compiled code, threads and buffers take about "
                        + NumberText.bytes(BESIDE_HEAP)
                        + " beside the heap. At the limit the kernel ends the process, with all its calls and without a line in its log.";
        return limited
                ? Finding.fault(
                        MEMORY_LIMIT,
                        found + ".",
                        cost,
                        smaller,
                        "docker update --memory "
                                + ((needs.heapBytes() + BESIDE_HEAP) >> 20)
                                + "m CONTAINER   # or a larger limit")
                : Finding.warning(MEMORY_LIMIT, found + ".", cost, smaller);
    }

    private static Finding swap(
            SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        Finding own = serverSwap(files, needs);
        if (own != null) {
            return own;
        }
        Long total = files.number("proc/meminfo", "SwapTotal");
        Long free = files.number("proc/meminfo", "SwapFree");
        if (total == null || free == null) {
            return Finding.note(SWAP, "The use of swap is not to be seen here.", "");
        }
        long read = after.swappedIn() - before.swappedIn();
        String[] mend = Finding.sysctl("vm.swappiness", 1);
        if (read > 0) {
            return Finding.warning(
                    SWAP,
                    NumberText.count(read) + " pages were read back from swap during the watch.",
                    "Memory is short. A collector that touches a heap in swap stops all calls for seconds.",
                    mend);
        }
        if (total > free) {
            return Finding.note(
                    SWAP,
                    NumberText.bytes((total - free) * KIB)
                            + " of memory are in swap; none was read back during the watch.",
                    "Should it be the server's, a collector that touches it stops all calls for seconds.",
                    mend);
        }
        return Finding.ok(SWAP, total == 0 ? "There is no swap." : "Nothing is in swap.");
    }

    private static @Nullable Finding serverSwap(SystemFiles files, ServerNeeds needs) {
        Long swapped = files.number("proc/" + needs.process() + "/status", "VmSwap");
        if (swapped == null || swapped == 0) {
            return null;
        }
        return Finding.warning(
                SWAP,
                NumberText.bytes(swapped * KIB) + " of the process are in swap.",
                "A collector that touches a heap in swap stops all calls for seconds.",
                Finding.sysctl("vm.swappiness", 1));
    }

    private static Finding hugePages(SystemFiles files) {
        String check = "huge-pages";
        String folder = "sys/kernel/mm/transparent_hugepage/";
        String enabled = files.choice(folder + "enabled");
        String defrag = files.choice(folder + "defrag");
        if (enabled == null) {
            return Finding.note(check, "This system does not tell of its huge pages.", "");
        }
        if (enabled.equals("always") && "always".equals(defrag)) {
            return Finding.warning(
                    check,
                    "Transparent huge pages are given to every program, and made while it waits (enabled and defrag: always).",
                    "A thread that touches new memory may stand still for milliseconds while the kernel moves pages"
                            + " together, where a pause of the collector is a fraction of one.",
                    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                    "echo madvise > /sys/kernel/mm/transparent_hugepage/defrag",
                    "echo 'w /sys/kernel/mm/transparent_hugepage/enabled - - - - madvise' >> /etc/tmpfiles.d/carillon.conf");
        }
        if (enabled.equals("never")) {
            return Finding.note(
                    check,
                    "Transparent huge pages are off.",
                    "The collectors work without them. With them the processor looks fewer addresses up: about a fifteenth"
                            + " less CPU per call.",
                    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                    SHARED_HUGE_PAGES);
        }
        if ("never".equals(files.choice(folder + "shmem_enabled"))) {
            return Finding.note(
                    check,
                    "Huge pages are there for programs that ask ("
                            + enabled
                            + "), but not for shared memory, of which ZGC makes its heap.",
                    "Compiled code has them, the heap does not: about a fifteenth more CPU per call.",
                    SHARED_HUGE_PAGES,
                    "echo 'w /sys/kernel/mm/transparent_hugepage/shmem_enabled - - - - advise' >> /etc/tmpfiles.d/carillon.conf");
        }
        if (enabled.equals("always")) {
            return Finding.note(
                    check,
                    "Transparent huge pages are given to every program (always), and made in the background.",
                    "The server's memory looks larger than it is, as each thread's stack may take 2 MiB. With madvise heap and"
                            + " compiled code alone have them.",
                    "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
        }
        return Finding.ok(
                check,
                "Huge pages are there for programs that ask, as the server's heap and compiled code do.");
    }
}

package io.carillon.server.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the machine twice, a watch apart, and judges what it saw. Reads files only: it changes
 * nothing and needs no rights beyond those of the server's user. Owner: one thread.
 */
public final class Doctor {
    private static final List<String> CONTAINERS =
            List.of("docker", "kubepods", "containerd", "libpod", "lxc");

    private final SystemFiles files;
    private final ServerNeeds needs;
    private final @Nullable RunningServer server;
    private final List<Finding> beside;
    private final Snapshot before;

    /**
     * The first look.
     *
     * @param needs of a server that is configured so
     * @param server the one that runs here, null: none
     */
    public Doctor(SystemFiles files, ServerNeeds needs, @Nullable RunningServer server) {
        this(files, needs, server, List.of());
    }

    /**
     * The first look.
     *
     * @param beside what was found elsewhere, for the same report
     */
    public Doctor(
            SystemFiles files,
            ServerNeeds needs,
            @Nullable RunningServer server,
            List<Finding> beside) {
        this.beside = List.copyOf(beside);
        this.files = files;
        this.needs = server == null ? needs : needs.of(server);
        this.server = server;
        this.before = Snapshot.of(files, this.needs.process());
    }

    /**
     * The second look.
     *
     * @param watchedSeconds since the first
     */
    public Report report(double watchedSeconds) {
        return report(files, watchedSeconds);
    }

    Report report(SystemFiles later, double watchedSeconds) {
        return Report.of(Report.Machine.of(later), watchedSeconds, server, findings(later));
    }

    private List<Finding> findings(SystemFiles later) {
        if (!later.exists("proc")) {
            return List.of(
                    Finding.note(
                            "system",
                            "This system has no /proc: its buffers, queues, limits, swap, processors' time and clock are not to be seen.",
                            "The server says at its start when it got a smaller receive buffer than it asked for. On macOS the"
                                    + " largest buffer is kern.ipc.maxsockbuf, the limit of open files ulimit -n.",
                            "sysctl -w kern.ipc.maxsockbuf=" + 2 * needs.receiveBufferBytes(),
                            "ulimit -n " + (needs.connections() + 500)));
        }
        Snapshot after = Snapshot.of(later, needs.process());
        List<Finding> findings = new ArrayList<>();
        findings.addAll(BufferChecks.of(later, needs, before, after));
        if (server != null) {
            findings.addAll(ServerChecks.of(later, server));
        }
        findings.addAll(ProcessorChecks.of(later, needs, before, after));
        findings.addAll(MemoryChecks.of(later, needs, before, after));
        findings.addAll(LimitChecks.of(later, needs));
        findings.addAll(NetworkChecks.of(later, needs, before, after));
        findings.addAll(beside);
        if (inContainer(later)) {
            findings.add(
                    Finding.note(
                            "container",
                            "This is a container.",
                            "Values of the kernel (net.core.*, vm.*, clock, frequency) are the host's: run their commands there."));
        }
        return findings;
    }

    private static boolean inContainer(SystemFiles files) {
        String groups = files.text("proc/1/cgroup");
        return files.exists(".dockerenv")
                || files.exists("run/.containerenv")
                || (groups != null && CONTAINERS.stream().anyMatch(groups::contains));
    }

    /**
     * What would make a server that starts now lose messages or calls, from the same checks;
     * without the receive buffer, of which each socket tells what it was really granted.
     */
    public static List<Finding> atStart(SystemFiles files, ServerNeeds needs) {
        if (!files.exists("proc")) {
            return List.of();
        }
        Snapshot now = Snapshot.of(files, needs.process());
        return Stream.of(
                        ProcessorChecks.quota(files, needs, now, now),
                        ProcessorChecks.clock(files),
                        MemoryChecks.limit(files, needs),
                        BufferChecks.backlog(files, now, now))
                .filter(finding -> finding.severity().compareTo(Severity.WARNING) >= 0)
                .toList();
    }
}

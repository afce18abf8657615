package io.carillon.lab.load;

import com.sun.management.OperatingSystemMXBean;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the processes cost and the kernel dropped: cumulative figures, read by the thread that runs
 * the load.
 *
 * @param cpuNanos CPU of the load's whole process
 * @param loopNanos CPU of its event loop's thread
 * @param gcNanos its time in garbage collections
 * @param drops datagrams that the kernel dropped on our sockets
 * @param serverCpuNanos CPU of the server's processes; 0 when they are not known
 * @param serverDrops datagrams that the kernel dropped on the server's port; 0 when that is not on
 *     this machine
 */
record ProcessCosts(
        long cpuNanos,
        long loopNanos,
        long gcNanos,
        long drops,
        long serverCpuNanos,
        long serverDrops) {

    /** Reads all of it; the loop's thread is known only when the load has begun. */
    record Reader(List<Integer> ownPorts, List<Integer> serverPorts, List<Long> serverPids) {
        // The whole process by one clock: walking its descendants would read all of /proc each
        // second.
        private static final OperatingSystemMXBean SYSTEM =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final boolean LINUX = Files.isReadable(Path.of("/proc/net/udp"));

        ProcessCosts read(long loopThread) throws IOException {
            long gcMillis = 0;
            for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                gcMillis += Math.max(0, bean.getCollectionTime());
            }
            long loop = loopThread < 0 ? 0 : THREADS.getThreadCpuTime(loopThread);
            return new ProcessCosts(
                    Math.max(0, SYSTEM.getProcessCpuTime()),
                    Math.max(0, loop),
                    gcMillis * 1_000_000,
                    LINUX ? Proc.udpDrops(ownPorts) : 0,
                    serverCpu(),
                    LINUX && !serverPorts.isEmpty() ? Proc.udpDrops(serverPorts) : 0);
        }

        private long serverCpu() throws IOException {
            long nanos = 0;
            for (long pid : serverPids) {
                var process = ProcessHandle.of(pid);
                if (process.isPresent()) {
                    nanos += Proc.cpuNanos(process.get());
                }
            }
            return nanos;
        }
    }

    ProcessCosts minus(ProcessCosts earlier) {
        return new ProcessCosts(
                cpuNanos - earlier.cpuNanos,
                loopNanos - earlier.loopNanos,
                gcNanos - earlier.gcNanos,
                drops - earlier.drops,
                serverCpuNanos - earlier.serverCpuNanos,
                serverDrops - earlier.serverDrops);
    }
}

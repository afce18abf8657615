package io.carillon.bench.compare;

import io.carillon.bench.load.LatencyProbe;
import io.carillon.bench.load.Peer;
import io.carillon.bench.load.Sipp;
import io.carillon.bench.load.SippPair;
import io.carillon.bench.peers.Ports;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * One measured window: the load fills the lingering transactions, then the server's CPU is read at
 * both ends of the measured time while the probe times forwarded messages.
 *
 * @param rate calls per second
 * @param cpuMicrosPerCall CPU (utime + stime of the process tree) per call, microseconds
 * @param loadMicrosPerCall the same of the load, both sides
 * @param p50Millis added latency per forwarded message
 * @param memoryBytes of the process tree at the window's end
 * @param failed calls that the caller did not end well, and messages that the probe lost
 * @param retransmissions counted by both sides of the load, sent and received
 * @param drops datagrams that the kernel dropped on server and load sockets
 * @param othersPercent of the machine's CPU time that processes outside of this run took
 * @param stealPercent of the machine's CPU time that the host took
 */
record Window(
        String server,
        int rate,
        double cpuMicrosPerCall,
        double loadMicrosPerCall,
        double p50Millis,
        double p99Millis,
        long memoryBytes,
        long calls,
        long failed,
        long retransmissions,
        long drops,
        double othersPercent,
        double stealPercent) {

    private static final int PROBE_PAUSE_MILLIS = 50;

    /** A window counts only when nothing was lost, repeated or dropped in it. */
    boolean clean() {
        return failed == 0 && retransmissions == 0 && drops == 0;
    }

    /** What is read while the load runs. */
    private record Reading(
            double cpuMicrosPerCall,
            double loadMicrosPerCall,
            Histogram nanos,
            int lost,
            long memoryBytes,
            long drops,
            Occupation.Shares shares) {}

    static Window measure(Peer peer, Trial trial, int rate, Path folder)
            throws IOException, InterruptedException {
        Shape shape = trial.shape();
        long calls = (long) rate * (shape.fillSeconds() + shape.measureSeconds() + 2);
        Reading reading = read(peer, trial, rate, calls, folder);
        Sipp.Counts caller = SippPair.callerCounts(folder);
        Sipp.Counts callee = SippPair.calleeCounts(folder);
        return new Window(
                peer.name(),
                rate,
                reading.cpuMicrosPerCall(),
                reading.loadMicrosPerCall(),
                reading.nanos().getValueAtPercentile(50) / 1e6,
                reading.nanos().getValueAtPercentile(99) / 1e6,
                reading.memoryBytes(),
                caller.succeeded() + caller.failed(),
                calls - caller.succeeded() + reading.lost(),
                caller.retransmissions() + callee.retransmissions(),
                reading.drops(),
                reading.shares().othersPercent(),
                reading.shares().stealPercent());
    }

    private static Reading read(Peer peer, Trial trial, int rate, long calls, Path folder)
            throws IOException, InterruptedException {
        Ports ports = trial.site().ports();
        long dropsBefore = Proc.udpDrops(List.of(peer.port()));
        try (SippPair sipp = SippPair.start(trial.load(peer.port(), rate, calls), folder);
                LatencyProbe probe =
                        new LatencyProbe(peer.port(), ports.probeCaller(), ports.probeCallee())) {
            Pause.millis(1000L * trial.shape().fillSeconds());
            Occupation before = Occupation.now();
            long cpu = peer.cpuNanos();
            long loadCpu = sipp.cpuNanos();
            long begin = System.nanoTime();
            long end = begin + trial.shape().measureSeconds() * 1_000_000_000L;
            while (System.nanoTime() - end < 0) {
                probe.call();
                Pause.millis(PROBE_PAUSE_MILLIS);
            }
            double measuredCalls = rate * ((System.nanoTime() - begin) / 1e9);
            double perCall = (peer.cpuNanos() - cpu) / 1e3 / measuredCalls;
            double loadPerCall = (sipp.cpuNanos() - loadCpu) / 1e3 / measuredCalls;
            Occupation after = Occupation.now();
            long memory = peer.memoryBytes();
            List<Integer> sockets = List.of(peer.port(), ports.callee(), ports.caller());
            long drops = Proc.udpDrops(sockets) - dropsBefore;
            sipp.await(trial.shape().holdMillis() / 1000 + 60L);
            return new Reading(
                    perCall,
                    loadPerCall,
                    probe.nanos(),
                    probe.lost(),
                    memory,
                    drops,
                    after.since(before, Runtime.getRuntime().availableProcessors()));
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-14s %7.1f us/call  p50 %.3f ms  p99 %.3f ms  %4.0f MB  %d calls, %d failed,"
                        + " %d retransmissions, %d drops; others %.1f %%, steal %.1f %%",
                server,
                cpuMicrosPerCall,
                p50Millis,
                p99Millis,
                memoryBytes / 1e6,
                calls,
                failed,
                retransmissions,
                drops,
                othersPercent,
                stealPercent);
    }
}

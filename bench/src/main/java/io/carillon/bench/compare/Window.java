package io.carillon.bench.compare;

import io.carillon.bench.load.LatencyProbe;
import io.carillon.bench.load.Peer;
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
            Occupation.Shares shares,
            Load.Tally tally) {}

    static Window measure(Peer peer, Trial trial, int rate, Path folder)
            throws IOException, InterruptedException {
        Reading reading = read(peer, trial, rate, folder);
        Load.Tally tally = reading.tally();
        return new Window(
                peer.name(),
                rate,
                reading.cpuMicrosPerCall(),
                reading.loadMicrosPerCall(),
                reading.nanos().getValueAtPercentile(50) / 1e6,
                reading.nanos().getValueAtPercentile(99) / 1e6,
                reading.memoryBytes(),
                tally.calls(),
                tally.failed() + reading.lost(),
                tally.retransmissions(),
                reading.drops(),
                reading.shares().othersPercent(),
                reading.shares().stealPercent());
    }

    private static Reading read(Peer peer, Trial trial, int rate, Path folder)
            throws IOException, InterruptedException {
        Shape shape = trial.shape();
        Ports ports = trial.site().ports();
        // Calls go on a little after the reading.
        int seconds = shape.fillSeconds() + shape.measureSeconds() + 2;
        long dropsBefore = Proc.udpDrops(List.of(peer.port()));
        try (Load.Running load = trial.load().start(peer.port(), rate, seconds, folder);
                LatencyProbe probe =
                        new LatencyProbe(peer.port(), ports.probeCaller(), ports.probeCallee())) {
            Pause.millis(1000L * shape.fillSeconds());
            Occupation before = Occupation.now();
            long cpu = peer.cpuNanos();
            long loadCpu = load.cpuNanos();
            long begin = System.nanoTime();
            long end = begin + shape.measureSeconds() * 1_000_000_000L;
            while (System.nanoTime() - end < 0) {
                probe.call();
                Pause.millis(PROBE_PAUSE_MILLIS);
            }
            double measuredCalls = rate * ((System.nanoTime() - begin) / 1e9);
            double perCall = (peer.cpuNanos() - cpu) / 1e3 / measuredCalls;
            double loadPerCall = (load.cpuNanos() - loadCpu) / 1e3 / measuredCalls;
            Occupation.Shares shares = Occupation.now().since(before);
            long memory = peer.memoryBytes();
            List<Integer> sockets = List.of(peer.port(), ports.callee(), ports.caller());
            long drops = Proc.udpDrops(sockets) - dropsBefore;
            return new Reading(
                    perCall,
                    loadPerCall,
                    probe.nanos(),
                    probe.lost(),
                    memory,
                    drops,
                    shares,
                    load.await());
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

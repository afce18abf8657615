package io.carillon.bench.load;

import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One measured window: the load fills the lingering transactions, then the server's CPU is read at
 * both ends of the measured time while the probe times forwarded messages.
 *
 * @param cpuMicrosPerCall CPU (utime + stime of the process tree) per call, microseconds
 * @param p50Millis added latency per forwarded message
 * @param failed calls that SIPp's caller did not end well, and messages that the probe lost
 * @param retransmissions counted by both SIPp sides, sent and received
 * @param drops datagrams that the kernel dropped on server and load sockets
 */
record Window(
        String server,
        double cpuMicrosPerCall,
        double p50Millis,
        double p99Millis,
        long calls,
        long failed,
        long retransmissions,
        long drops) {

    private static final int PROBE_PAUSE_MILLIS = 50;

    /** A window counts only when nothing was lost, repeated or dropped in it. */
    boolean clean() {
        return failed == 0 && retransmissions == 0 && drops == 0;
    }

    /** What is read while the load runs. */
    private record Reading(double cpuMicrosPerCall, Histogram nanos, int lost, long drops) {}

    static Window measure(Peer peer, Settings settings, int rate, Path folder)
            throws IOException, InterruptedException {
        long calls = (long) rate * (settings.fillSeconds() + settings.measureSeconds() + 2);
        Reading reading = read(peer, settings, rate, calls, folder);
        Sipp.Counts caller = SippPair.callerCounts(folder);
        Sipp.Counts callee = SippPair.calleeCounts(folder);
        return new Window(
                peer.name(),
                reading.cpuMicrosPerCall(),
                reading.nanos().getValueAtPercentile(50) / 1e6,
                reading.nanos().getValueAtPercentile(99) / 1e6,
                caller.succeeded() + caller.failed(),
                calls - caller.succeeded() + reading.lost(),
                caller.retransmissions() + callee.retransmissions(),
                reading.drops());
    }

    private static Reading read(Peer peer, Settings settings, int rate, long calls, Path folder)
            throws IOException, InterruptedException {
        long dropsBefore = Proc.udpDrops(List.of(peer.port()));
        try (SippPair sipp = SippPair.start(settings.load(peer.port(), rate, calls), folder);
                LatencyProbe probe = new LatencyProbe(peer.port())) {
            Pause.millis(1000L * settings.fillSeconds());
            long cpu = peer.cpuNanos();
            long begin = System.nanoTime();
            long end = begin + settings.measureSeconds() * 1_000_000_000L;
            while (System.nanoTime() < end) {
                probe.call();
                Pause.millis(PROBE_PAUSE_MILLIS);
            }
            double measuredCalls = rate * ((System.nanoTime() - begin) / 1e9);
            double perCall = (peer.cpuNanos() - cpu) / 1e3 / measuredCalls;
            long drops = Proc.udpDrops(List.of(peer.port(), 5071, 5081)) - dropsBefore;
            sipp.await(settings.holdMillis() / 1000 + 60L);
            return new Reading(perCall, probe.nanos(), probe.lost(), drops);
        }
    }

    @Override
    public String toString() {
        return "%-9s %7.1f us/call  p50 %.3f ms  p99 %.3f ms  %d calls, %d failed, %d retransmissions, %d drops"
                .formatted(
                        server,
                        cpuMicrosPerCall,
                        p50Millis,
                        p99Millis,
                        calls,
                        failed,
                        retransmissions,
                        drops);
    }
}

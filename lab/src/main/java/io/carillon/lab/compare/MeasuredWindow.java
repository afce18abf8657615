package io.carillon.lab.compare;

import io.carillon.lab.peers.Ports;
import io.carillon.lab.process.CpuOccupation;
import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.rig.LatencyProbe;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One measured window: the load fills the lingering transactions, then the server's CPU is read at
 * both ends of the measured time while the probe times forwarded messages.
 *
 * @param rate calls per second
 * @param cpuMicrosPerCall CPU (utime + stime of the process tree) per call, microseconds
 * @param loadMicrosPerCall the same of the load, both sides
 * @param p50Millis added latency per forwarded message; over streams the time from INVITE to 200
 * @param memoryBytes of the process tree at the window's end
 * @param failed calls that the caller did not end well, and messages that the probe lost
 * @param retransmissions counted by both sides of the load, sent and received
 * @param drops datagrams that the kernel dropped on server and load sockets
 * @param late answers later than 200 ms, where the load counts them; else -1
 * @param opened connections that were opened or ended while it was read
 * @param tls version and cipher suite of the load's connections; empty without TLS
 * @param othersPercent of the machine's CPU time that processes outside of this run took
 * @param stealPercent of the machine's CPU time that the host took
 */
record MeasuredWindow(
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
        long late,
        int opened,
        String tls,
        double othersPercent,
        double stealPercent) {

    private static final int PROBE_PAUSE_MILLIS = 50;
    private static final long CONNECTED_SECONDS = 60;

    /** Nothing was lost, repeated or dropped in it, and its connections were there before. */
    boolean clean() {
        return failed == 0 && retransmissions == 0 && drops == 0 && opened == 0;
    }

    /** What is read while the load runs. */
    private record Reading(
            double cpuMicrosPerCall,
            double loadMicrosPerCall,
            Times times,
            int lost,
            long memoryBytes,
            long drops,
            int opened,
            Disturbance machine,
            Load.Tally tally) {}

    static MeasuredWindow measure(ServerProcess peer, ComparisonSetup trial, int rate, Path folder)
            throws IOException {
        Reading reading = read(peer, trial, rate, folder);
        Load.Tally tally = reading.tally();
        return new MeasuredWindow(
                peer.name(),
                rate,
                reading.cpuMicrosPerCall(),
                reading.loadMicrosPerCall(),
                reading.times().p50Millis(),
                reading.times().p99Millis(),
                reading.memoryBytes(),
                tally.calls(),
                tally.failed() + reading.lost(),
                tally.retransmissions(),
                reading.drops(),
                tally.late(),
                reading.opened(),
                tally.tls(),
                100 * reading.machine().others(),
                100 * reading.machine().steal());
    }

    /** What the probe saw, or over streams, where there is none, the load. */
    private record Times(double p50Millis, double p99Millis) {
        static Times of(@Nullable LatencyProbe probe, Load.Tally tally) {
            if (probe == null) {
                return new Times(tally.p50Millis(), tally.p99Millis());
            }
            Histogram nanos = probe.nanos();
            return new Times(
                    nanos.getValueAtPercentile(50) / 1e6, nanos.getValueAtPercentile(99) / 1e6);
        }
    }

    private static Reading read(ServerProcess peer, ComparisonSetup trial, int rate, Path folder)
            throws IOException {
        LoadShape shape = trial.shape();
        Ports ports = trial.site().ports();
        // Calls go on a little after the reading.
        int seconds = shape.fillSeconds() + shape.measureSeconds() + 2;
        List<Integer> sockets = List.of(peer.port(), ports.callee(), ports.caller());
        long dropsBefore = peer.drops();
        boolean datagrams = trial.site().transport() == Transport.UDP;
        try (Load.Running load = trial.load().start(peer.port(), rate, seconds, folder);
                LatencyProbe probe = datagrams ? probe(peer, trial) : null) {
            if (!datagrams) {
                awaitConnection(peer, folder);
            }
            Pause.millis(1000L * shape.fillSeconds());
            peer.checkAlive();
            TcpConnections open = TcpConnections.now(sockets);
            CpuOccupation before = CpuOccupation.now();
            long cpu = peer.cpuNanos();
            long loadCpu = load.cpuNanos();
            long begin = System.nanoTime();
            probeUntil(begin + shape.measureSeconds() * 1_000_000_000L, probe);
            double measuredCalls = rate * ((System.nanoTime() - begin) / 1e9);
            double perCall = (peer.cpuNanos() - cpu) / 1e3 / measuredCalls;
            double loadPerCall = (load.cpuNanos() - loadCpu) / 1e3 / measuredCalls;
            Disturbance machine = CpuOccupation.now().since(before);
            int opened = TcpConnections.now(sockets).changedSince(open);
            long memory = peer.memoryBytes();
            long drops = Proc.udpDrops(sockets) - dropsBefore;
            Load.Tally tally = load.await();
            return new Reading(
                    perCall,
                    loadPerCall,
                    Times.of(probe, tally),
                    probe == null ? 0 : probe.lost(),
                    memory,
                    drops,
                    opened,
                    machine,
                    tally);
        }
    }

    /** The load warms itself up first: its calls begin with its connection. */
    private static void awaitConnection(ServerProcess peer, Path folder) throws IOException {
        long deadline = System.nanoTime() + CONNECTED_SECONDS * 1_000_000_000L;
        while (TcpConnections.now(List.of(peer.port())).count() == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "the load did not connect to " + peer.name() + "; see " + folder);
            }
            Pause.millis(PROBE_PAUSE_MILLIS);
        }
    }

    private static LatencyProbe probe(ServerProcess peer, ComparisonSetup trial)
            throws IOException {
        Ports ports = trial.site().ports();
        return new LatencyProbe(
                peer.port(),
                ports.probeCaller(),
                ports.probeCallee(),
                trial.site().application().user());
    }

    private static void probeUntil(long end, @Nullable LatencyProbe probe) throws IOException {
        while (System.nanoTime() - end < 0) {
            if (probe != null) {
                probe.call();
            }
            Pause.millis(PROBE_PAUSE_MILLIS);
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-14s %7.1f us/call  p50 %.3f ms  p99 %.3f ms  %4.0f MB  %d calls, %d failed,"
                        + " %d retransmissions, %d drops%s%s%s; others %.1f %%, steal %.1f %%",
                server,
                cpuMicrosPerCall,
                p50Millis,
                p99Millis,
                memoryBytes / 1e6,
                calls,
                failed,
                retransmissions,
                drops,
                late < 0 ? "" : ", " + late + " late",
                opened == 0 ? "" : ", " + opened + " connections came or went",
                tls.isEmpty() ? "" : "; " + tls,
                othersPercent,
                stealPercent);
    }
}

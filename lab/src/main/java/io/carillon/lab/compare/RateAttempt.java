package io.carillon.lab.compare;

import io.carillon.lab.peers.Ports;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A rate that was tried for a minute or so.
 *
 * @param serverShare share of one CPU that the server used, over the second half
 * @param loadShare the same of the load
 * @param drops datagrams that the kernel dropped on the server's socket
 * @param loadDrops the same on the load's sockets
 * @param ended false where the load had to be ended, its calls unfinished: all count as failed
 */
record RateAttempt(
        String server,
        int rate,
        int seconds,
        double serverShare,
        double loadShare,
        long failed,
        long retransmissions,
        long drops,
        long loadDrops,
        boolean ended) {

    /** A load whose processes use so much of their CPU tells of itself, not of the server. */
    private static final double LOAD_IS_FULL = 0.9;

    /** A server with so much of its CPU left has not reached its end. */
    private static final double SERVER_IS_FULL = 0.9;

    boolean clean() {
        return ended && failed == 0 && retransmissions == 0 && drops == 0 && loadDrops == 0;
    }

    /** Whether it was the load that could not do more. */
    boolean loadWasTheLimit() {
        boolean loadInTrouble = loadShare >= LOAD_IS_FULL || loadDrops > 0;
        return !clean() && loadInTrouble && serverShare < SERVER_IS_FULL && drops == 0;
    }

    static RateAttempt measure(ServerProcess peer, ComparisonSetup trial, int rate, Path folder)
            throws IOException {
        int seconds = trial.shape().measureSeconds();
        Ports ports = trial.site().ports();
        long dropsBefore = peer.drops();
        try (Load.Running load = trial.load().start(peer.port(), rate, seconds, folder)) {
            Pause.millis(500L * seconds);
            long half = System.nanoTime();
            long serverCpu = peer.cpuNanos();
            long loadCpu = load.cpuNanos();
            Pause.millis(Math.max(1, 490L * seconds));
            double nanos = System.nanoTime() - half;
            double serverShare = (peer.cpuNanos() - serverCpu) / nanos;
            double loadShare = (load.cpuNanos() - loadCpu) / nanos;
            long loadDrops = Proc.udpDrops(List.of(ports.callee(), ports.caller()));
            boolean ended = true;
            long failed = (long) rate * seconds;
            long retransmissions = 0;
            try {
                Load.Tally tally = load.await();
                failed = tally.failed();
                retransmissions = tally.retransmissions();
            } catch (LoadProcess.Unfinished e) {
                ended = false;
            }
            long drops = peer.drops() - dropsBefore;
            return new RateAttempt(
                    peer.name(),
                    rate,
                    seconds,
                    serverShare,
                    loadShare,
                    failed,
                    retransmissions,
                    drops,
                    loadDrops,
                    ended);
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-14s %6d/s for %d s: %s; server %.0f %%, load %.0f %% of a CPU; %d failed,"
                        + " %d retransmissions, %d drops at the server, %d at the load%s%s",
                server,
                rate,
                seconds,
                clean() ? "clean" : "NOT CLEAN",
                100 * serverShare,
                100 * loadShare,
                failed,
                retransmissions,
                drops,
                loadDrops,
                loadWasTheLimit() ? "; the load is the limit" : "",
                ended ? "" : "; its calls did not end");
    }
}

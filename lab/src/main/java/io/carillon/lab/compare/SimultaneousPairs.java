package io.carillon.lab.compare;

import io.carillon.lab.process.PairRatio;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.LatencyProbe;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two servers under the same load at the same time, on the same core: what the machine's neighbours
 * take or leave, both get in the same second. Each pair of readings is of the same time, so that a
 * few percent are seen where windows one after the other differ by tens.
 */
final class SimultaneousPairs {
    private static final int PROBE_PAUSE_MILLIS = 50;

    private SimultaneousPairs() {}

    /**
     * Prints each pair and their ratio.
     *
     * @param limit the most that the ratio may be; 0: anything
     * @return false when a call failed, anything was repeated, or the ratio is above the limit
     */
    static boolean compare(
            int rate,
            List<ServerProcess> peers,
            ComparisonSetup trial,
            double limit,
            Path folder,
            PrintStream console)
            throws IOException {
        console.printf(
                "%n%s, %d calls/s at each server at the same time, hold %d ms%n",
                trial.site().application().name(), rate, trial.shape().holdMillis());
        LoadShape shape = trial.shape();
        long seconds = shape.fillSeconds() + (long) shape.pairs() * shape.measureSeconds() + 2;
        List<Path> folders = new ArrayList<>();
        for (ServerProcess peer : peers) {
            folders.add(folder.resolve(rate + "-together-" + peer.name()));
        }
        Read read;
        try (SippPair first = start(0, peers, trial, rate, seconds, folders);
                SippPair second = start(1, peers, trial, rate, seconds, folders)) {
            Pause.millis(1000L * trial.shape().fillSeconds());
            read = read(rate, peers, trial, console);
            first.await(trial.shape().holdMillis() / 1000 + 60L);
            second.await(trial.shape().holdMillis() / 1000 + 60L);
        }
        boolean clean = read.lost() == 0;
        for (int i = 0; i < peers.size(); i++) {
            Sipp.Counts caller = SippPair.callerCounts(folders.get(i));
            Sipp.Counts callee = SippPair.calleeCounts(folders.get(i));
            long failed = rate * seconds - caller.succeeded();
            long retransmissions = caller.retransmissions() + callee.retransmissions();
            long drops = peers.get(i).drops();
            console.printf(
                    "%-9s %d calls, %d failed, %d retransmissions, %d drops%n",
                    peers.get(i).name(), rate * seconds, failed, retransmissions, drops);
            clean &= failed == 0 && retransmissions == 0 && drops == 0;
        }
        boolean within = limit == 0 || within(limit, read.ratio(), console);
        return clean && within;
    }

    /** By the median: an interval of so few pairs says what the machine did. */
    private static boolean within(double limit, PairRatio ratio, PrintStream console) {
        boolean holds = ratio.median() <= limit;
        console.printf(
                Locale.ROOT,
                "median ratio %.3f, limit %.3f: it %s%n",
                ratio.median(),
                limit,
                holds ? "holds" : "does NOT hold");
        return holds;
    }

    /**
     * What the pairs said.
     *
     * @param lost probes
     */
    private record Read(PairRatio ratio, int lost) {}

    private static SippPair start(
            int index,
            List<ServerProcess> peers,
            ComparisonSetup trial,
            int rate,
            long seconds,
            List<Path> folders)
            throws IOException {
        int port = peers.get(index).port();
        SippPair.Load load =
                index == 0
                        ? trial.sipp(port, rate, rate * seconds)
                        : trial.second(port, rate, rate * seconds);
        return SippPair.start(load, folders.get(index), trial.sippUser());
    }

    private static Read read(
            int rate, List<ServerProcess> peers, ComparisonSetup trial, PrintStream console)
            throws IOException {
        List<Double> ratios = new ArrayList<>();
        String user = trial.site().application().user();
        try (LatencyProbe first = new LatencyProbe(peers.get(0).port(), 0, 0, user);
                LatencyProbe second = new LatencyProbe(peers.get(1).port(), 0, 0, user)) {
            for (int pair = 0; pair < trial.shape().pairs(); pair++) {
                long cpuOfFirst = peers.get(0).cpuNanos();
                long cpuOfSecond = peers.get(1).cpuNanos();
                long begin = System.nanoTime();
                while (System.nanoTime()
                        < begin + trial.shape().measureSeconds() * 1_000_000_000L) {
                    // In turn, so that neither is always the one behind the pause.
                    (pair % 2 == 0 ? first : second).call();
                    (pair % 2 == 0 ? second : first).call();
                    Pause.millis(PROBE_PAUSE_MILLIS);
                }
                double calls = rate * ((System.nanoTime() - begin) / 1e9);
                double micros = (peers.get(0).cpuNanos() - cpuOfFirst) / 1e3 / calls;
                double others = (peers.get(1).cpuNanos() - cpuOfSecond) / 1e3 / calls;
                ratios.add(micros / others);
                console.printf(
                        "%s %.1f, %s %.1f us/call: %.3f%n",
                        peers.get(0).name(), micros, peers.get(1).name(), others, micros / others);
            }
            print(peers.get(0), first, console);
            print(peers.get(1), second, console);
            PairRatio ratio = PairRatio.of(ratios);
            console.printf("ratio of CPU per call at %d calls/s: %s%n", rate, ratio);
            return new Read(ratio, first.lost() + second.lost());
        }
    }

    private static void print(ServerProcess peer, LatencyProbe probe, PrintStream console) {
        console.printf(
                "%-9s added latency p50 %.3f ms, p99 %.3f ms, %d probes lost%n",
                peer.name(),
                probe.nanos().getValueAtPercentile(50) / 1e6,
                probe.nanos().getValueAtPercentile(99) / 1e6,
                probe.lost());
    }
}

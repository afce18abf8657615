package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A server process under SIPp's load.
 *
 * @param readyAt when it took calls first, as {@link System#nanoTime} has it
 */
record LiveServer(ServerProcess peer, ComparisonSetup trial, long readyAt)
        implements ServerUnderTest {
    /** Starts a server with its logs under the folder, and warms it up. */
    static LiveServer start(
            Contender contender, ComparisonSetup trial, Path folder, PrintStream console)
            throws IOException {
        ServerProcess peer = contender.start(trial.site(), folder.resolve("servers"));
        LiveServer server = new LiveServer(peer, trial, System.nanoTime());
        try {
            server.warmUp(folder.resolve("warm-up-" + peer.name() + "-" + peer.pid()), console);
        } catch (IOException e) {
            try (peer) {
                throw e;
            }
        }
        return server;
    }

    /** Rises to the least of the rates: a cold JVM compiles on the core that serves the calls. */
    private void warmUp(Path folder, PrintStream console) throws IOException {
        LoadShape shape = trial.shape();
        int full = Math.min(1000, shape.rates().stream().min(Integer::compare).orElse(1));
        console.printf(
                "warm-up of %s: %d s at up to %d calls/s%n", name(), shape.warmupSeconds(), full);
        for (int percent : new int[] {10, 40, 100}) {
            int rate = Math.max(1, full * percent / 100);
            int seconds = shape.warmupSeconds() * (percent == 100 ? 2 : 1) / 4;
            if (seconds > 0) {
                Path place = folder.resolve(rate + "-per-second");
                try (Load.Running load = trial.load().start(peer.port(), rate, seconds, place)) {
                    load.await();
                }
                peer.checkAlive();
            }
        }
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public MeasuredWindow window(int rate, Path place) throws IOException {
        return MeasuredWindow.measure(peer, trial, rate, place);
    }

    @Override
    public long secondsSinceReady() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - readyAt);
    }

    @Override
    public void idle(long seconds) throws IOException {
        Pause.millis(TimeUnit.SECONDS.toMillis(seconds));
        peer.checkAlive();
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}

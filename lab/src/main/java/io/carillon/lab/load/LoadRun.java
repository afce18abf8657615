package io.carillon.lab.load;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One load over the network, from the first call to the summary. Owner: the calling thread. */
final class LoadRun {
    private static final long SECOND = 1_000_000_000L;

    private final LoadSettings settings;
    private final PrintStream console;
    private volatile boolean stopAsked;

    LoadRun(LoadSettings settings, PrintStream console) {
        this.settings = settings;
        this.console = console;
    }

    /** Ends the load before its time; any thread. */
    void stop() {
        stopAsked = true;
    }

    LoadSummary run() throws IOException {
        try (JsonOut json = new JsonOut(settings.json(), settings.jsonLines());
                LoadNetwork network =
                        new LoadNetwork(
                                settings.transport(),
                                settings.local(),
                                settings.callerPort(),
                                settings.calleePort())) {
            LoadSummary summary = new Course(network, json).run();
            json.summary(summary);
            return summary;
        }
    }

    /** What belongs to the network of one run. */
    private final class Course {
        private final LoadNetwork network;
        private final JsonOut json;
        private final OwnCost.Reader costs;
        private final Arrivals arrivals;
        private final LoadEngine engine;

        Course(LoadNetwork network, JsonOut json) {
            this.network = network;
            this.json = json;
            List<InetSocketAddress> bound = network.addresses();
            costs =
                    new OwnCost.Reader(
                            bound.stream().map(InetSocketAddress::getPort).toList(),
                            settings.serverPorts(),
                            settings.serverPids());
            Places places =
                    new Places(settings.transport(), settings.server(), bound.get(0), bound.get(1));
            long start = System.nanoTime() + 50_000_000L;
            arrivals =
                    new Arrivals(
                            settings.rate(),
                            settings.poisson(),
                            settings.calls(),
                            start,
                            settings.duration().plus(settings.warmup()).toNanos(),
                            start);
            engine =
                    new LoadEngine(
                            settings.callPlan(places),
                            places,
                            arrivals,
                            settings.warmup().toNanos(),
                            network,
                            start);
        }

        LoadSummary run() throws IOException {
            network.warnings().forEach(console::println);
            long start = arrivals.startNanos();
            OwnCost begin = costs.read(-1);
            Sampler sampler = new Sampler(start, !settings.serverPids().isEmpty(), begin);
            network.start(engine);
            OwnCost warm = begin;
            OwnCost end = begin;
            boolean wasWarm = false;
            boolean ended = false;
            long endNanos = start;
            long heldMax = 0;
            for (long second = 1; ; second++) {
                Snapshot snapshot = at(start + second * SECOND);
                OwnCost cost = costs.read(network.loopThread());
                LoadSample sample = sampler.sample(snapshot, cost);
                heldMax = Math.max(heldMax, sample.held());
                json.sample(sample);
                console.println(line(sample));
                if (!wasWarm && snapshot.warm()) {
                    wasWarm = true;
                    warm = cost;
                }
                if (!ended) {
                    end = cost;
                    endNanos = snapshot.atNanos();
                    ended = snapshot.ended();
                }
                if (snapshot.ended() && snapshot.held() == 0) {
                    return summary(snapshot, heldMax, end.minus(warm), endNanos - start);
                }
            }
        }

        private Snapshot at(long nanos) throws IOException {
            while (System.nanoTime() < nanos) {
                Pause.millis(Math.clamp((nanos - System.nanoTime()) / 1_000_000, 1, 100));
                if (stopAsked && !engine.stopping()) {
                    network.execute(() -> engine.stop(System.nanoTime()));
                }
            }
            CompletableFuture<Snapshot> taken = new CompletableFuture<>();
            network.execute(() -> taken.complete(Snapshot.of(engine, System.nanoTime())));
            try {
                return taken.get(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the load was interrupted", e);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("the load's own event loop does not answer", e);
            }
        }

        private LoadSummary summary(Snapshot last, long heldMax, OwnCost used, long nanos) {
            LoadCounts counts = last.measured();
            var times = engine.stats().response();
            return new LoadSummary(
                    settings.workload().text(),
                    settings.rate().to(),
                    Math.max(0, nanos - settings.warmup().toNanos()) / 1e9,
                    counts.made,
                    counts.completed,
                    counts.failures(),
                    heldMax,
                    counts.retransmissionsSent,
                    counts.retransmissionsReceived,
                    counts.unexpected,
                    counts.late,
                    Sampler.millis(times, 50),
                    Sampler.millis(times, 95),
                    Sampler.millis(times, 99),
                    Sampler.millis(times, 99.9),
                    times.getMaxValue() / 1e3,
                    Sampler.millis(engine.stats().lateness(), 99),
                    engine.stats().lateness().getMaxValue() / 1e3,
                    used.cpuNanos() / 1e3 / Math.max(1, counts.made),
                    used.gcNanos() / 1e6,
                    used.drops(),
                    false,
                    "",
                    settings.serverPids().isEmpty()
                            ? -1
                            : used.serverCpuNanos() / 1e3 / Math.max(1, counts.made),
                    used.serverDrops(),
                    List.of());
        }
    }

    private static String line(LoadSample s) {
        return String.format(
                Locale.ROOT,
                "%s  %.0f/s  made %d  completed %d  failed %d  held %d  again %d/%d  late %d  p50 %.2f p99 %.2f max %.1f ms  cpu %.0f %%",
                Times.clock(s.second()),
                s.rate(),
                s.made(),
                s.completed(),
                s.failed(),
                s.held(),
                s.retransmissionsSent(),
                s.retransmissionsReceived(),
                s.late(),
                s.p50Millis(),
                s.p99Millis(),
                s.maxMillis(),
                s.generatorCpu() * 100);
    }
}

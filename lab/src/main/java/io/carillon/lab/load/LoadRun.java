package io.carillon.lab.load;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One load over the network, from the first call to the summary. Owner: the calling thread. */
final class LoadRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_SECONDS = 30;

    private final LoadSettings settings;
    private final LoadView view;
    private volatile boolean stopAsked;

    LoadRun(LoadSettings settings, PrintStream console) {
        this.settings = settings;
        view = new LoadView(console, settings.live(), settings.title(), settings.seconds());
    }

    /** Ends the load before its time; any thread. */
    void stop() {
        stopAsked = true;
    }

    LoadSummary run() throws IOException {
        LoadSettings.Files files = settings.files();
        long warmUp = settings.selfWarmUp().toNanos() / 2;
        SelfWarmUp.inMemory(warmUp);
        try (JsonOut json = new JsonOut(files.json(), files.jsonLines());
                HistogramLog log = new HistogramLog(files.histogramLog());
                LoadNetwork network =
                        new LoadNetwork(
                                settings.transport(),
                                settings.calleeTransport(),
                                settings.local(),
                                settings.callerPort(),
                                settings.calleePort())) {
            network.warnings().forEach(view::say);
            LoadAddresses places =
                    new LoadAddresses(
                            settings.transport(),
                            settings.server(),
                            network.caller(),
                            network.callee(),
                            settings.calleeTransport());
            overSockets(network, places, warmUp);
            LoadSummary summary = course(network, places, json, log);
            json.summary(summary);
            view.summary(summary);
            return summary;
        }
    }

    private LoadSummary course(
            LoadNetwork network, LoadAddresses places, JsonOut json, HistogramLog log)
            throws IOException {
        LoadSettings.Pages pages = settings.pages();
        if (pages == null) {
            return new Course(network, places).run(json, log);
        }
        try (HttpTrigger page = new HttpTrigger(pages, network::execute)) {
            Course course = new Course(network, places);
            course.engine.trigger(page);
            LoadSummary summary = course.run(json, log);
            Path times = pages.times();
            if (times != null) {
                page.times().write(times);
            }
            return summary;
        }
    }

    /** The second part of the warm-up; ends when its calls have ended. */
    private void overSockets(LoadNetwork network, LoadAddresses places, long nanos)
            throws IOException {
        LoadAddresses direct = SelfWarmUp.direct(places);
        long start = System.nanoTime();
        LoadEngine engine =
                new LoadEngine(
                        SelfWarmUp.plan(direct),
                        direct,
                        SelfWarmUp.arrivals(settings.rate(), start, nanos),
                        0,
                        network,
                        ~start);
        network.use(engine);
        Snapshot now = snapshot(network, engine);
        while (!stopAsked
                && (!now.ended() || now.held() > 0)
                && System.nanoTime() < start + 4 * nanos) {
            Pause.millis(20);
            now = snapshot(network, engine);
        }
        if (nanos > 0 && now.all().completed == 0) {
            throw new IOException(
                    "no call between "
                            + LoadAddresses.print(places.caller())
                            + " and "
                            + LoadAddresses.print(places.callee())
                            + " of the load itself came through: is there a packet filter?");
        }
    }

    private static Snapshot snapshot(LoadNetwork network, LoadEngine engine) throws IOException {
        CompletableFuture<Snapshot> taken = new CompletableFuture<>();
        network.execute(() -> taken.complete(Snapshot.of(engine, System.nanoTime())));
        try {
            return taken.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the load was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the load's own event loop does not answer", e);
        }
    }

    /** What belongs to the calls at the server. */
    private final class Course {
        private final LoadNetwork network;
        private final ProcessCosts.Reader costs;
        private final LoadEngine engine;
        private final ProcessCosts before;
        private final long start;

        Course(LoadNetwork network, LoadAddresses places) throws IOException {
            this.network = network;
            costs =
                    new ProcessCosts.Reader(
                            java.util.List.of(places.caller().getPort(), places.callee().getPort()),
                            settings.serverPorts(),
                            settings.serverPids());
            before = costs.read(network.loopThread());
            // Last, so that nothing of ours delays the first call.
            start = System.nanoTime() + 50_000_000L;
            Arrivals arrivals =
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

        LoadSummary run(JsonOut json, HistogramLog log) throws IOException {
            network.use(engine);
            Sampler sampler = new Sampler(start, !settings.serverPids().isEmpty(), before);
            LoadTotals tally = new LoadTotals(before, network.localErrors(), start);
            for (long second = 1; ; second++) {
                Snapshot snapshot = at(start + second * SECOND);
                ProcessCosts cost = costs.read(network.loopThread());
                LoadSample sample = sampler.sample(snapshot, cost);
                log.interval(snapshot);
                json.sample(sample);
                view.show(sample, engine.stopping());
                tally.add(snapshot, sample, cost);
                if (snapshot.ended() && snapshot.held() == 0) {
                    return tally.summary(
                            settings,
                            snapshot,
                            engine.stats(),
                            network.localErrors(),
                            network.agreedTls());
                }
            }
        }

        private Snapshot at(long nanos) throws IOException {
            while (System.nanoTime() < nanos) {
                Pause.millis(Math.clamp((nanos - System.nanoTime()) / 1_000_000, 1, 250));
                if (stopAsked && !engine.stopping()) {
                    network.execute(() -> engine.stop(System.nanoTime()));
                    network.execute(network::rearm);
                }
            }
            return snapshot(network, engine);
        }
    }
}

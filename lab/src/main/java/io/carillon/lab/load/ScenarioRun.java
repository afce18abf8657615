package io.carillon.lab.load;

import io.carillon.lab.process.Proc;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A load of the user's own SIPp scenarios, made by the SIPp on PATH: one process for the callers
 * and, when a scenario for it is given, one for the callees. Its tables are read each second.
 * Owner: the calling thread.
 */
final class ScenarioRun {
    private static final long SECOND = 1_000_000_000L;

    /** Ctrl-C ends SIPp too, and may reach it so much before us. */
    private static final long SIGNAL_MILLIS = 250;

    /**
     * Exit codes of a SIPp that could run, as sipp(1) has them: all calls went well, one failed, an
     * internal command of the scenario ended it, it made no call.
     */
    private static final Set<Integer> RAN = Set.of(0, 1, 97, 99);

    private final LoadSettings settings;
    private final Scenarios scenarios;
    private final LoadView view;
    private final Histogram response = LoadStats.histogram();
    private final SippTables.ResponseTimes times = new SippTables.ResponseTimes();
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * @param uac the callers' scenario
     * @param uas the callees' scenario; null: the server answers
     * @param program SIPp's name or path
     * @param folder where SIPp leaves its tables and errors
     * @param more arguments for the callers' SIPp
     */
    record Scenarios(
            String program, Path uac, @Nullable Path uas, Path folder, List<String> more) {}

    ScenarioRun(LoadSettings settings, Scenarios scenarios, PrintStream console) {
        this.settings = settings;
        this.scenarios = scenarios;
        view = new LoadView(console, settings.live(), title(), settings.seconds());
    }

    private String title() {
        return scenarios.uac().getFileName()
                + " by SIPp at "
                + settings.rate()
                + " calls/s through "
                + server();
    }

    /** Ends the load before its time; any thread. */
    void stop() {
        stop.countDown();
    }

    private boolean stopAsked() {
        return stop.getCount() == 0;
    }

    LoadSummary run() throws IOException {
        Path callerFolder = Files.createDirectories(scenarios.folder().resolve("caller"));
        Path calleeFolder = Files.createDirectories(scenarios.folder().resolve("callee"));
        int calleePort = settings.calleePort() == 0 ? 15_071 : settings.calleePort();
        int callerPort = settings.callerPort() == 0 ? 15_081 : settings.callerPort();
        List<Process> running = new ArrayList<>();
        try (JsonOut json = new JsonOut(settings.files().json(), settings.files().jsonLines())) {
            Path uas = scenarios.uas();
            Process callee = null;
            if (uas != null) {
                callee = start(calleeFolder, uas, calleePort, List.of());
                running.add(callee);
            }
            String remote = uas == null ? server() : settings.local() + ":" + calleePort;
            Process caller =
                    start(callerFolder, scenarios.uac(), callerPort, callerArguments(remote));
            running.add(caller);
            ProcessCosts.Reader costs =
                    new ProcessCosts.Reader(
                            List.of(callerPort, calleePort),
                            settings.serverPorts(),
                            settings.serverPids());
            LoadSummary summary = follow(caller, callee, costs, json);
            json.summary(summary);
            view.summary(summary);
            return summary;
        } finally {
            running.forEach(Process::destroy);
        }
    }

    private String server() {
        return LoadAddresses.print(settings.server());
    }

    private List<String> callerArguments(String remote) {
        List<String> arguments = new ArrayList<>(List.of(remote, "-rsa", server()));
        double rate = settings.rate().from();
        arguments.addAll(List.of("-r", Long.toString(Math.round(rate * 1000)), "-rp", "1000000"));
        arguments.addAll(List.of("-m", Long.toString(calls()), "-l", "1000000"));
        arguments.addAll(List.of("-d", Long.toString(settings.hold().toMillis())));
        arguments.addAll(
                List.of("-trace_rtt", "-rtt_freq", Long.toString(Math.max(1, (long) rate / 4))));
        if (!settings.to().isEmpty()) {
            arguments.addAll(List.of("-s", settings.to()));
        }
        arguments.addAll(scenarios.more());
        return arguments;
    }

    private long calls() {
        double seconds = settings.duration().plus(settings.warmup()).toNanos() / 1e9;
        return Math.min(
                settings.calls(), Math.max(1, Math.round(settings.rate().from() * seconds)));
    }

    private Process start(Path folder, Path scenario, int port, List<String> more)
            throws IOException {
        List<String> command =
                new ArrayList<>(List.of(scenarios.program(), "-sf", scenario.toString()));
        command.addAll(more);
        command.addAll(List.of("-i", settings.local(), "-p", Integer.toString(port)));
        command.addAll(List.of("-t", settings.transport() == Transport.UDP ? "u1" : "t1"));
        command.addAll(List.of("-nostdin", "-trace_stat", "-trace_counts", "-fd", "1"));
        command.addAll(List.of("-trace_err", "-buff_size", "4194304"));
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("sipp.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "scenarios need SIPp, which is not on PATH (Debian: apt install sip-tester)",
                    e);
        }
    }

    private LoadSummary follow(
            Process caller, @Nullable Process callee, ProcessCosts.Reader costs, JsonOut json)
            throws IOException {
        Path callerFolder = scenarios.folder().resolve("caller");
        Path calleeFolder = scenarios.folder().resolve("callee");
        List<Process> all = callee == null ? List.of(caller) : List.of(callee, caller);
        long start = System.nanoTime();
        ScenarioCourse course = new ScenarioCourse(settings, start, cost(costs, all), response);
        for (long second = 1; ; second++) {
            boolean ended = await(caller, start + second * SECOND);
            Histogram interval = LoadStats.histogram();
            boolean warm = second > settings.warmup().toSeconds();
            for (double millis : times.next(callerFolder)) {
                interval.recordValue(Math.round(millis * 1000));
                if (warm) {
                    response.recordValue(Math.round(millis * 1000));
                }
            }
            SippTables now = SippTables.read(callerFolder).with(SippTables.read(calleeFolder));
            LoadSample sample =
                    course.second(System.nanoTime(), now, interval, cost(costs, all), ended);
            json.sample(sample);
            view.show(sample, stopAsked());
            check("callees'", callee, !ended, calleeFolder);
            if (ended) {
                check("callers'", caller, false, callerFolder);
                if (now.made() == 0) {
                    throw new IOException(
                            "SIPp ended with "
                                    + caller.exitValue()
                                    + " before its first call; it says why in "
                                    + callerFolder.resolve("sipp.log"));
                }
                return course.summary();
            }
        }
    }

    /**
     * Ends the load when a SIPp has ended that nobody asked to.
     *
     * @param sipp null: there is none
     * @param needed whether even an end without a fault is too early
     */
    private void check(String whose, @Nullable Process sipp, boolean needed, Path folder)
            throws IOException {
        if (sipp == null || sipp.isAlive() || (!needed && RAN.contains(sipp.exitValue()))) {
            return;
        }
        try {
            if (stop.await(SIGNAL_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        throw new IOException(
                "the "
                        + whose
                        + " SIPp ended with "
                        + sipp.exitValue()
                        + "; it says why in "
                        + folder.resolve("sipp.log"));
    }

    private static ScenarioCourse.Cost cost(ProcessCosts.Reader costs, List<Process> sipp)
            throws IOException {
        ProcessCosts own = costs.read(-1);
        List<Long> each = new ArrayList<>();
        long cpu = 0;
        for (Process process : sipp) {
            long nanos = process.isAlive() ? Proc.cpuNanos(process.toHandle()) : 0;
            each.add(nanos);
            cpu += nanos;
        }
        return new ScenarioCourse.Cost(
                new ProcessCosts(cpu, 0, 0, own.drops(), own.serverCpuNanos(), own.serverDrops()),
                each);
    }

    /** Waits until a time; true when the process ended before. */
    private boolean await(Process process, long nanos) throws IOException {
        while (System.nanoTime() < nanos) {
            if (stopAsked()) {
                // SIGUSR1 makes SIPp end its calls; Java can only send SIGTERM, which ends it at
                // once after its last tables.
                process.destroy();
            }
            try {
                long left = Math.clamp((nanos - System.nanoTime()) / 1_000_000, 1, 250);
                if (process.waitFor(left, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        return false;
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("the load was interrupted", e);
    }
}

package io.carillon.it.telemetry;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Many calls, a record for each, its length beside SIPp's; and a webhook whose receiver is away in
 * the middle.
 */
final class RecordsUnderLoad {
    private static final String KEY = "key-of-the-run";
    private static final long TAIL_SECONDS = 120;
    private static final double MEDIAN_MILLIS = 2;
    private static final double TAIL_MILLIS = 20;
    private static final int SPOOL_MIB = 512;

    /** Of a thousand calls at most one may have had a message that was sent again. */
    private static final int CALLS_FOR_EACH_REPEAT = 1_000;

    /**
     * How much.
     *
     * @param awaySeconds of the receiver
     */
    record Plan(int calls, int rate, int awaySeconds) {}

    private final Path folder;
    private final Verdicts verdicts;
    private final Plan plan;

    RecordsUnderLoad(Path folder, Verdicts verdicts, Plan plan) {
        this.folder = folder;
        this.verdicts = verdicts;
        this.plan = plan;
    }

    void run() throws IOException {
        RecordFolder records = new RecordFolder(folder.resolve("records"));
        Files.createDirectories(records.folder());
        Path spool = folder.resolve("spool");
        Path scenario = folder.resolve("caller.xml");
        Path root = Folders.root();
        Files.writeString(
                scenario,
                SippLengths.telling(Files.readString(root.resolve("lab/scenarios/uas-uac.xml"))));
        Path key = folder.resolve("key");
        Files.writeString(key, KEY);
        Path yaml = folder.resolve("carillon.yaml");
        try (WebhookReceiver receiver = WebhookReceiver.start(KEY)) {
            Files.writeString(
                    yaml,
                    """
                    cdr:
                      file: %s
                      webhook: %s
                      webhook-key-file: %s
                      spool: %s
                      spool-size: %d MiB
                    """
                            .formatted(records.file(), receiver.url(), key, spool, SPOOL_MIB));
            try (ServerProcess server =
                            ExampleServers.one(folder.resolve("home"), yaml, "uas").start(folder);
                    Sipp caller = caller(scenario, server)) {
                long most = beAway(receiver, spool, caller);
                caller.await(plan.calls() / plan.rate() + TAIL_SECONDS);
                undisturbed();
                int written = records.awaitFinals(plan.calls(), TAIL_SECONDS);
                verdicts.check(
                        plan.calls() + " calls at " + plan.rate() + "/s: " + written + " records",
                        written == plan.calls());
                lengths(records);
                delivered(receiver, most);
            }
        }
    }

    private Sipp caller(Path scenario, ServerProcess server) throws IOException {
        return Sipp.start(
                folder.resolve("caller"),
                List.of(
                        "-sf",
                        scenario.toString(),
                        "-key",
                        "user",
                        "uas",
                        "-p",
                        Integer.toString(ServerProcess.freePort()),
                        "-r",
                        Integer.toString(plan.rate()),
                        "-m",
                        Integer.toString(plan.calls()),
                        "-l",
                        "100000",
                        "-trace_logs",
                        "127.0.0.1:" + server.port()));
    }

    /** The receiver is away from the first quarter of the load on; most bytes of the spool. */
    private long beAway(WebhookReceiver receiver, Path spool, Sipp caller) throws IOException {
        Pause.millis(plan.calls() * 250L / plan.rate());
        receiver.away(true);
        long most = 0;
        for (int second = 0; second < plan.awaySeconds(); second++) {
            Pause.millis(1_000);
            most = Math.max(most, bytes(spool));
            caller.hasEnded(0);
        }
        receiver.away(false);
        return most;
    }

    private static long bytes(Path spool) throws IOException {
        if (!Files.exists(spool)) {
            return 0;
        }
        long all = 0;
        try (Stream<Path> files = Files.walk(spool)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try {
                    all += Files.size(file);
                } catch (java.nio.file.NoSuchFileException e) {
                    all += 0; // sent meanwhile
                }
            }
        }
        return all;
    }

    private void undisturbed() throws IOException {
        Sipp.Counts counts = Sipp.counts(folder.resolve("caller"));
        verdicts.check(
                "calls: %d went well, %d failed, %d messages were sent again"
                        .formatted(counts.succeeded(), counts.failed(), counts.retransmissions()),
                counts.failed() == 0
                        && counts.succeeded() == plan.calls()
                        && counts.retransmissions() * CALLS_FOR_EACH_REPEAT <= plan.calls());
    }

    private void lengths(RecordFolder records) throws IOException {
        Map<String, Long> sipps = SippLengths.millis(folder.resolve("caller"));
        Map<String, Double> ours = new HashMap<>();
        records.each(record -> {
            if (record.path("record").asString().equals("final")) {
                ours.put(
                        record.path("callId").asString(),
                        record.path("talkSeconds").asDouble() * 1_000);
            }
        });
        double[] differences =
                sipps.entrySet().stream()
                        .filter(one -> ours.containsKey(one.getKey()))
                        .mapToDouble(one ->
                                Math.abs(
                                        Objects.requireNonNull(ours.get(one.getKey()))
                                                - one.getValue()))
                        .sorted()
                        .toArray();
        if (differences.length == 0) {
            verdicts.check("SIPp told the lengths of its calls", false);
            return;
        }
        double median = differences[differences.length / 2];
        double tail = differences[(int) (differences.length * 0.999)];
        verdicts.check(
                "lengths of %d calls beside SIPp's: median difference %.1f ms, p99.9 %.1f ms"
                        .formatted(differences.length, median, tail),
                differences.length == plan.calls()
                        && median <= MEDIAN_MILLIS
                        && tail <= TAIL_MILLIS);
    }

    private void delivered(WebhookReceiver receiver, long most) throws IOException {
        for (int i = 0; i < TAIL_SECONDS && receiver.finals().size() < plan.calls(); i++) {
            Pause.millis(1_000);
        }
        verdicts.check(
                "the receiver was away for %d s and refused %d times; %d of %d records came, %d forged"
                        .formatted(
                                plan.awaySeconds(),
                                receiver.refused(),
                                receiver.finals().size(),
                                plan.calls(),
                                receiver.forged()),
                receiver.finals().size() == plan.calls() && receiver.forged() == 0);
        verdicts.check(
                "the spool had %.1f MiB at most, %d are allowed"
                        .formatted(most / 1_048_576.0, SPOOL_MIB),
                (most > 0) == (plan.awaySeconds() > 0) && most <= SPOOL_MIB * 1_048_576L);
    }
}

package io.carillon.it.telemetry;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A server that is killed with calls up, and what its next start says of them. */
final class RecordsOfKilled {
    private static final int CALLS = 50;

    private final Path folder;
    private final Verdicts verdicts;

    RecordsOfKilled(Path folder, Verdicts verdicts) {
        this.folder = folder;
        this.verdicts = verdicts;
    }

    void run() throws IOException {
        RecordFolder records = new RecordFolder(folder.resolve("records"));
        Files.createDirectories(records.folder());
        Path yaml = folder.resolve("carillon.yaml");
        Files.writeString(yaml, "cdr: { file: %s, interval: 1 s }%n".formatted(records.file()));
        Path root = Folders.root();
        try (ServerProcess server =
                ExampleServers.one(folder.resolve("home"), yaml, "uas").start(folder)) {
            try (Sipp caller =
                    Sipp.start(
                            folder.resolve("caller"),
                            List.of(
                                    "-sf",
                                    root.resolve("lab/scenarios/uas-uac.xml").toString(),
                                    "-key",
                                    "user",
                                    "uas",
                                    "-p",
                                    Integer.toString(ServerProcess.freePort()),
                                    "-d",
                                    "60000",
                                    "-r",
                                    "50",
                                    "-m",
                                    Integer.toString(CALLS),
                                    "127.0.0.1:" + server.port()))) {
                Pause.millis(6_000);
                verdicts.check("kill -9: SIPp's callers are alive", caller.cpuNanos() >= 0);
                server.kill();
                server.restart();
            }
            Pause.millis(1_000);
            List<JsonNode> lost = records.of("lost");
            verdicts.check(
                    "kill -9: of "
                            + CALLS
                            + " calls that were up the next start says lost of "
                            + lost.size(),
                    lost.size() == CALLS
                            && lost.stream()
                                            .map(one -> one.path("id").asString())
                                            .distinct()
                                            .count()
                                    == CALLS);
            verdicts.check(
                    "kill -9: each says until when it was known to be open",
                    lost.stream().allMatch(one -> one.has("seen")));
        }
    }
}

package io.carillon.lab.overload;

import io.carillon.lab.process.CpuQuota;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server of a study, with data of its own. Owner: one thread. */
final class TestServer implements AutoCloseable {
    private static final long LINGER_SECONDS = 90;

    private final Carillon carillon;
    private final OverloadStudy study;
    private @Nullable CpuQuota quota;

    /**
     * What the server holds when it has nothing to do.
     *
     * @param heap bytes of reachable objects
     */
    record Level(long heap, long sessions, long transactions) {}

    private TestServer(Carillon carillon, OverloadStudy study) {
        this.carillon = carillon;
        this.study = study;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param yaml its configuration
     * @param archives what it runs
     * @param router of several archives; null: there is one
     */
    static TestServer start(
            OverloadStudy study,
            String yaml,
            List<Path> archives,
            @Nullable Path router,
            Path folder)
            throws IOException, WrongSetting {
        Files.createDirectories(folder);
        Path config = folder.resolve("carillon.yaml");
        Files.writeString(config, yaml.isEmpty() ? "{}\n" : yaml);
        int port = ServerProcess.freePort();
        int http = ServerProcess.freePort();
        while (http == port) {
            http = ServerProcess.freePort();
        }
        CarillonLaunch launch =
                CarillonLaunch.of(Folders.root(), port)
                        .on(study.places().serverCpus())
                        .http(http)
                        .with("--config", config.toString())
                        .home(folder.resolve("home"))
                        .with(study.places().serverArguments());
        for (Path archive : archives) {
            launch = launch.running(archive);
        }
        if (router != null) {
            launch = launch.with("--router", router.toString());
        }
        return new TestServer(Carillon.start(launch, folder), study);
    }

    /** From now on it has the CPU that the study leaves it. */
    void lower() throws IOException {
        if (quota == null && study.lowering().limitsCpu()) {
            quota = CpuQuota.hold(pid(), study.lowering().quota());
        }
    }

    long pid() {
        return carillon.process().pid();
    }

    ServerProcess process() {
        return carillon.process();
    }

    /** As {@code ./carillon load --target} takes it. */
    String target() {
        return study.transport() + ":127.0.0.1:" + carillon.address().getPort();
    }

    JsonNode status() throws IOException {
        return carillon.status();
    }

    /** What it holds once the last transactions are over; a full collection stops it for that. */
    Level level() throws IOException {
        carillon.awaitNoTransactions(LINGER_SECONDS);
        JsonNode status = carillon.status();
        return new Level(
                carillon.liveBytes(),
                status.path("applicationSessions").asLong(),
                status.path("transactions").asLong());
    }

    @Override
    public void close() throws IOException {
        CpuQuota held = quota;
        try (carillon) {
            if (held != null) {
                held.close();
            }
        }
    }
}

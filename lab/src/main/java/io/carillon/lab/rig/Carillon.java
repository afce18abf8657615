package io.carillon.lab.rig;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.GcLog;
import io.carillon.lab.process.LiveHeap;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.RunningJvm;
import io.carillon.lab.process.ThreadTimes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A running Carillon that is asked what it does: by HTTP, by its JVM's own interface, and by the
 * log of its collector. Owner: one thread.
 */
public final class Carillon implements AutoCloseable {
    /** As long as {@code carillon status} waits. */
    private static final Duration STATUS_WITHIN = Duration.ofSeconds(10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerProcess process;
    private final int httpPort;
    private final Path gcLog;
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable RunningJvm jvm;

    private Carillon(ServerProcess process, int httpPort, Path gcLog) {
        this.process = process;
        this.httpPort = httpPort;
        this.gcLog = gcLog;
    }

    /**
     * Where and how one with an example runs, and the load on it.
     *
     * @param application the example that it runs
     * @param cpus CPUs to run on, as taskset takes them; empty: any
     * @param port for SIP
     * @param arguments passed on to {@code carillon run}
     */
    public record Place(
            Path root, String application, String cpus, int port, List<String> arguments) {
        /** HTTP is listened for so many ports above SIP. */
        private static final int HTTP_ABOVE = 13_020;

        CarillonLaunch launch() {
            return CarillonLaunch.of(root, port)
                    .on(cpus)
                    .http(port + HTTP_ABOVE)
                    .running(Folders.example(root, application))
                    .with(arguments);
        }

        /** Proxy-200 by SIPp, from ports that move with the server's. */
        public SippPair.Load load(String loadCpus, int rate, long calls, int holdMillis) {
            return new SippPair.Load(
                            Folders.scenarios(),
                            "proxy200",
                            port,
                            rate,
                            calls,
                            holdMillis,
                            loadCpus)
                    .on(port - CarillonLaunch.USUAL_PORT);
        }
    }

    /** Starts one with an example; its logs go to the folder. */
    public static Carillon start(Place place, Path folder) throws IOException {
        return start(place.launch(), folder);
    }

    /** Starts it; its logs go to the folder. Its HTTP port has to be a known one. */
    public static Carillon start(CarillonLaunch launch, Path folder) throws IOException {
        Path gcLog = folder.resolve("gc.log");
        CarillonLaunch logged =
                launch.with("--jvm", "-Xlog:gc,gc+phases:file=" + gcLog + ":uptime");
        return new Carillon(logged.start(folder), launch.httpPort(), gcLog);
    }

    /** Its process. */
    public ServerProcess process() {
        return process;
    }

    /** Where it listens for SIP. */
    public InetSocketAddress address() {
        return process.address();
    }

    /** Its HTTP port, on the same address. */
    public int httpPort() {
        return httpPort;
    }

    /** What the server says of itself, as {@code carillon status --json}. */
    public JsonNode status() throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/status"))
                        .header("Accept", "application/json")
                        .timeout(STATUS_WITHIN)
                        .build();
        try {
            return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Waits until no transaction lingers. */
    public void awaitNoTransactions(long seconds) throws IOException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        while (status().path("transactions").asLong() > 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("transactions are left after " + seconds + " s");
            }
            Pause.millis(500);
        }
    }

    /** Bytes of all objects that live, after a full collection, which stops the server. */
    public long liveBytes() throws IOException {
        return LiveHeap.of(process.pid());
    }

    /** Connects to its JVM, which does some work for that: before anything is measured. */
    public void attach() throws IOException {
        forgetJvm();
        jvm = RunningJvm.attach(process.pid());
    }

    /**
     * Bytes that all its Java threads have allocated, those that have ended included.
     *
     * @throws IllegalStateException before {@link #attach}
     */
    public long allocatedBytes() {
        RunningJvm asked = jvm;
        if (asked == null) {
            throw new IllegalStateException("nobody has attached to the JVM");
        }
        return asked.allocatedBytes();
    }

    /** CPU time by what its threads do. */
    public ThreadTimes threadTimes() throws IOException {
        return process.threadTimes();
    }

    /** Datagrams that the kernel dropped at its socket. */
    public long drops() throws IOException {
        return process.drops();
    }

    /** The collector's pauses since so many seconds after the JVM's start, longest last, millis. */
    public List<Double> pausesSince(double uptimeSeconds) throws IOException {
        return GcLog.pauses(Files.readAllLines(gcLog), uptimeSeconds);
    }

    private void forgetJvm() throws IOException {
        RunningJvm asked = jvm;
        if (asked != null) {
            jvm = null;
            asked.close();
        }
    }

    @Override
    public void close() throws IOException {
        try (process) {
            forgetJvm();
        }
    }
}

package io.carillon.lab.rig;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.GcLog;
import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
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
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A Carillon whose memory is measured: started by the launcher of this checkout, with a log of its
 * collector, and asked by HTTP and by its JVM's own interface. Owner: one thread.
 */
public final class MeasuredCarillon implements AutoCloseable {
    /** As long as {@code carillon status} waits. */
    private static final Duration STATUS_WITHIN = Duration.ofSeconds(10);

    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 30;

    /** HTTP is listened for so many ports above SIP. */
    private static final int HTTP_ABOVE = 13_020;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChildProcess process;
    private final RunningJvm jvm;
    private final int port;
    private final Path gcLog;
    private final HttpClient http = HttpClient.newHttpClient();

    private MeasuredCarillon(ChildProcess process, RunningJvm jvm, int port, Path gcLog) {
        this.process = process;
        this.jvm = jvm;
        this.port = port;
        this.gcLog = gcLog;
    }

    /**
     * Where and how it runs.
     *
     * @param application the example that it runs
     * @param cpus CPUs to run on, as taskset takes them; empty: any
     * @param port for SIP
     * @param arguments passed on to {@code carillon run}
     */
    public record Place(
            Path root, String application, String cpus, int port, List<String> arguments) {
        public SippPair.Load load(String loadCpus, int rate, long calls, int holdMillis) {
            return new SippPair.Load(
                            root.resolve("lab/scenarios"),
                            "proxy200",
                            port,
                            rate,
                            calls,
                            holdMillis,
                            loadCpus)
                    .on(port - PeerProcess.CARILLON_PORT);
        }
    }

    /** Starts one; its logs go to the folder. */
    public static MeasuredCarillon start(Place place, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path gcLog = folder.resolve("gc.log");
        Path archive = PeerProcess.example(place.root(), place.application());
        String sip = "127.0.0.1:" + place.port();
        List<String> command = new ArrayList<>();
        command.addAll(List.of(place.root() + "/carillon", "run", archive.toString()));
        command.addAll(List.of("--sip", "udp:" + sip + ",tcp:" + sip));
        command.addAll(List.of("--http", "127.0.0.1:" + (place.port() + HTTP_ABOVE)));
        command.addAll(List.of("--jvm", "-Xlog:gc,gc+phases:file=" + gcLog + ":uptime"));
        command.addAll(place.arguments());
        ChildProcess child =
                ChildProcess.start(
                        "carillon",
                        place.cpus(),
                        command,
                        folder.resolve("carillon.log"),
                        END_SECONDS);
        try {
            child.awaitLine("READY", START_SECONDS);
            return new MeasuredCarillon(child, RunningJvm.attach(child.pid()), place.port(), gcLog);
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** Where it listens for SIP. */
    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Its HTTP port, on the same address. */
    public int httpPort() {
        return port + HTTP_ABOVE;
    }

    /** What its JVM says of itself. */
    public RunningJvm jvm() {
        return jvm;
    }

    /** What the server says of itself, as {@code carillon status --json}. */
    public JsonNode status() throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + (port + HTTP_ABOVE) + "/status"))
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

    /** CPU time by what its threads do. */
    public ThreadTimes threadTimes() throws IOException {
        return ThreadTimes.of(process.pid());
    }

    /** Datagrams that the kernel dropped at its socket. */
    public long drops() throws IOException {
        return Proc.udpDrops(List.of(port));
    }

    /** The collector's pauses since so many seconds after the JVM's start, longest last, millis. */
    public List<Double> pausesSince(double uptimeSeconds) throws IOException {
        return GcLog.pauses(Files.readAllLines(gcLog), uptimeSeconds);
    }

    @Override
    public void close() throws IOException {
        try {
            jvm.close();
        } finally {
            process.close();
        }
    }
}

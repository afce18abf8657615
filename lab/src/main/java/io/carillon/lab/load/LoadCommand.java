package io.carillon.lab.load;

import io.carillon.net.ListeningPoint;
import io.carillon.net.resolve.HostLiteral;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./carillon load}: makes calls through a server and says how it bore them. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Makes calls through a SIP server, both sides of them, and counts and times what comes back.")
public final class LoadCommand implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--workload",
            defaultValue = "b2bua",
            description = "b2bua or proxy200 (${DEFAULT-VALUE})")
    private String workload = "";

    @Option(
            names = "--rate",
            defaultValue = "10",
            description = "calls per second, or a ramp FROM..TO:STEP/TIME (${DEFAULT-VALUE})")
    private String rate = "";

    @Option(
            names = "--arrivals",
            defaultValue = "even",
            description = "even or poisson (${DEFAULT-VALUE})")
    private String arrivals = "";

    @Option(
            names = "--duration",
            defaultValue = "10s",
            description = "time in which calls are made, after the warm-up (${DEFAULT-VALUE})")
    private String duration = "";

    @Option(
            names = "--warmup",
            defaultValue = "0",
            description = "time before, whose calls do not count (${DEFAULT-VALUE})")
    private String warmup = "";

    @Option(names = "--calls", defaultValue = "9223372036854775807", hidden = true)
    private long calls;

    @Option(names = "--hold", description = "talk time of a call")
    private @Nullable String hold;

    @Option(names = "--ring", description = "time until the callee answers")
    private @Nullable String ring;

    @Option(
            names = "--max-held",
            defaultValue = "200000",
            description = "calls that may be up at once (${DEFAULT-VALUE})")
    private long maxHeld;

    @Option(
            names = "--target",
            defaultValue = "udp:127.0.0.1:5060",
            description = "the server: udp:HOST:PORT or tcp:HOST:PORT (${DEFAULT-VALUE})")
    private String target = "";

    @Option(names = "--to", defaultValue = "", description = "Request-URI, or its user part")
    private String to = "";

    @Option(names = "--local", defaultValue = "", description = "our address")
    private String local = "";

    @Option(names = "--caller-port", defaultValue = "0", description = "our port of the callers")
    private int callerPort;

    @Option(names = "--callee-port", defaultValue = "0", description = "our port of the callees")
    private int calleePort;

    @Option(
            names = "--server-pid",
            paramLabel = "PID",
            split = ",",
            description = "the server's processes on this machine, to read their CPU")
    private List<Long> serverPids = List.of();

    @Option(names = "--json", paramLabel = "FILE", description = "write the summary as JSON")
    private @Nullable Path json;

    @Option(
            names = "--json-lines",
            paramLabel = "FILE",
            description = "write each second and the summary as lines of JSON")
    private @Nullable Path jsonLines;

    @Option(names = "--plain", description = "lines instead of a live view")
    private boolean plain;

    @Override
    public Integer call() {
        LoadSettings settings;
        try {
            settings = settings();
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("carillon load: " + e.getMessage());
            return 2;
        }
        try {
            LoadSummary summary = new LoadRun(settings, System.out).run();
            System.out.println(summary);
            return 0;
        } catch (IOException e) {
            System.err.println("carillon load: " + e.getMessage());
            return 2;
        }
    }

    private LoadSettings settings() throws IOException {
        Workload chosen = Workload.of(workload);
        if (chosen == null) {
            throw new IllegalArgumentException("--workload is b2bua or proxy200, not " + workload);
        }
        ListeningPoint point = target();
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.getByName(point.host()), point.port());
        boolean b2bua = chosen == Workload.B2BUA;
        return new LoadSettings(
                chosen,
                RatePlan.parse(rate),
                arrivals.equals("poisson"),
                Times.parse(duration),
                Times.parse(warmup),
                calls,
                hold == null ? Duration.ofSeconds(b2bua ? 30 : 0) : Times.parse(hold),
                ring == null ? Duration.ofSeconds(b2bua ? 10 : 0) : Times.parse(ring),
                maxHeld,
                point.transport(),
                server,
                to,
                local.isEmpty() ? localTo(server) : local,
                callerPort,
                calleePort,
                serverPids,
                json,
                jsonLines);
    }

    private ListeningPoint target() {
        try {
            return ListeningPoint.parse(target);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--target is udp:HOST:PORT or tcp:HOST:PORT, not " + target, e);
        }
    }

    /** Our address on the way to the server: the one the kernel would choose. */
    private static String localTo(InetSocketAddress server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            return HostLiteral.print(socket.getLocalAddress());
        }
    }
}

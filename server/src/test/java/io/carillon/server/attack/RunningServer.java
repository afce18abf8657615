package io.carillon.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.tls.CertificateMaker;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.guard.LimitWatch;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The real server with the example endpoint on ports of the loopback interface, and its log. */
final class RunningServer {
    private static final String YAML =
            """
            sip: {listen: [%s], shards: 2%s}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    private final Path folder;
    private final Server server;
    private final Listening log = new Listening();
    final int udp;
    final int tcp;

    /**
     * @param settings more lines of the configuration
     */
    RunningServer(Path folder, String settings) throws Exception {
        this(folder, settings, "udp:127.0.0.1:0, tcp:127.0.0.1:0");
    }

    /**
     * @param listen the listening addresses, separated by commas; udp and tcp among them
     */
    RunningServer(Path folder, String settings, String listen) throws Exception {
        this(folder, settings, listen, "");
    }

    /** With settings of the SIP side: {@code ", t1: 50 ms"}. */
    RunningServer(Path folder, String settings, String listen, String sip) throws Exception {
        this.folder = folder;
        Path uas =
                SourceApplication.build(
                        Path.of("..", "examples", "uas", "src", "main"), folder.resolve("uas"));
        server =
                Server.start(
                        ConfigurationReader.read(
                                "test.yaml", YAML.formatted(listen, sip) + settings, folder),
                        List.of(uas),
                        new HomeFolder(folder));
        udp = port("udp");
        tcp = port("tcp");
        log.start();
        LoggerContext.getContext(false)
                .getConfiguration()
                .getRootLogger()
                .addAppender(log, null, null);
    }

    /** One that listens by all transports, with a certificate of its own. */
    static RunningServer onAllTransports(Path folder) throws Exception {
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost", "127.0.0.1"), Duration.ofDays(90))
                        .selfSigned();
        Files.writeString(folder.resolve("certificate.pem"), made.certificatePem());
        Files.writeString(folder.resolve("key.pem"), made.keyPem());
        return new RunningServer(
                folder,
                "tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}\n",
                "udp:127.0.0.1:0, tcp:127.0.0.1:0, tls:127.0.0.1:0, ws:127.0.0.1:0,"
                        + " wss:127.0.0.1:0");
    }

    /** The port of a listener on 127.0.0.1. */
    int port(String transport) {
        return Integer.parseInt(
                server.readyLine().replaceAll(".*" + transport + ":127.0.0.1:(\\d+).*", "$1"));
    }

    ServerStatus status() throws IOException {
        return StatusText.parse(command("status"));
    }

    /** The answer to a command of the command line. */
    String command(String line) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        return ControlClient.ask(ControlClient.running(control).getFirst(), line);
    }

    long count(String counter) throws IOException {
        return status().counters().get(counter);
    }

    /** What Prometheus gets, by name without {@code carillon_} and {@code _total}. */
    Map<String, Double> metrics() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            String page =
                    client.send(
                                    HttpRequest.newBuilder(
                                                    URI.create(
                                                            "http://"
                                                                    + status().http()
                                                                    + "/metrics"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            Map<String, Double> metrics = new TreeMap<>();
            page.lines()
                    .filter(line -> line.startsWith("carillon_") && !line.contains("{"))
                    .map(line -> line.split(" "))
                    .forEach(parts ->
                            metrics.put(
                                    parts[0].replaceFirst("carillon_", "")
                                            .replaceFirst("_total$", ""),
                                    Double.valueOf(parts[1])));
            return metrics;
        }
    }

    /** One of them. */
    double metric(String name) throws Exception {
        return metrics().get(name);
    }

    /** What the log said of limits. */
    List<String> limitsTold() {
        return log.limits;
    }

    /**
     * No warning, no error, no exception since the start, but for limits that were reached; nor did
     * anything fail unheard.
     */
    void assertQuiet() throws IOException {
        assertThat(log.heard).isEmpty();
        assertThat(count("sip.user_errors")).isZero();
        assertThat(count("net.faults")).isZero();
        assertThat(count("applications.errors")).isZero();
        assertThat(count("applications.container_errors")).isZero();
    }

    void close() {
        LoggerContext.getContext(false)
                .getConfiguration()
                .getRootLogger()
                .removeAppender(log.getName());
        server.close();
    }

    /**
     * The BYE of a call without ACK (RFC 3261 14.1), to a name of the messages that is nobody's.
     */
    private static final Pattern UNREACHABLE =
            Pattern.compile("BYE to .* was not sent: no address was found for where .*");

    private static final class Listening extends AbstractAppender {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final List<String> limits = new CopyOnWriteArrayList<>();

        Listening() {
            super("heard", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            String line = event.getMessage().getFormattedMessage();
            if (event.getLoggerName().equals(LimitWatch.class.getName())) {
                limits.add(line);
            } else if (UNREACHABLE.matcher(line).matches()) {
                return; // as it should be, 32 s after the answer, which a slow machine sees
            } else if (event.getLevel().isMoreSpecificThan(Level.WARN)
                    || event.getThrown() != null) {
                heard.add(line + " " + event.getThrown());
            }
        }
    }
}

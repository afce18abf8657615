package io.carillon.it.telemetry;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.PackedClasses;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import io.carillon.net.tls.CertificateMaker;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * {@code ./carillon it alerts}: a real Prometheus scrapes servers that are in trouble, and a real
 * Alertmanager hears of each.
 */
@Command(
        name = "alerts",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Provokes each alert rule at a real Prometheus and Alertmanager; panels too.")
public final class Alerts implements Callable<Integer> {
    private static final int FLOOD_SECONDS = 20;

    @Option(
            names = "--seconds",
            defaultValue = "120",
            description = "patience with each part (${DEFAULT-VALUE})")
    private int patienceSeconds = 120;

    @Option(
            names = "--if-installed",
            description = "without Prometheus and Alertmanager: says so, and ends well")
    private boolean ifInstalled;

    @Option(names = "--out", description = "folder of logs (it/target/alerts-TIME)")
    private String out = "";

    private final Verdicts verdicts = new Verdicts();
    private final Set<String> seen = new TreeSet<>();

    @Override
    public Integer call() {
        if (!installed("prometheus") || !installed("prometheus-alertmanager")) {
            System.out.println("apt install prometheus prometheus-alertmanager sip-tester");
            return ifInstalled ? 0 : 1;
        }
        try {
            run(Folders.results(out, "it", "alerts"));
            return verdicts.allHold() ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it alerts: " + e.getMessage());
            return 1;
        }
    }

    private static boolean installed(String program) {
        for (String folder : String.valueOf(System.getenv("PATH")).split(":")) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private void run(Path folder) throws IOException {
        int troubled = ServerProcess.freePort();
        int overloaded = ServerProcess.freePort();
        int nobody = ServerProcess.freePort();
        try (ServerProcess first = troubled(folder.resolve("troubled"), troubled);
                ServerProcess second = overloaded(folder.resolve("overloaded"), overloaded);
                Monitoring monitoring =
                        Monitoring.start(folder, List.of(troubled, overloaded, nobody))) {
            Set<String> all = Monitoring.names();
            verdicts.check("there are twelve rules", all.size() == 12);
            metrics(troubled, folder);
            trouble(first, folder, monitoring);
            overload(second, folder, monitoring);
            for (String name : all) {
                verdicts.check(name + " was provoked and seen", seen.contains(name));
            }
        }
        System.out.println("Logs: " + folder);
    }

    // ---- servers ----

    private static Path archive(Path folder, String name, String execution) throws IOException {
        return PackedClasses.war(
                folder.resolve(name + ".war"),
                """
                <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet"><app-name>%s</app-name>
                <context-param><param-name>io.carillon.execution</param-name><param-value>%s</param-value></context-param>
                <servlet-selection><main-servlet>trouble</main-servlet></servlet-selection>
                <servlet><servlet-name>trouble</servlet-name><servlet-class>%s</servlet-class></servlet>
                </sip-app>
                """
                        .formatted(name, execution, TroubleServlet.class.getName()),
                List.of(TroubleServlet.class));
    }

    private static ServerProcess troubled(Path folder, int http) throws IOException {
        Files.createDirectories(folder);
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost"), Duration.ofDays(5)).selfSigned();
        Files.writeString(folder.resolve("certificate.pem"), made.certificatePem());
        Files.writeString(folder.resolve("key.pem"), made.keyPem());
        Files.writeString(folder.resolve("key"), "key");
        int sip = ServerProcess.freePort();
        int tls = ServerProcess.freePort();
        Path yaml = folder.resolve("carillon.yaml");
        Files.writeString(
                yaml,
                """
                metrics: { calls: true }
                database: { url: "jdbc:postgresql://127.0.0.1:%d/nobody", user: nobody, password: none }
                tls: { certificates: [ { certificate: certificate.pem, key: key.pem } ] }
                cdr:
                  file: calls.jsonl
                  webhook: "http://127.0.0.1:%d/"
                  webhook-key-file: key
                  spool: spool
                  max-legs: 100
                """
                        .formatted(ServerProcess.freePort(), ServerProcess.freePort()));
        return CarillonLaunch.at(sip)
                .named("troubled")
                .listening("udp:127.0.0.1:" + sip + ",tls:127.0.0.1:" + tls)
                .http(http)
                .running(archive(folder, "trouble", "adaptive"))
                .home(folder.resolve("home"))
                .with("--config", yaml.toString())
                .start(folder);
    }

    private static ServerProcess overloaded(Path folder, int http) throws IOException {
        Files.createDirectories(folder);
        Path yaml = folder.resolve("carillon.yaml");
        Files.writeString(
                yaml, "metrics: { calls: true }\nsip: { shards: 1, receive-buffer: 64 KiB }\n");
        return CarillonLaunch.at(ServerProcess.freePort())
                .named("overloaded")
                .http(http)
                .running(archive(folder, "overload", "non-blocking"))
                .home(folder.resolve("home"))
                .with("--config", yaml.toString())
                .start(folder);
    }

    // ---- trouble ----

    private void metrics(int port, Path folder) throws IOException {
        Path page = folder.resolve("metrics.txt");
        Files.writeString(page, WebPages.text("http://127.0.0.1:" + port + "/metrics"));
        Process check =
                new ProcessBuilder("promtool", "check", "metrics")
                        .redirectInput(page.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        verdicts.check("promtool check metrics has nothing to say", said.isBlank());
        if (!said.isBlank()) {
            System.out.println(said);
        }
    }

    private void trouble(ServerProcess server, Path folder, Monitoring monitoring)
            throws IOException {
        List<Sipp> callers = new ArrayList<>();
        try (Silent silent = new Silent(server)) {
            for (String user : List.of("fine", "throws", "fails", "late", "slow", "database")) {
                int rate =
                        switch (user) {
                            case "fine" -> 20;
                            case "late" -> 30;
                            case "slow", "database" -> 1;
                            default -> 5;
                        };
                callers.add(caller(folder.resolve("sipp-" + user), user, server, rate));
            }
            Set<String> expected = Monitoring.names();
            expected.remove("CarillonShedding");
            expected.remove("CarillonKernelDrops");
            boolean panels = false;
            for (int second = 0;
                    second < patienceSeconds && !seen.containsAll(expected);
                    second++) {
                silent.invites();
                Pause.millis(1_000);
                seen.addAll(monitoring.alerts());
                if (second == 30) {
                    panels(monitoring);
                    panels = true;
                }
            }
            if (!panels) {
                panels(monitoring);
            }
        } finally {
            for (Sipp caller : callers) {
                caller.close();
            }
        }
    }

    private static Sipp caller(Path folder, String user, ServerProcess server, int rate)
            throws IOException {
        return Sipp.start(
                folder,
                "",
                Folders.scenarios().resolve("uas-uac.xml"),
                ServerProcess.freePort(),
                List.of(
                        "-key",
                        "user",
                        user,
                        "-d",
                        "5000",
                        "-r",
                        Integer.toString(rate),
                        "-m",
                        "1000000",
                        "-l",
                        "100000",
                        "127.0.0.1:" + server.port()));
    }

    private void overload(ServerProcess server, Path folder, Monitoring monitoring)
            throws IOException {
        try (Sipp caller = caller(folder.resolve("sipp-burns"), "burns", server, 300)) {
            for (int second = 0; second < patienceSeconds; second++) {
                flood(server, second < FLOOD_SECONDS);
                seen.addAll(monitoring.alerts());
                if (seen.contains("CarillonShedding") && seen.contains("CarillonKernelDrops")) {
                    break;
                }
            }
            verdicts.check("SIPp's caller is alive", caller.cpuNanos() >= 0);
        }
    }

    /** Datagrams of no sense for half a second, more than a busy loop reads. */
    private static void flood(ServerProcess server, boolean really) throws IOException {
        long end = System.nanoTime() + 500_000_000L;
        byte[] nonsense = "X".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        try (DatagramSocket socket = new DatagramSocket()) {
            while (really && System.nanoTime() < end) {
                socket.send(new DatagramPacket(nonsense, nonsense.length, server.address()));
            }
        }
        Pause.millis(really ? 500 : 1_000);
    }

    /** A caller who never confirms: each 200 is sent again and again. */
    private static final class Silent implements AutoCloseable {
        private final DatagramSocket socket;
        private final InetSocketAddress server;
        private int calls;

        Silent(ServerProcess server) throws IOException {
            this.socket = new DatagramSocket();
            this.server = server.address();
        }

        void invites() throws IOException {
            for (int i = 0; i < 10; i++) {
                String at = "127.0.0.1:" + socket.getLocalPort();
                String text =
                        """
                        INVITE sip:fine@127.0.0.1 SIP/2.0
                        Via: SIP/2.0/UDP %1$s;branch=z9hG4bKsilent%2$d
                        From: <sip:silent@%1$s>;tag=%2$d
                        To: <sip:fine@127.0.0.1>
                        Call-ID: silent-%2$d
                        CSeq: 1 INVITE
                        Max-Forwards: 70
                        Contact: <sip:silent@%1$s>
                        Content-Length: 0

                        """
                                .formatted(at, ++calls)
                                .replace("\n", "\r\n");
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, server));
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    // ---- panels ----

    private void panels(Monitoring monitoring) throws IOException {
        JsonNode dashboard =
                Json.LINES.readTree(Files.readString(Monitoring.shipped("dashboard.json")));
        int queries = 0;
        List<String> empty = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String query =
                        target.path("expr")
                                .asString()
                                .replace("$__rate_interval", "20s")
                                .replace("$job", ".*")
                                .replace("$instance", ".*");
                queries++;
                if (monitoring.series(query) == 0) {
                    empty.add(panel.path("title").asString() + ": " + query);
                }
            }
        }
        verdicts.check(
                "each of " + queries + " queries of the dashboard has series", empty.isEmpty());
        empty.forEach(query -> System.out.println("        nothing: " + query));
    }
}

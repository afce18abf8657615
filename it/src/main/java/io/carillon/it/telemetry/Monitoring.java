package io.carillon.it.telemetry;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A running Prometheus with our rules, and the Alertmanager that it tells. Times of the rules are
 * shorter than as they are shipped, conditions are the same.
 */
final class Monitoring implements AutoCloseable {
    private static final long START_SECONDS = 30;
    private static final long END_SECONDS = 10;

    private final ChildProcess prometheus;
    private final ChildProcess alertmanager;
    private final int prometheusPort;
    private final int alertmanagerPort;

    private Monitoring(
            ChildProcess prometheus,
            ChildProcess alertmanager,
            int prometheusPort,
            int alertmanagerPort) {
        this.prometheus = prometheus;
        this.alertmanager = alertmanager;
        this.prometheusPort = prometheusPort;
        this.alertmanagerPort = alertmanagerPort;
    }

    /**
     * Starts both.
     *
     * @param targets HTTP ports of servers
     */
    static Monitoring start(Path folder, List<Integer> targets) throws IOException {
        int prometheusPort = ServerProcess.freePort();
        int alertmanagerPort = ServerProcess.freePort();
        Path rules = folder.resolve("alerts.yml");
        Files.writeString(rules, shortened(Files.readString(shipped("alerts.yml"))));
        Path config = folder.resolve("prometheus.yml");
        Files.writeString(
                config,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [%s]
                alerting:
                  alertmanagers:
                    - static_configs: [{targets: ["127.0.0.1:%d"]}]
                scrape_configs:
                  - job_name: carillon
                    static_configs: [{targets: [%s]}]
                """
                        .formatted(
                                rules,
                                alertmanagerPort,
                                targets.stream()
                                        .map(port -> "\"127.0.0.1:" + port + "\"")
                                        .collect(Collectors.joining(", "))));
        Path receivers = folder.resolve("alertmanager.yml");
        Files.writeString(receivers, "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n");
        ChildProcess alertmanager =
                start(
                        folder,
                        "prometheus-alertmanager",
                        "--config.file=" + receivers,
                        "--storage.path=" + folder.resolve("alertmanager"),
                        "--web.listen-address=127.0.0.1:" + alertmanagerPort,
                        "--cluster.listen-address=");
        ChildProcess prometheus =
                start(
                        folder,
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + prometheusPort);
        Monitoring both =
                new Monitoring(prometheus, alertmanager, prometheusPort, alertmanagerPort);
        try {
            WebPages.await("http://127.0.0.1:" + prometheusPort + "/-/ready", START_SECONDS);
            WebPages.await("http://127.0.0.1:" + alertmanagerPort + "/-/ready", START_SECONDS);
            return both;
        } catch (IOException e) {
            both.close();
            throw e;
        }
    }

    private static ChildProcess start(Path folder, String program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        return ChildProcess.start(
                program, "", command, folder.resolve(program + ".log"), END_SECONDS);
    }

    static Path shipped(String file) {
        return Folders.root().resolve("docs/monitoring").resolve(file);
    }

    /** Minutes are seconds. */
    private static String shortened(String rules) {
        return rules.replaceAll("for: [1-9][0-9]*[mh]", "for: 2s")
                .replaceAll("\\[(5|10)m\\]", "[20s]");
    }

    /** Alerts that the rules file names. */
    static Set<String> names() throws IOException {
        return Files.readAllLines(shipped("alerts.yml")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("- alert: "))
                .map(line -> line.substring("- alert: ".length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Alerts that the Alertmanager has now. */
    Set<String> alerts() throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode alert :
                WebPages.json("http://127.0.0.1:" + alertmanagerPort + "/api/v2/alerts")) {
            names.add(alert.path("labels").path("alertname").asString());
        }
        return names;
    }

    /** Series that a query gives now. */
    int series(String query) throws IOException {
        return WebPages.json(
                        "http://127.0.0.1:"
                                + prometheusPort
                                + "/api/v1/query?query="
                                + WebPages.encoded(query))
                .path("data")
                .path("result")
                .size();
    }

    @Override
    public void close() throws IOException {
        prometheus.close();
        alertmanager.close();
    }
}

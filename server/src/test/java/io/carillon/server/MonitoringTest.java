package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.measure.CallMeters;
import io.carillon.server.measure.ListenerNames;
import io.carillon.server.measure.Meters;
import io.carillon.telemetry.records.CallListener.Kind;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alert rules ask for what a server shows, and a runbook is behind each. */
class MonitoringTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Path FOLDER = DOCS.resolve("monitoring");
    private static final Pattern NAME =
            Pattern.compile("\\b(?:carillon|process|system|jvm|hikaricp)_[a-z0-9_]+");
    private static final Pattern RUNBOOK =
            Pattern.compile("runbook: docs/guides/metrics\\.md#(.+)");

    @TempDir Path folder;

    /** Names of a server that runs, and of its calls and handlers. */
    private Set<String> shown() throws Exception {
        Set<String> names = new TreeSet<>();
        String page = page();
        PrometheusMeterRegistry registry = Meters.registry();
        CallMeters calls = new CallMeters(registry, new ListenerNames(List::of));
        Kind kind = new Kind(true, "app", "", "");
        calls.rang(kind, 1);
        calls.answered(kind, 1);
        calls.ended(kind, 200, "caller", 1);
        calls.waited("app", 1);
        calls.handled("app", "INVITE", 1, false);
        for (String line : (page + registry.scrape()).split("\n", -1)) {
            if (!line.startsWith("#")) {
                names.add(line.replaceAll("[{ ].*", ""));
            }
        }
        names.add("carillon_tls_certificate_expiry_seconds"); // of a server with certificates
        return names;
    }

    private String page() throws Exception {
        String yaml =
                """
                sip: {listen: [udp:127.0.0.1:0]}
                http: {listen: 127.0.0.1:0}
                control: {directory: control}
                drain: {transactions: 0 s}
                metrics: {calls: true}
                """;
        Path application = folder.resolve("answering");
        String name = AnsweringServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = AnsweringServlet.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
        try (Server server =
                        Server.start(
                                ConfigurationReader.read("test.yaml", yaml, folder),
                                List.of(application),
                                new HomeFolder(folder));
                HttpClient client = HttpClient.newHttpClient()) {
            Matcher http = Pattern.compile("HTTP ([0-9.:]+)").matcher(server.readyLine());
            assertThat(http.find()).isTrue();
            URI uri = URI.create("http://" + http.group(1) + "/metrics");
            return client.send(
                            HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static Set<String> names(String text) {
        Set<String> found = new TreeSet<>();
        Matcher names = NAME.matcher(text);
        while (names.find()) {
            found.add(names.group());
        }
        return found;
    }

    @Test
    void everyPanelAndEveryRuleAsksForWhatAServerShows() throws Exception {
        Set<String> shown = shown();
        JsonNode dashboard =
                JsonMapper.builder().build().readTree(FOLDER.resolve("dashboard.json").toFile());
        int panels = 0;
        for (JsonNode panel : dashboard.get("panels")) {
            if (panel.get("type").asString().equals("row")) {
                continue;
            }
            panels++;
            for (JsonNode target : panel.get("targets")) {
                Set<String> asked = names(target.get("expr").asString());
                assertThat(asked).as(panel.get("title").asString()).isNotEmpty();
                assertThat(shown).as(panel.get("title").asString()).containsAll(asked);
            }
        }
        assertThat(panels).isGreaterThan(20);
        String rules = Files.readString(FOLDER.resolve("alerts.yml"));
        assertThat(shown).containsAll(names(rules));
        assertThat(rules.split("- alert: ", -1)).hasSize(13);
    }

    @Test
    void everyRuleHasItsSectionInTheRunbook() throws IOException {
        assertThat(sections("alerts.yml")).isEqualTo(12);
        assertThat(sections("cluster-alerts.yml")).isEqualTo(5);
    }

    private static int sections(String rulesFile) throws IOException {
        String page = Files.readString(DOCS.resolve("guides/metrics.md"));
        Matcher sections = RUNBOOK.matcher(Files.readString(FOLDER.resolve(rulesFile)));
        int rules = 0;
        while (sections.find()) {
            rules++;
            String title = sections.group(1).replace('-', ' ');
            assertThat(page.toLowerCase(Locale.ROOT)).contains("\n### " + title + "\n");
        }
        return rules;
    }

    /** Of its nodes, which no server alone shows: they stand in the page of all metrics. */
    @Test
    void everyRuleOfAClusterAsksForWhatItsNodesCount() throws IOException {
        Set<String> asked = names(Files.readString(FOLDER.resolve("cluster-alerts.yml")));
        assertThat(asked).hasSize(5);
        asked.removeIf(name -> name.startsWith("carillon_router_"));
        String page = Files.readString(DOCS.resolve("reference/metrics.md"));
        assertThat(asked).hasSize(4).allMatch(name -> page.contains("| `" + name + "` |"));
    }

    /** Where Debian's prometheus is installed. */
    @Test
    void promtoolFindsNoFaultInMetricsAndRules() throws Exception {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/promtool"))).isTrue();
        assertThat(promtool("", "check", "rules", "alerts.yml")).isEmpty();
        assertThat(promtool("", "test", "rules", "alerts-test.yml")).isEmpty();
        assertThat(promtool("", "check", "rules", "cluster-alerts.yml")).isEmpty();
        assertThat(promtool("", "test", "rules", "cluster-alerts-test.yml")).isEmpty();
        assertThat(promtool(page(), "check", "metrics")).isEmpty();
    }

    /** What it says where it fails. */
    private String promtool(String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
        command.addAll(List.of(arguments));
        Path in = Files.writeString(folder.resolve("in.txt"), input);
        Path out = folder.resolve("out.txt");
        Process process =
                new ProcessBuilder(command)
                        .directory(FOLDER.toFile())
                        .redirectInput(in.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() == 0 ? "" : Files.readString(out);
    }
}

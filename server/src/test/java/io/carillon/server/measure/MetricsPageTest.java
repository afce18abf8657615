package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.tls.HandshakeOutcome;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.telemetry.records.CallListener.Kind;
import io.carillon.testkit.SourceApplication;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
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
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the metrics is what a server says of them, and it says something of each. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/metrics.md");

    private static final String PREFACE =
            """
            # Metrics, one by one

            What `GET /metrics` of a server says of each metric of its own, made from the code. How they are scraped, which to watch and what to do: [metrics, dashboard and alerts](../guides/metrics.md).
            A name that ends with `_total` is a counter. Limits name their counters in [configuration](configuration.md). Those of the JVM, of the process and of the database's pool (`jvm_`, `process_`, `system_`, `hikaricp_`) are Micrometer's.
            """;

    private static final Pattern HELP =
            Pattern.compile("(?m)^# HELP (carillon_\\S+) (.*)\n# TYPE \\S+ (\\S+)$");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    private record Row(String type, String labels, String text) {
        /** A counter is one by its name. */
        String shown() {
            String kind = type.equals("counter") ? "" : "; " + type;
            return text + kind + (labels.isEmpty() ? "" : "; by " + labels);
        }
    }

    /** Counters are named by what counts; all else has names of its own. */
    private static final List<String> GROUPS =
            List.of(
                    "applications",
                    "cdr",
                    "database",
                    "http",
                    "identity",
                    "log",
                    "net",
                    "security",
                    "sip",
                    "telemetry",
                    "tls",
                    "trace");

    private static void table(
            StringBuilder page, String title, Map<String, Row> rows, String group) {
        page.append("\n## %s\n\n| Metric | |\n| --- | --- |\n".formatted(title));
        rows.forEach((name, row) -> {
            String own = name.replaceFirst("carillon_([a-z]+)_.*", "$1");
            if (GROUPS.contains(own) ? own.equals(group) : group.isEmpty()) {
                page.append("| `%s` | %s |\n".formatted(name, row.shown()));
            }
        });
    }

    @TempDir private Path folder;

    /** Of a server alone, with calls. */
    private String scraped() throws Exception {
        PrometheusMeterRegistry registry = Meters.registry();
        CallMeters calls = new CallMeters(registry, new ListenerNames(List::of));
        Kind kind = new Kind(true, "app", "", "");
        calls.rang(kind, 1);
        calls.answered(kind, 1);
        calls.ended(kind, 200, "caller", 1);
        calls.waited("app", 1);
        calls.handled("app", "INVITE", 1, false);
        calls.resolved(true, 1);
        new HandshakeMeters(registry).took("", HandshakeOutcome.OK, 1);
        String yaml =
                """
                sip: {listen: [udp:127.0.0.1:0]}
                http: {listen: 127.0.0.1:0}
                control: {directory: control}
                drain: {transactions: 0 s}
                start: {warm-up: 0 s}
                """;
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("u"));
        try (Server server =
                        Server.start(
                                ConfigurationReader.read("test.yaml", yaml, folder),
                                List.of(uas),
                                new HomeFolder(folder));
                HttpClient client = HttpClient.newHttpClient()) {
            String base = server.readyLine().replaceAll("(?s).*HTTP ([0-9.:]+).*", "$1");
            URI uri = URI.create("http://" + base + "/metrics");
            return client.send(
                                    HttpRequest.newBuilder(uri)
                                            .timeout(Duration.ofSeconds(20))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body()
                    + registry.scrape();
        }
    }

    private static Map<String, Row> rows(String scraped) {
        Map<String, Row> rows = new TreeMap<>();
        Matcher help = HELP.matcher(scraped);
        while (help.find()) {
            String name = help.group(1);
            TreeSet<String> labels = new TreeSet<>();
            Matcher series =
                    Pattern.compile("(?m)^" + name + "(?:_bucket)?\\{(.*)\\}").matcher(scraped);
            while (series.find()) {
                Matcher label = LABEL.matcher(series.group(1));
                while (label.find()) {
                    labels.add(label.group(1));
                }
            }
            labels.remove("le");
            rows.put(name, new Row(help.group(3), String.join(", ", labels), help.group(2)));
        }
        return rows;
    }

    /** {@code -Dcarillon.docs.write=true} writes it. */
    @Test
    void itSaysWhatEachMetricIs() throws Exception {
        Map<String, Row> rows = rows(scraped());
        StringBuilder page = new StringBuilder(PREFACE);
        table(page, "What to watch", rows, "");
        for (String group : GROUPS) {
            table(page, "`carillon_" + group + "_`", rows, group);
        }
        page.append("\n## In a cluster also\n\n| Metric | |\n| --- | --- |\n");
        CounterTexts.all()
                .forEach((name, text) -> {
                    if (name.startsWith("cluster.")) {
                        String end = name.contains(".now_") ? "" : "_total";
                        page.append(
                                "| `carillon_%s%s` | %s |\n"
                                        .formatted(name.replace('.', '_'), end, text));
                    }
                });
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(rows).hasSizeGreaterThan(250);
        assertThat(rows)
                .as("a counter without a line in counters.properties")
                .allSatisfy((name, row) -> assertThat(row.text).doesNotStartWith("Counter "));
        assertThat(PAGE).hasContent(page.toString());
        TreeSet<String> texts = new TreeSet<>(CounterTexts.all().keySet());
        texts.removeIf(name ->
                name.startsWith("cluster.")
                        || rows.containsKey("carillon_" + name.replace('.', '_') + "_total")
                        || rows.containsKey("carillon_" + name.replace('.', '_')));
        assertThat(texts).as("texts of counters that no server has").isEmpty();
    }
}

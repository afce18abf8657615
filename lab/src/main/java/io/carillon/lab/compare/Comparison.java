package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Site;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Measures what a plan asks for and is not measured yet, and makes the table, also of a part. */
final class Comparison {
    private final ComparisonPlan plan;
    private final ComparisonFolder results;
    private final PrintStream console;

    Comparison(ComparisonPlan plan, ComparisonFolder results, PrintStream console) {
        this.plan = plan;
        this.results = results;
        this.console = console;
    }

    /** Exit code: 0 when every window that counts was clean. */
    int run() throws IOException {
        List<Contender> contenders = plan.contenders();
        try {
            ComparisonSetup trial = plan.trial();
            ServerUnderTest.Starter starter =
                    contender -> LiveServer.start(contender, trial, results.folder(), console);
            new WindowPairs(starter, plan.shape(), plan.when(), plan.limits(), results, console)
                    .run(contenders);
        } finally {
            String page = page(contenders);
            Files.writeString(results.folder().resolve("table.md"), page);
            console.printf("%n%s%nRows, table and logs: %s%n", page, results.folder());
        }
        if (results.rows().stream().map(row -> row.window().tls()).distinct().count() > 1) {
            console.println("The servers did not agree on the same TLS: no comparison.");
            return 1;
        }
        boolean clean =
                results.rows().stream()
                        .filter(StoredWindow::counted)
                        .allMatch(row -> row.window().clean());
        return clean ? 0 : 1;
    }

    private String page(List<Contender> contenders) {
        List<String> names = contenders.stream().map(Contender::name).toList();
        Map<String, String> descriptions =
                contenders.stream()
                        .collect(Collectors.toMap(Contender::name, Contender::description));
        List<String> head = List.of(title(plan), plan.machine() + ".", conditions(plan), method());
        boolean datagrams = plan.site().transport() == Transport.UDP;
        String latency = datagrams ? "Added latency" : "INVITE to 200";
        return new ComparisonTable(plan.shape(), names, results.rows(), latency)
                .page(head, descriptions);
    }

    /** How old the servers were in the windows that count. */
    private String ages() {
        List<StoredWindow> counted = results.rows().stream().filter(StoredWindow::counted).toList();
        if (counted.isEmpty()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                " The windows lay %d to %d s after their server's READY.",
                counted.stream().mapToLong(StoredWindow::begunAfterReady).min().orElse(0),
                counted.stream().mapToLong(StoredWindow::endedAfterReady).max().orElse(0));
    }

    /** Over streams: what the windows' connections were like. */
    private String connections() {
        Transport transport = plan.site().transport();
        if (transport == Transport.UDP) {
            return "";
        }
        List<String> agreed =
                results.rows().stream().map(row -> row.window().tls()).distinct().toList();
        String sentence =
                " Over "
                        + transport.parameter()
                        + ": one connection from the callers and one to the callees, up before each"
                        + " reading; a window in which one came or went is not clean.";
        return agreed.equals(List.of("")) || agreed.isEmpty()
                ? sentence
                : sentence
                        + " "
                        + String.join("; ", agreed)
                        + (agreed.size() == 1 ? " in all windows." : ": NOT ALIKE.");
    }

    /** What the servers ran with. */
    static String conditions(ComparisonPlan plan) {
        Site site = plan.site();
        StringBuilder text = new StringBuilder(site.application().description()).append('.');
        if (site.asShipped()) {
            text.append(
                            " As shipped: where a server's line says nothing else, no io.carillon.execution is")
                    .append(
                            " declared (adaptive, over the archive's own where it has another); default JVM")
                    .append(" options, no heap touched at the start; windows lie ")
                    .append(plan.when())
                    .append(", of new servers when that is over.");
        }
        if (!site.serverArguments().isEmpty()) {
            text.append(" Carillon's arguments: `")
                    .append(String.join(" ", site.serverArguments()))
                    .append("`.");
        }
        if (!site.peerJvm().options().isEmpty()) {
            text.append(" JVM options of Liberty and RestComm: `")
                    .append(String.join(" ", site.peerJvm().options()))
                    .append("`.");
        }
        return text.toString();
    }

    static String title(ComparisonPlan plan) {
        int hold = plan.shape().holdMillis();
        return String.format(
                Locale.ROOT,
                "## %s%s, %s of hold, %s",
                plan.site().application().name(),
                plan.site().transport() == Transport.UDP
                        ? ""
                        : " over " + plan.site().transport().parameter(),
                hold % 1000 == 0 ? hold / 1000 + " s" : hold + " ms",
                plan.site().trying() ? "100 Trying at once" : "no 100 Trying");
    }

    private String method() {
        return String.format(
                        Locale.ROOT,
                        "Windows in turn, A B B A; each filled for %d s and read for %d s, server on CPU %s, load"
                                + " (%s) on CPU %s. Not counted where others and the host took more than %.1f %% of"
                                + " the machine.",
                        plan.shape().fillSeconds(),
                        plan.shape().measureSeconds(),
                        plan.site().cpus().server(),
                        plan.shape().load(),
                        plan.site().cpus().load(),
                        plan.limits().busyPercent())
                + ages()
                + connections();
    }
}

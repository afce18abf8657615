package io.carillon.server;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.SecurityPage.Row;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.guard.Limit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds the limits that are told and the tables of docs/guides/security.md together. */
class ProtectionLimitsTest {
    private static final Path DOCS = Path.of("..", "docs");

    /** Who else writes the line; or why there is none. */
    private static final Map<String, String> ELSEWHERE =
            Map.ofEntries(
                    entry("applications_callbacks_too_long", "CallbackLimits, with what hangs"),
                    entry("applications_threads_left_behind", "none: what hangs now"),
                    entry("http_passed_unserved", "none: the visitor gets 503 and comes again"),
                    entry("sip_bytes_waiting", "none: what waits now"),
                    entry("sip_repeats_not_queued", "none: the first one waits"),
                    entry("sip_bytes_held", "none: what is held now"),
                    entry("net_datagrams_over_rate", "Guard, with the source"),
                    entry("net_closed_too_fast", "Guard, with the source"),
                    entry("net_closed_too_many", "Guard, with the source"),
                    entry("net_bans", "Bans, with the source"),
                    entry("net_bans_made", "Bans, with the source"),
                    entry("net_closed_tls_failed", "RefusalLog, with the source"),
                    entry("net_closed_handshake_timeout", "RefusalLog, with the source"),
                    entry("net_closed_upgrade_timeout", "RefusalLog, with the source"),
                    entry("net_closed_idle", "none: connections end so every day"),
                    entry("net_closed_unanswered", "none: the request has failed before"),
                    entry("net_stream_reads_paused", "Guard, with the source"),
                    entry("net_dns_cache_forgotten", "none: they are asked for again"),
                    entry("net_stream_bytes_waiting", "none: what is held now"),
                    entry("net_stream_bytes_unsent", "none: what is held now"),
                    entry("applications_rescued", "none: the handler runs all the same"),
                    entry("net_loops_taken_over", "LoopUse, with the application"),
                    entry("kernel_drops", "none: the status and doctor tell"),
                    entry("sip_not_owned_out", "none: it is the rule of the cluster"),
                    entry("sip_acks_missing", "none: the application is told"),
                    entry("sip_pracks_missing", "none: the application is told"),
                    entry("applications_errors", "ApplicationErrors, with its stack"),
                    entry("applications_address_bytes", "none: what is kept now"),
                    entry("database_waiting", "none: what waits now"),
                    entry("trace_calls_forgotten", "none: a trace shows that it is not whole"),
                    entry(
                            "trace_buffer_bytes_forgotten",
                            "none: a trace shows that it is not whole"));

    private final List<Limit> limits = ProtectionLimits.of(ConfigurationReader.standard());

    /** The rows of both tables. */
    private static List<Row> rows() throws Exception {
        List<Row> rows = new ArrayList<>(SecurityPage.limits());
        rows.addAll(SecurityPage.waiting());
        assertThat(rows).hasSizeGreaterThan(40);
        return rows;
    }

    private static String metric(Limit limit) {
        return limit.counter().replaceFirst("\\.", "_");
    }

    @Test
    void everyLimitOfTheDocumentHasItsLine() throws Exception {
        Set<String> told = new TreeSet<>(ELSEWHERE.keySet());
        limits.forEach(limit -> told.add(metric(limit)));
        for (Row row : rows()) {
            assertThat(row.metrics().isEmpty())
                    .as(row.what())
                    .isEqualTo(row.metric().startsWith("none"));
            assertThat(told).as(row.what()).containsAll(row.metrics());
        }
    }

    @Test
    void everyLineHasItsRowWithItsKeys() throws Exception {
        for (Limit limit : limits) {
            String keys =
                    rows().stream()
                            .filter(row -> row.metrics().contains(metric(limit)))
                            .map(Row::bound)
                            .reduce("", String::concat);
            for (Limit.Setting setting : limit.settings()) {
                String last = setting.key().substring(setting.key().indexOf('.') + 1);
                assertThat(keys).as(limit.counter()).contains(last);
            }
            assertThat(keys).as(limit.counter()).isNotEmpty();
        }
    }

    @Test
    void theLinesNameSettingsThatExist() throws Exception {
        String reference = Files.readString(DOCS.resolve("reference/configuration.md"));
        for (Limit limit : limits) {
            for (Limit.Setting setting : limit.settings()) {
                assertThat(reference).contains("| `" + setting.key() + "`<br>");
            }
        }
    }

    @Test
    void valuesAreWrittenAsAUserWould() {
        assertThat(limits.stream().flatMap(limit -> limit.settings().stream()))
                .contains(
                        new Limit.Setting("tcp.write-queue", "1 MiB"),
                        new Limit.Setting("sip.max-message", "65535 B"),
                        new Limit.Setting("sip.request-heap", "10 %"),
                        new Limit.Setting("tcp.message-within", "10 s"));
    }
}

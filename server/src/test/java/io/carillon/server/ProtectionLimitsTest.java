package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.guard.Limit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the table of limits and docs/security.md together. */
class ProtectionLimitsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Who else writes the line; or why there is none. */
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "applications_callbacks_too_long", "CallbackLimits, with what hangs",
                    "applications_threads_left_behind", "none: what hangs now",
                    "net_datagrams_over_rate", "Guard, with the source",
                    "net_closed_too_fast", "Guard, with the source",
                    "net_closed_too_many", "Guard, with the source",
                    "net_closed_tls_timeout", "RefusalLog, with the source",
                    "net_closed_upgrade_timeout", "RefusalLog, with the source",
                    "net_closed_idle", "none: connections end so every day",
                    "net_stream_bytes_waiting", "none: what is held now",
                    "net_stream_bytes_unsent", "none: what is held now");

    private final List<Limit> limits = ProtectionLimits.of(Configuration.standard());

    /** The rows of the table of limits, without its head. */
    private static List<String[]> rows() throws Exception {
        List<String[]> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(DOCS.resolve("security.md"))) {
            if (line.startsWith("| Limit | Key, default |")) {
                inTable = true;
            } else if (inTable && !line.startsWith("|")) {
                break;
            } else if (inTable && !line.startsWith("| ---")) {
                rows.add(line.split(" \\| "));
            }
        }
        assertThat(rows).hasSizeGreaterThan(15);
        return rows;
    }

    private static Set<String> codes(String cell) {
        Set<String> codes = new TreeSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    private static String metric(Limit limit) {
        return limit.counter().replaceFirst("\\.", "_");
    }

    @Test
    void everyLimitOfTheDocumentHasItsLine() throws Exception {
        Set<String> told = new TreeSet<>(ELSEWHERE.keySet());
        limits.forEach(limit -> told.add(metric(limit)));
        for (String[] row : rows()) {
            Set<String> metrics = codes(row[3]);
            assertThat(metrics).as(row[0]).isNotEmpty();
            assertThat(told).as(row[0]).containsAll(metrics);
        }
    }

    @Test
    void everyLineHasItsRowWithItsKeys() throws Exception {
        for (Limit limit : limits) {
            String keys =
                    rows().stream()
                            .filter(row -> codes(row[3]).contains(metric(limit)))
                            .map(row -> row[1])
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
        String reference = Files.readString(DOCS.resolve("configuration.md"));
        for (Limit limit : limits) {
            for (Limit.Setting setting : limit.settings()) {
                assertThat(reference).contains("| `" + setting.key() + "` |");
            }
        }
    }

    @Test
    void valuesAreWrittenAsAUserWould() {
        assertThat(limits.stream().flatMap(limit -> limit.settings().stream()))
                .contains(
                        new Limit.Setting("tcp.write-queue", "1 MiB"),
                        new Limit.Setting("sip.max-message", "65535 B"),
                        new Limit.Setting("sip.request-heap", "25 %"),
                        new Limit.Setting("tcp.message-within", "10 s"));
    }
}

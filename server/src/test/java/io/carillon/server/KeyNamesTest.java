package io.carillon.server;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.NetworkConfig;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.resolve.DnsConfig;
import io.carillon.net.resolve.EgressConfig;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.tls.CertificateSource;
import io.carillon.net.tls.TlsConfig;
import io.carillon.net.udp.UdpConfig;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.protection.Protections;
import io.carillon.server.config.ConfigurationKey;
import io.carillon.server.config.ConfigurationKeys;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.guard.Limit;
import io.carillon.servlet.HeapBounds;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.dispatch.FeatureSettings;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy;
import io.carillon.servlet.kernel.SessionRooms;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.FailoverConfig;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.transaction.TransactionTimers;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One word leads from a key of the configuration to what the modules below call it, to the limit
 * that the log tells of, and to the metric.
 */
class KeyNamesTest {
    /** Who is told the keys of a section, in records and settings of the modules below. */
    private static final Map<String, List<Class<?>>> TOLD =
            Map.ofEntries(
                    entry(
                            "sip",
                            List.of(
                                    StackConfig.class,
                                    TransactionTimers.class,
                                    MessageLimits.class,
                                    NetworkConfig.class,
                                    ListeningPoint.class,
                                    UdpConfig.class)),
                    entry("tcp", List.of(StreamConfig.class)),
                    entry("ws", List.of(WebSocketConfig.class)),
                    entry("tls", List.of(TlsConfig.class)),
                    entry("tls.certificates[]", List.of(CertificateSource.class)),
                    entry(
                            "dns",
                            List.of(
                                    DnsConfig.class,
                                    DnsConfig.Questions.class,
                                    DnsConfig.Cache.class,
                                    DnsConfig.Limits.class,
                                    FailoverConfig.class)),
                    entry("egress", List.of(EgressConfig.class, StackConfig.class)),
                    entry(
                            "guard",
                            List.of(
                                    GuardConfig.class,
                                    GuardConfig.BanRule.class,
                                    StreamConfig.class,
                                    StackConfig.class,
                                    FeatureSettings.class)),
                    entry(
                            "sessions",
                            List.of(
                                    ContainerConfig.class,
                                    HeapBounds.Demand.class,
                                    MailboxLimits.class,
                                    SessionRooms.class,
                                    SessionShares.class)),
                    entry("session-timers", List.of(SessionTimerPolicy.class)));

    /** Keys of those sections that nobody below is told under their name, and why. */
    private static final Map<String, String> NOT_TOLD =
            Map.ofEntries(
                    entry("guard.datagram-burst", "in the Rate that is datagramRate"),
                    entry("guard.stream-burst", "in the Rate that is streamRate"),
                    entry("guard.connection-burst", "in the Rate that is connectionRate"),
                    entry("sessions.expired-calls", "EndPolicy, which drain.end is too"),
                    entry("sessions.slow-handler", "the server's own, in CarillonSip"));

    /** Metrics in a row of docs/guides/security.md that no key of that row moves, and why. */
    private static final Map<String, String> NOT_MOVED =
            Map.of(
                    "http_passed_unserved", "a tenth of what it names",
                    "net_closed_unanswered", "64 times sip.t1",
                    "sip_repeats_not_queued", "a repeat waits once, whatever the limit");

    /** Words of keys that say how much or when, and not of what. */
    private static final Set<String> MEASURES =
            Set.of("max", "min", "per", "of", "within", "time", "after", "source", "first", "rate");

    private static final List<String> UNITS =
            List.of("", "Nanos", "Millis", "Seconds", "Bytes", "Status");

    @Test
    void everyKeyStandsOnceAndHasTheNameOfItsComponent() {
        List<String> names = ConfigurationKeys.all().stream().map(ConfigurationKey::name).toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(150);
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            assertThat(camel(key.word())).isEqualTo(key.component().getName());
            assertThat(key.setting().value()).as(key.name()).endsWith(".");
            assertThat(key.setting().more()).as(key.name()).matches("|.*\\.");
            assertThat(ConfigurationKeys.named(key.name())).isEqualTo(key);
        }
    }

    @Test
    void fortyKeysAreForEverybody() {
        assertThat(ConfigurationKeys.all().stream().filter(key -> !key.expert())).hasSize(40);
    }

    @Test
    void whoIsToldAKeyCallsItByItsName() {
        List<String> missing = new ArrayList<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            List<Class<?>> told = TOLD.getOrDefault(key.section(), List.of());
            boolean named =
                    names(key).stream()
                            .anyMatch(name -> told.stream().anyMatch(type -> has(type, name)));
            if (!told.isEmpty() && named == NOT_TOLD.containsKey(key.name())) {
                missing.add(key.name());
            }
        }
        assertThat(missing)
                .as("keys that the modules below call something else, or that need no exception")
                .isEmpty();
    }

    @Test
    void whoComposesAServerWithoutAConfigurationSetsTheSameNames() {
        Set<String> names =
                ConfigurationKeys.all().stream()
                        .map(key -> key.component().getName())
                        .collect(Collectors.toSet());
        List<String> numbers =
                Stream.of(Protections.class.getDeclaredClasses())
                        .flatMap(type -> Stream.of(type.getRecordComponents()))
                        .filter(part ->
                                part.getType().isPrimitive() || part.getType() == Duration.class)
                        .map(RecordComponent::getName)
                        .toList();
        assertThat(numbers).hasSizeGreaterThan(20).isSubsetOf(names);
    }

    @Test
    void whatAKeyAloneMovesBearsItsName() {
        Map<String, List<ConfigurationKey>> moved =
                ConfigurationKeys.all().stream()
                        .flatMap(key -> key.metrics().stream())
                        .distinct()
                        .collect(Collectors.toMap(name -> name, ConfigurationKeys::shownBy));
        Map<String, List<String>> unnamed = new TreeMap<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            List<String> own =
                    key.metrics().stream()
                            .filter(metric -> moved.getOrDefault(metric, List.of()).size() == 1)
                            // What the kernel counts has the kernel's name.
                            .filter(metric -> !metric.startsWith("kernel."))
                            .toList();
            if (!own.isEmpty() && own.stream().noneMatch(metric -> bears(metric, key))) {
                unnamed.put(key.name(), own);
            }
        }
        assertThat(unnamed).as("metrics of one key whose name none of them bears").isEmpty();
    }

    @Test
    void theTablesOfLimitsNameTheMetricsOfTheirKeys() throws Exception {
        Set<String> notMoved = new TreeSet<>();
        for (SecurityPage.Row row : rows()) {
            List<ConfigurationKey> keys = keys(row.bound());
            if (keys.isEmpty() || row.metrics().isEmpty()) {
                continue;
            }
            assertThat(keys).as(row.what()).noneMatch(key -> key.metrics().isEmpty());
            row.metrics().stream()
                    .filter(name -> keys.stream().noneMatch(key -> moves(key, name)))
                    .forEach(notMoved::add);
        }
        assertThat(notMoved)
                .as("metrics of a row that are not those of its keys")
                .isEqualTo(new TreeSet<>(NOT_MOVED.keySet()));
    }

    @Test
    void aLimitHasTheCounterThatItsKeyNames() {
        Set<String> counted = new TreeSet<>();
        for (Limit limit : ProtectionLimits.of(ConfigurationReader.standard())) {
            counted.add(limit.counter());
            assertThat(limit.settings().stream().map(Limit.Setting::key).toList())
                    .isEqualTo(
                            ConfigurationKeys.shownBy(limit.counter()).stream()
                                    .map(ConfigurationKey::name)
                                    .toList());
        }
        assertThat(counted).contains("sip.refused_request_heap");
    }

    @Test
    void theMetricsOfKeysAreCounted() {
        Set<String> counters = new HashSet<>();
        Stream.of(Counter.values()).map(SipCounters::name).forEach(counters::add);
        Stream.of(NetworkCounter.values()).map(SipCounters::name).forEach(counters::add);
        ProtectionLimits.of(ConfigurationReader.standard())
                .forEach(limit -> counters.add(limit.counter()));
        Set<String> more =
                Set.of(
                        "transactions",
                        "application.sessions",
                        "sip.bytes_held",
                        "sip.bytes_waiting",
                        "applications.address_bytes",
                        "applications.sessions_of_pages",
                        "applications.subscriptions",
                        "applications.callbacks_too_long",
                        "applications.threads_left_behind",
                        "net.bans",
                        "net.bans_made",
                        "database.waiting",
                        "kernel.drops",
                        "trace.calls_forgotten",
                        "trace.buffer_bytes_forgotten");
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            for (String metric : key.metrics()) {
                assertThat(counters.contains(metric) || more.contains(metric))
                        .as(key.name() + " names " + metric)
                        .isTrue();
            }
        }
    }

    private static List<SecurityPage.Row> rows() throws IOException {
        return Stream.of(SecurityPage.limits(), SecurityPage.waiting())
                .flatMap(List::stream)
                .toList();
    }

    /** Those in code: whole names, and last words of further keys of those sections. */
    private static List<ConfigurationKey> keys(String cell) {
        Set<String> codes = SecurityPage.codes(cell);
        Set<String> sections =
                ConfigurationKeys.all().stream()
                        .filter(key -> codes.contains(key.name()))
                        .map(ConfigurationKey::section)
                        .collect(Collectors.toSet());
        return ConfigurationKeys.all().stream()
                .filter(key ->
                        codes.contains(key.name())
                                || (sections.contains(key.section()) && codes.contains(key.word())))
                .toList();
    }

    private static boolean moves(ConfigurationKey key, String metric) {
        return key.metrics().stream().anyMatch(name -> name.replace('.', '_').equals(metric));
    }

    /** {@code sessions.max} is maxSessions below, {@code sip.request-heap} requestHeap. */
    private static List<String> names(ConfigurationKey key) {
        String word = camel(key.word());
        String section = key.section();
        String ofSection =
                section.isEmpty()
                        ? word
                        : word + Character.toUpperCase(section.charAt(0)) + section.substring(1);
        return UNITS.stream().flatMap(unit -> Stream.of(word + unit, ofSection + unit)).toList();
    }

    private static boolean has(Class<?> type, String name) {
        return Stream.of(type.getDeclaredFields()).map(Field::getName).anyMatch(name::equals)
                || Stream.of(type.getDeclaredMethods()).map(Method::getName).anyMatch(name::equals);
    }

    /** A word of the key that is no measure is in the metric, but for its ending. */
    private static boolean bears(String metric, ConfigurationKey key) {
        List<String> words = new ArrayList<>(Arrays.asList(key.word().split("-")));
        words.removeAll(MEASURES);
        if (words.isEmpty()) {
            words = List.of(key.section().split("\\."));
        }
        List<String> said = List.of(metric.split("[._]"));
        return words.stream()
                .anyMatch(word -> said.stream().anyMatch(other -> stem(word).equals(stem(other))));
    }

    private static String stem(String word) {
        return word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
    }

    private static String camel(String word) {
        StringBuilder name = new StringBuilder();
        boolean up = false;
        for (char c : word.toCharArray()) {
            if (c == '-') {
                up = true;
            } else {
                name.append(up ? Character.toUpperCase(c) : c);
                up = false;
            }
        }
        return name.toString();
    }
}

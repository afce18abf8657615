package io.carillon.server.config;

import io.carillon.sip.hop.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values that are allowed for each key, and what has to stand beside some of them. */
final class SampleValues {
    /** Keys whose values are checked by more than their kind. */
    private static final Map<String, String[]> TEXTS =
            Map.ofEntries(
                    Map.entry("cluster.name", new String[] {"east", "west"}),
                    Map.entry("cluster.nodes", new String[] {"192.0.2.1:7910", "192.0.2.2:7910"}),
                    Map.entry("cluster.listen", new String[] {"192.0.2.8:1", "192.0.2.9:1"}),
                    Map.entry("database.url", new String[] {"jdbc:h2:mem:a", "jdbc:h2:mem:b"}),
                    Map.entry("tls.versions", new String[] {"1.2", "1.3"}),
                    Map.entry("identity.sign.numbers", new String[] {"49", "44"}),
                    Map.entry("ws.path", new String[] {"/a", "/b"}),
                    Map.entry(
                            "ws.origins", new String[] {"https://a.example", "https://b.example"}),
                    Map.entry("applications.NAME.http-path", new String[] {"/a", "/b"}),
                    Map.entry(
                            "cluster.streams", new String[] {"tcp:192.0.2.1:1", "tcp:192.0.2.1:2"}),
                    Map.entry(
                            "admin.oidc.issuer",
                            new String[] {"https://a.example", "https://b.example"}),
                    Map.entry("telemetry.traces.sample", new String[] {"2 %", "3 %"}),
                    Map.entry("sip.t1", new String[] {"100 ms", "200 ms"}),
                    Map.entry("sip.t2", new String[] {"5 s", "6 s"}));

    private static final String CLUSTER =
            "cluster: {name: n, nodes: ['192.0.2.8:1', '192.0.2.9:1'], address: 'a:1', key-file: k}\n";

    /** Sections that a key needs beside it, by the begin of its name. */
    private static final Map<String, String> BESIDE =
            Map.of(
                    "cluster.", CLUSTER,
                    "tls.certificates[].", "tls: {certificates: [{certificate: c.pem}]}\n",
                    "admin.oidc.issuer",
                            "admin: {oidc: {client-id: c, client-secret: s, url: 'https://me.example'}}\n",
                    "cdr.webhook", "cdr: {webhook-key-file: k}\n",
                    "identity.verify.mode", "identity: {verify: {trust-folder: f}}\n",
                    "identity.sign.mode", "identity: {sign: {key: k, certificate: 'https://a'}}\n");

    private SampleValues() {}

    /** What else the file has to say, in YAML. */
    static String beside(ConfigurationKey key) {
        return BESIDE.entrySet().stream()
                .filter(one -> key.name().startsWith(one.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /**
     * A value that is allowed, and not the default.
     *
     * @param number 0 and 1 are different ones
     */
    static String of(ConfigurationKey key, int number) {
        String[] texts = TEXTS.get(key.name());
        if (texts != null) {
            return texts[number];
        }
        for (int from = 0, left = number; from < 40; from++) {
            String candidate = candidate(key, from);
            if (candidate != null
                    && !candidate.equals(key.setting().standard())
                    && allowed(key, candidate)
                    && left-- == 0) {
                return candidate;
            }
        }
        return Objects.requireNonNull(candidate(key, number)); // true and false, none other
    }

    private static boolean allowed(ConfigurationKey key, String text) {
        try {
            Object value = key.kind().parse().apply(text);
            return key.setting().min().isEmpty()
                    || (compare(value, key.kind().parse().apply(key.setting().min())) >= 0
                            && compare(value, key.kind().parse().apply(key.setting().max())) <= 0);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @SuppressWarnings("unchecked") // both by one kind
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static @Nullable String candidate(ConfigurationKey key, int number) {
        Class<?> type = key.isMap() || key.isList() ? key.element() : key.component().getType();
        if (type == boolean.class) {
            return number == 0 ? "true" : number == 1 ? "false" : null;
        }
        if (type.isEnum()) {
            Object[] all = type.getEnumConstants();
            return number < all.length
                    ? ((Enum<?>) all[number]).name().toLowerCase(Locale.ROOT).replace('_', '-')
                    : null;
        }
        if (type == String.class || type == Path.class || type == Secret.class) {
            return "192.0.2." + (number + 1);
        }
        if (type == Duration.class) {
            return number % 2 == 0 ? (1 << number / 2) * 100 + " ms" : (1 << number / 2) + " s";
        }
        if (type == ListenAddress.class || type == CollectorAddress.class) {
            return "udp:192.0.2.1:" + (5080 + number);
        }
        if (type == HostPort.class) {
            return "192.0.2.1:" + (5080 + number);
        }
        return Long.toString(number < 4 ? number + 400 : number < 16 ? number : 1L << number - 8);
    }
}

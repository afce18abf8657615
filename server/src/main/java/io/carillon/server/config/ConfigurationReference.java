package io.carillon.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints the reference page (docs/configuration.md) from the keys: what most servers set, then the
 * rest.
 */
public final class ConfigurationReference {
    private final StringBuilder page = new StringBuilder();

    private ConfigurationReference() {}

    /** The page in Markdown. */
    public static String markdown() {
        return new ConfigurationReference().print();
    }

    private String print() {
        page.append(
                """
                # Configuration

                <!-- Made from the records in io.carillon.server.config; a test fails when this page is stale. -->

                Everything is optional: `./carillon run` needs no file. `./carillon run --config FILE` reads one, in YAML. A wrong key or value
                stops the start, with the file, the line and what is allowed. Durations are written as `500 ms`, `30 s`, `10 min` or `2 h`, sizes
                as `65535`, `64 KiB` or `4 MiB`. Relative paths start at the configuration file's folder. The command line wins over the file:
                `--sip` over `sip.listen`, `--http` over `http.listen`, `--param APP.NAME=VALUE` over `applications.APP.context-params`.

                ```yaml
                sip:
                  listen: [udp:192.0.2.10:5060, tcp:192.0.2.10:5060]
                applications:
                  b2bua:
                    context-params:
                      next-hop: sip:192.0.2.20:5060
                drain:
                  calls: 10 min
                ```
                """);
        page.append("\n## What most servers set\n");
        sections(false);
        page.append(
                """

                ## Expert keys

                Their defaults fit most servers. [Security](security.md#protection) says of the limits among them what happens over each;
                a metric is named as there, with `carillon_` before it.
                """);
        sections(true);
        return page.toString();
    }

    /** A table for each section that has keys for experts, or keys for everybody. */
    private void sections(boolean expert) {
        Map<String, List<ConfigurationKey>> bySection = new LinkedHashMap<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            if (key.expert() == expert) {
                bySection.computeIfAbsent(key.section(), _ -> new ArrayList<>()).add(key);
            }
        }
        bySection.forEach((section, rows) -> {
            page.append("\n### ").append(heading(section, expert)).append("\n\n");
            page.append("| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n");
            rows.forEach(this::row);
        });
    }

    private static String heading(String section, boolean expert) {
        ConfigurationKey key = ConfigurationKeys.section(section);
        String name = key == null ? "Top level" : "`" + section + "`";
        String about = key == null ? "" : "\n\n" + key.setting().value();
        return name + (expert ? ", expert keys" : "") + about;
    }

    private void row(ConfigurationKey key) {
        Setting setting = key.setting();
        String standard =
                setting.standard().isEmpty()
                        ? setting.standardText()
                        : "`" + setting.standard() + "`";
        page.append("| `")
                .append(key.name())
                .append("` | ")
                .append(kind(key))
                .append(key.range())
                .append(" | ")
                .append(standard.isEmpty() ? "none" : standard)
                .append(" | ")
                .append(setting.value())
                .append(metrics(key))
                .append(" |\n");
    }

    private static String metrics(ConfigurationKey key) {
        return key.metrics().isEmpty()
                ? ""
                : key.metrics().stream()
                        .map(name -> "`" + name.replaceFirst("\\.", "_") + "`")
                        .collect(
                                Collectors.joining(
                                        ", ",
                                        key.metrics().size() == 1 ? " Metric: " : " Metrics: ",
                                        "."));
    }

    private static String kind(ConfigurationKey key) {
        String name = key.setting().unit().equals("%") ? "percent" : key.kind().name();
        return (key.isList() ? "list of " : "") + (key.isMap() ? "names with " : "") + name;
    }
}

package io.carillon.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints the reference page (docs/reference/configuration.md) from the keys: what most servers set,
 * then the rest.
 */
public final class ConfigurationReference {
    private static final String INTRODUCTION =
            """
            # Configuration

            <!-- Made from the records in io.carillon.server.config; a test fails when this page is stale. -->

            Everything is optional: `./carillon run` needs no file. A wrong key or value stops the start, with the place and what is
            allowed. Durations are written as `500 ms`, `30 s`, `10 min` or `2 h`, sizes as `65535`, `64 KiB` or `4 MiB`.

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

            ## Where values come from

            The later of these wins, key by key:

            1. The default.
            2. The file of `./carillon run --config FILE`.
            3. The files `conf.d/*.yaml` beside it, in the order of their names. Sections are merged; a list replaces the whole list.
            4. The environment. The tables below name the variable of each key. An empty variable says nothing.
            5. The command line: `--sip`, `--http`, `--watch`, `--router`, `--param APP.NAME=VALUE`.

            `./carillon config show` prints each value and its place, `config check` says what is wrong without a start, and
            `config diff` says what a reload would change. Relative paths start at the folder of the file that names them; those of the
            environment and of the command line start at the working directory.

            **The environment.** `sip.request-heap` is `CARILLON_SIP_REQUEST_HEAP`. Elements of a list are separated by commas, or written
            as YAML: `[a, b]`. A map or a whole section takes YAML: `CARILLON_PEERS='{acme: {addresses: [192.0.2.7]}}'`. `NAME` in a
            variable is the name that you gave, in capitals, with `_` for all but letters and digits. A name that no file has is
            taken in small letters with `-` for `_`; that of a logger with `.`. A variable that begins with the name of a section
            and is no key is an error, so that a mistyped one is seen. Those that Kubernetes makes for services are passed over.

            **Variables in files.** `${NAME}` in a value is that variable of the environment, `${NAME:-text}` has a default, and `$${`
            stands for the two characters. A variable that is missing is an error.

            **Secrets.** A key whose value is a *secret* has a second form with `-file` behind its name, and `_FILE` behind its variable:
            a file whose first line is the secret. The file is read at each use. Secrets are shown as stars, in the log and by
            every command. A context parameter whose name looks like a password, token or key is shown as stars too.

            **Reload.** *yes*: a running server takes another value by `./carillon reload` or SIGHUP ([operating](../guides/operating.md)). *no*: it
            needs a restart, and the reload says so.

            **More.** A meaning that ends with this link has its rest, and the metrics of its key, below the table.
            """;

    private final StringBuilder page = new StringBuilder();

    private ConfigurationReference() {}

    /** The page in Markdown. */
    public static String markdown() {
        return new ConfigurationReference().print();
    }

    private String print() {
        page.append(INTRODUCTION);
        page.append("\n## What most servers set\n");
        sections(false);
        page.append(
                """

                ## Expert keys

                Their defaults fit most servers. [Security](../guides/security.md#protection) says of the limits among them what happens over each;
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
            page.append(
                    "| Key, variable | Value | Default | Reload | Meaning |\n| --- | --- | --- | --- | --- |\n");
            rows.forEach(this::row);
            details(rows);
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
                .append("`<br>`")
                .append(EnvironmentKeys.variable(key.name()))
                .append("` | ")
                .append(kind(key))
                .append(key.range())
                .append(" | ")
                .append(standard.isEmpty() ? "none" : standard)
                .append(" | ")
                .append(key.reload() ? "yes" : "no")
                .append(" | ")
                .append(setting.value())
                .append(setting.more().isEmpty() ? metrics(key) : " [More](#" + key.name() + ")")
                .append(" |\n");
    }

    /** What has no room in a row, in the order of the rows. */
    private void details(List<ConfigurationKey> rows) {
        List<ConfigurationKey> detailed =
                rows.stream().filter(key -> !key.setting().more().isEmpty()).toList();
        if (!detailed.isEmpty()) {
            page.append('\n');
        }
        for (ConfigurationKey key : detailed) {
            page.append("- <a id=\"")
                    .append(key.name())
                    .append("\"></a>**`")
                    .append(key.name())
                    .append("`**: ")
                    .append(key.setting().more())
                    .append(metrics(key))
                    .append('\n');
        }
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
        String unit = key.setting().unit().equals("%") ? "percent" : key.kind().name();
        String name = key.secret() ? "secret" : unit;
        return (key.isList() ? "list of " : "") + (key.isMap() ? "names with " : "") + name;
    }
}

package io.carillon.server.config;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the reference page (docs/configuration.md) from the records. */
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
        section("", Configuration.class, "Top level");
        return page.toString();
    }

    private void section(String path, Class<?> type, String heading) {
        List<RecordComponent> scalars =
                List.of(type.getRecordComponents()).stream()
                        .filter(c -> nested(c) == null)
                        .toList();
        if (!scalars.isEmpty()) {
            page.append("\n## ")
                    .append(heading)
                    .append("\n\n| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n");
            scalars.forEach(component -> row(path, component));
        }
        for (RecordComponent component : type.getRecordComponents()) {
            Class<?> section = nested(component);
            if (section != null) {
                String key =
                        join(path, ConfigurationReader.key(component))
                                + (component.getType() == Map.class ? ".NAME" : "")
                                + (component.getType() == List.class ? "[]" : "");
                section(
                        key,
                        section,
                        "`"
                                + key
                                + "`: "
                                + lowerFirst(ConfigurationReader.setting(component).value()));
            }
        }
    }

    private void row(String path, RecordComponent component) {
        Setting setting = ConfigurationReader.setting(component);
        String standard =
                setting.standard().isEmpty()
                        ? setting.standardText()
                        : "`" + setting.standard() + "`";
        page.append("| `")
                .append(join(path, ConfigurationReader.key(component)))
                .append("` | ")
                .append(kind(component))
                .append(ConfigurationReader.range(setting))
                .append(" | ")
                .append(standard.isEmpty() ? "none" : standard)
                .append(" | ")
                .append(setting.value())
                .append(" |\n");
    }

    private static String kind(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == List.class) {
            return "list of " + name(ConfigurationReader.argument(component.getGenericType(), 0));
        }
        if (type == Map.class) {
            return "names with "
                    + name(ConfigurationReader.argument(component.getGenericType(), 1));
        }
        return name(type);
    }

    private static String name(Class<?> type) {
        ScalarKind<?> kind = ScalarKind.of(type);
        return kind == null ? type.getSimpleName() : kind.name();
    }

    /**
     * The record behind a section, or a map or list of sections; null for a scalar, and a list or
     * map of scalars.
     */
    private static @Nullable Class<?> nested(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == Map.class || type == List.class) {
            type =
                    ConfigurationReader.argument(
                            component.getGenericType(), type == Map.class ? 1 : 0);
        }
        return type.isRecord() && ScalarKind.of(type) == null ? type : null;
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String lowerFirst(String text) {
        String sentence = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}

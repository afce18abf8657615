package io.carillon.lab.study;

import io.carillon.lab.process.WrongSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A way to run the server's JVM.
 *
 * @param name lower-case letters, digits and dashes
 * @param options JVM options that take the place of the shipped ones that concern the collector
 */
public record JvmSetting(String name, List<String> options) {
    /** The options as they are in the shipped file, whatever collector that names. */
    public static final String SHIPPED = "shipped";

    private static final Map<String, List<String>> BUILT_IN = builtIn();

    /** The names that {@code --settings} takes, beside those of a file. */
    public static List<String> names() {
        return List.copyOf(BUILT_IN.keySet());
    }

    /** The settings of those names, in their order. */
    public static List<JvmSetting> of(List<String> names) throws WrongSetting {
        List<JvmSetting> settings = new ArrayList<>();
        for (String name : names) {
            List<String> options = BUILT_IN.get(name.strip());
            if (options == null) {
                throw new WrongSetting(
                        "there is no setting '%s'; there are: %s"
                                .formatted(name.strip(), String.join(", ", names())));
            }
            settings.add(new JvmSetting(name.strip(), options));
        }
        return settings;
    }

    private static Map<String, List<String>> builtIn() {
        Map<String, List<String>> settings = new LinkedHashMap<>();
        settings.put(SHIPPED, List.of());
        settings.put("serial", List.of("-XX:+UseSerialGC"));
        settings.put("parallel", List.of("-XX:+UseParallelGC"));
        settings.put("g1", List.of("-XX:+UseG1GC"));
        // A small young generation is a short pause; what survives once is a call or a lingering
        // transaction, and is copied once.
        settings.put(
                "g1-tuned",
                List.of(
                        "-XX:+UseG1GC",
                        "-XX:MaxGCPauseMillis=10",
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:G1NewSizePercent=1",
                        "-XX:MaxTenuringThreshold=1"));
        settings.put("zgc", List.of("-XX:+UseZGC"));
        settings.put(
                "shenandoah", List.of("-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational"));
        // The one-threaded collector with a young generation that it can copy in a few
        // milliseconds.
        settings.put(
                "serial-small",
                List.of("-XX:+UseSerialGC", "-Xmn32m", "-XX:MaxTenuringThreshold=1"));
        settings.put(
                "parallel-small",
                List.of(
                        "-XX:+UseParallelGC",
                        "-Xmn32m",
                        "-XX:-UseAdaptiveSizePolicy",
                        "-XX:MaxTenuringThreshold=1"));
        return settings;
    }

    /**
     * The same with compact object headers, or without them; what the setting itself says of them
     * stays.
     *
     * @param named whether the name tells it
     */
    JvmSetting withCompactHeaders(boolean compact, boolean named) {
        if (options.stream().anyMatch(option -> option.endsWith("UseCompactObjectHeaders"))) {
            return this;
        }
        List<String> all = new ArrayList<>(options);
        all.add(compact ? "-XX:+UseCompactObjectHeaders" : "-XX:-UseCompactObjectHeaders");
        return new JvmSetting(
                named ? name + (compact ? "-compact" : "-wide") : name, List.copyOf(all));
    }
}

package io.carillon.server.guard;

import java.util.ArrayList;
import java.util.List;

/**
 * A limit that refuses or closes what is over it, and what the log says when it did.
 *
 * @param counter the name of what counts its refusals, as the status has it
 * @param words what was done, with {@code {}} for how often
 * @param settings what moves it; none where it is fixed
 */
public record Limit(String counter, String words, List<Setting> settings) {
    public Limit {
        settings = List.copyOf(settings);
    }

    /** The line about so many refusals. */
    String line(long refusals) {
        List<String> values = new ArrayList<>();
        for (Setting setting : settings) {
            values.add(setting.key() + " is " + setting.value());
        }
        String why = values.isEmpty() ? "the limit is fixed" : String.join(", ", values);
        return words.replace("{}", Long.toString(refusals))
                + " since the last such line: "
                + why
                + " (docs/security.md)";
    }

    /**
     * A setting and its value now.
     *
     * @param key as in {@code sip.max-transactions}
     * @param value with its unit
     */
    public record Setting(String key, String value) {}
}

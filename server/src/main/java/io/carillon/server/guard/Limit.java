package io.carillon.server.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A limit that refuses or closes what is over it, and what the log says when it did.
 *
 * @param counter the name of what counts its refusals, as the status has it
 * @param words what was done, with {@code {}} for how often
 * @param settings what moves it; none where it is fixed
 * @param last who was refused last, for people; empty where nobody knows
 */
public record Limit(String counter, String words, List<Setting> settings, Supplier<String> last) {
    public Limit {
        settings = List.copyOf(settings);
    }

    /** One that does not know whom it refused. */
    public Limit(String counter, String words, List<Setting> settings) {
        this(counter, words, settings, String::new);
    }

    /** The same, moved by these. */
    public Limit moved(List<Setting> keys) {
        return new Limit(counter, words, keys, last);
    }

    /** The same, which knows whom it refused last. */
    public Limit naming(Supplier<String> who) {
        return new Limit(counter, words, settings, who);
    }

    /** The line about so many refusals. */
    String line(long refusals) {
        List<String> values = new ArrayList<>();
        for (Setting setting : settings) {
            values.add(setting.key() + " is " + setting.value());
        }
        String why = values.isEmpty() ? "the limit is fixed" : String.join(", ", values);
        String who = last.get();
        return words.replace("{}", Long.toString(refusals))
                + " since the last such line"
                + (who.isEmpty() ? ": " : ", " + who + " the last: ")
                + why
                + " (docs/guides/security.md)";
    }

    /**
     * A setting and its value now.
     *
     * @param key as in {@code sip.max-transactions}
     * @param value with its unit
     */
    public record Setting(String key, String value) {}
}

package io.carillon.lab.overload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a study looks at. */
enum Part {
    /** Each factor of the capacity, for its time. */
    FACTORS("factors"),

    /** Three times the capacity of the plain application, where that of the others is lowered. */
    PLAIN("plain"),

    /** Emergency calls of a trusted peer, and of one that nobody trusts, beside five times. */
    EMERGENCY("emergency"),

    /** A source with a tenth of the capacity beside one with ten times of it. */
    POLITE("polite"),

    /** A server that has just started gets three times its capacity. */
    COLD("cold"),

    /** An application whose handlers are slow, beside another. */
    SLOW("slow"),

    /** What a refused call costs beside one that is served. */
    REFUSALS("refusals");

    private final String text;

    Part(String text) {
        this.text = text;
    }

    static @Nullable Part of(String text) {
        for (Part part : values()) {
            if (part.text.equals(text.toLowerCase(Locale.ROOT))) {
                return part;
            }
        }
        return null;
    }

    /** All names, for people. */
    static String names() {
        return Arrays.stream(values()).map(Part::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return text;
    }
}

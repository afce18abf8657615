package io.carillon.sip.privacy;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The values of Privacy (RFC 3323 section 4.2, RFC 3325 section 9.3, RFC 7044), in lower case and
 * in their order. Immutable.
 *
 * @param values each once
 */
public record PrivacyValues(Set<String> values) {
    public static final String NONE = "none";
    public static final String HEADER = "header";
    public static final String SESSION = "session";
    public static final String USER = "user";
    public static final String ID = "id";
    public static final String HISTORY = "history";
    public static final String CRITICAL = "critical";

    public PrivacyValues {
        values = Set.copyOf(values);
    }

    /** Reads header lines; what separates values is a semicolon, and a comma is taken too. */
    public static PrivacyValues of(List<String> lines) {
        Set<String> values = new LinkedHashSet<>();
        for (String line : lines) {
            int from = 0;
            for (int i = 0; i <= line.length(); i++) {
                if (i == line.length() || line.charAt(i) == ';' || line.charAt(i) == ',') {
                    String value = line.substring(from, i).strip().toLowerCase(Locale.ROOT);
                    if (!value.isEmpty()) {
                        values.add(value);
                    }
                    from = i + 1;
                }
            }
        }
        return new PrivacyValues(values);
    }

    public boolean has(String value) {
        return values.contains(value);
    }

    /**
     * RFC 3323 4.2: none: "The user requests that a privacy service apply no privacy functions to
     * this message". It stands alone; where it does not, the others count.
     */
    public boolean none() {
        return values.contains(NONE) && values.size() == 1;
    }

    /** These and one more. */
    public PrivacyValues with(String value) {
        Set<String> more = new LinkedHashSet<>(values);
        more.add(value);
        return new PrivacyValues(more);
    }

    /** These without some. */
    public PrivacyValues without(Collection<String> done) {
        Set<String> left = new LinkedHashSet<>(values);
        left.removeAll(done);
        return new PrivacyValues(left);
    }

    /** As a header value; empty for no value at all, and for nothing but {@code critical}. */
    public String text() {
        if (values.isEmpty() || (values.size() == 1 && values.contains(CRITICAL))) {
            return "";
        }
        StringJoiner joined = new StringJoiner(";");
        values.stream().sorted().filter(v -> !v.equals(CRITICAL)).forEach(joined::add);
        if (values.contains(CRITICAL)) {
            joined.add(CRITICAL);
        }
        return joined.toString();
    }
}

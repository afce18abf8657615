package io.carillon.server.apps;

import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The list of applications as JSON, and as text for a terminal. */
public final class ApplicationsText {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ApplicationsText() {}

    /** An array; the keys are the names of the record's components. */
    public static String json(List<ApplicationStatus> all) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
    }

    /** One object. */
    public static String json(ApplicationStatus one) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(one);
    }

    /**
     * Reads what {@link #json(List)} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static List<ApplicationStatus> parse(String json) {
        try {
            return List.of(JSON.readValue(json, ApplicationStatus[].class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "not a list of applications: " + e.getOriginalMessage(), e);
        }
    }

    /** Reads what {@link #json(ApplicationStatus)} wrote. */
    public static ApplicationStatus parseOne(String json) {
        try {
            return JSON.readValue(json, ApplicationStatus.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not an application: " + e.getOriginalMessage(), e);
        }
    }

    /** A table for a terminal. */
    public static String terminal(List<ApplicationStatus> all) {
        if (all.isEmpty()) {
            return "no applications\n";
        }
        int widest = "APPLICATION".length();
        for (ApplicationStatus one : all) {
            widest = Math.max(widest, one.name().length());
        }
        String form = "%-" + widest + "s  %7s  %-8s  %8s  %s%n";
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        form,
                        "APPLICATION",
                        "VERSION",
                        "STATE",
                        "SESSIONS",
                        "ARCHIVE"));
        for (ApplicationStatus one : all) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            form,
                            one.name(),
                            one.version(),
                            one.state(),
                            one.sessions(),
                            one.archive()));
        }
        return text.toString();
    }
}

package io.carillon.server.guard;

import io.carillon.net.guard.Ban;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The bans as JSON, and as text for a terminal. */
public final class BansText {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MINUTE = 60;

    private BansText() {}

    /** An array; the keys are the names of the record's components. */
    public static String json(List<Ban> bans) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(bans);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static List<Ban> parse(String json) {
        try {
            return List.of(JSON.readValue(json, Ban[].class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a list of bans: " + e.getOriginalMessage(), e);
        }
    }

    /** A table for a terminal. */
    public static String terminal(List<Ban> bans) {
        if (bans.isEmpty()) {
            return "no bans\n";
        }
        int widest = "ADDRESS".length();
        for (Ban ban : bans) {
            widest = Math.max(widest, ban.address().length());
        }
        StringBuilder text = new StringBuilder();
        line(text, widest, "ADDRESS", "WHAT", "LEFT", "FAILURES", "REFUSED", "REASON");
        for (Ban ban : bans) {
            line(
                    text,
                    widest,
                    ban.address(),
                    what(ban),
                    left(ban.secondsLeft()),
                    ban.failures(),
                    ban.dropped(),
                    ban.reason());
        }
        return text.toString();
    }

    private static String what(Ban ban) {
        return ban.credentialsOnly() ? "credentials" : ban.datagramsOnly() ? "datagrams" : "all";
    }

    private static void line(
            StringBuilder text,
            int widest,
            String address,
            String what,
            String left,
            Object failures,
            Object refused,
            String reason) {
        text.append(address).repeat(" ", widest - address.length());
        text.append(
                String.format(
                        Locale.ROOT,
                        "  %-9s  %8s  %8s  %8s  %s%n",
                        what,
                        left,
                        failures,
                        refused,
                        reason));
    }

    private static String left(long seconds) {
        return seconds < 2 * MINUTE ? seconds + " s" : Math.ceilDiv(seconds, MINUTE) + " min";
    }
}

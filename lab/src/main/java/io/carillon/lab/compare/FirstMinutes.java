package io.carillon.lab.compare;

import io.carillon.lab.process.Disturbance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What calls cost a server in each minute since it was ready.
 *
 * @param server its name
 * @param minutes the first one first
 * @param failed calls that did not end well
 * @param retransmissions of both sides of the load
 */
record FirstMinutes(String server, List<Minute> minutes, long failed, long retransmissions) {
    /** In it the server is compared with what it becomes: the first one has its start in it. */
    static final int COMPARED = 2;

    /**
     * One of them.
     *
     * @param cpuMicrosPerCall utime and stime of the process tree
     */
    record Minute(double cpuMicrosPerCall, Disturbance machine) {}

    FirstMinutes {
        if (minutes.size() < COMPARED) {
            throw new IllegalArgumentException("no second minute");
        }
        minutes = List.copyOf(minutes);
    }

    /** The second minute's by the last one's. */
    double ratio() {
        return minutes.get(COMPARED - 1).cpuMicrosPerCall() / minutes.getLast().cpuMicrosPerCall();
    }

    boolean clean() {
        return failed == 0 && retransmissions == 0;
    }

    /** A line for each minute, a column for each server; an asterisk: the machine was busy. */
    static String table(List<FirstMinutes> servers) {
        StringBuilder page = new StringBuilder("| Minute |");
        servers.forEach(each -> page.append(' ').append(each.server()).append(" |"));
        page.append("\n| --- |").append(" --- |".repeat(servers.size())).append('\n');
        int longest = servers.stream().mapToInt(each -> each.minutes().size()).max().orElse(0);
        for (int i = 0; i < longest; i++) {
            page.append("| ").append(i + 1).append(" |");
            for (FirstMinutes each : servers) {
                page.append(' ')
                        .append(i < each.minutes().size() ? text(each.minutes().get(i)) : "")
                        .append(" |");
            }
            page.append('\n');
        }
        return page.toString();
    }

    private static String text(Minute minute) {
        return String.format(
                Locale.ROOT,
                "%.0f us%s",
                minute.cpuMicrosPerCall(),
                minute.machine().isMuch() ? " *" : "");
    }

    /** What it comes to, in a sentence. */
    String verdict(double limit) {
        List<String> parts = new ArrayList<>();
        parts.add(
                String.format(
                        Locale.ROOT,
                        "%s: the second minute costs %.2f of the last (limit %.2f)",
                        server,
                        ratio(),
                        limit));
        parts.add(failed + " calls failed");
        parts.add(retransmissions + " messages sent again");
        return String.join(", ", parts);
    }
}

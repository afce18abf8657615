package io.carillon.server.cluster;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The cluster as JSON, and as text for a terminal. */
public final class ClusterText {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ClusterText() {}

    /** The keys are the names of the record's components. */
    public static String json(ClusterView view) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(view);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static ClusterView parse(String json) {
        try {
            return JSON.readValue(json, ClusterView.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a cluster: " + e.getOriginalMessage(), e);
        }
    }

    /** Lines that say how the cluster is; a table of its members stands below them. */
    public static String head(ClusterView view) {
        StringBuilder text = new StringBuilder();
        line(text, "Cluster", view.name() + ", table " + view.version());
        line(
                text,
                "This member",
                view.self()
                        + ", "
                        + view.state()
                        + (view.lease() ? "" : "; NO MAJORITY answers: it acts for no call")
                        + (view.leads() ? "; leads the voters" : ""));
        line(text, "Partitions", partitions(view));
        ClusterView.CallsView calls = view.calls();
        line(text, "Calls protected", Long.toString(calls.isProtected()));
        line(text, "Unprotected", unprotected(calls.unprotected()));
        line(
                text,
                "Taken over",
                calls.takenOver()
                        + " calls; "
                        + calls.waiting()
                        + " wait for their first message"
                        + (calls.lost() == 0 ? "" : "; " + calls.lost() + " LOST"));
        line(text, "Flush", calls.lagMillis() == 0 ? "no lag" : "lag " + calls.lagMillis() + " ms");
        ClusterView.OutlookView outlook = view.outlook();
        if (outlook != null) {
            line(text, "One node fewer", oneFewer(outlook));
            outlook.lacking()
                    .forEach((name, members) ->
                            line(text, "NOT DEPLOYED", name + " at " + lacking(members)));
        }
        return text.toString();
    }

    private static String partitions(ClusterView view) {
        if (view.orphans() > 0) {
            return view.orphans() + " of 1024 have NO OWNER";
        }
        ClusterView.OutlookView outlook = view.outlook();
        if (view.singleCopies() == 0) {
            Long last = outlook == null ? null : outlook.lastOneCopyMillis();
            return "all have an owner and two copies"
                    + (last == null ? "" : "; the last time again after " + seconds(last));
        }
        String text = "all have an owner; " + view.singleCopies() + " have one copy only";
        if (outlook == null) {
            return text;
        }
        Long in = outlook.twoCopiesInMillis();
        return text
                + " since "
                + seconds(outlook.oneCopyMillis())
                + (in == null ? "" : ", two again in some " + seconds(in));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    private static String oneFewer(ClusterView.OutlookView outlook) {
        Boolean carries = outlook.oneFewerCarries();
        if (carries == null) {
            return "not known, or there is no other node that takes calls";
        }
        String used = outlook.oneFewerPercent() + " % of the processors of the busiest";
        return carries
                ? "the others would carry the load: " + used
                : "the others would NOT carry the load: " + used;
    }

    private static String lacking(List<Integer> members) {
        return LackingApplications.words(members) + ": its calls would be lost there";
    }

    private static String unprotected(Map<String, Long> byReason) {
        return byReason.isEmpty()
                ? "none"
                : byReason.entrySet().stream()
                        .map(each -> each.getValue() + " as " + each.getKey())
                        .collect(Collectors.joining("; "));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(" ".repeat(17 - name.length())).append(value).append('\n');
    }
}

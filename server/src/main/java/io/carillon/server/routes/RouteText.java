package io.carillon.server.routes;

import io.carillon.servlet.feature.compose.RouteReport;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The report about a request's way as JSON, and as text for a terminal. */
public final class RouteText {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RouteText() {}

    /** One JSON object; its keys are the names of the record's components. */
    public static String json(RouteReport report) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static RouteReport parse(String json) {
        try {
            return JSON.readValue(json, RouteReport.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a route: " + e.getOriginalMessage(), e);
        }
    }

    /** Lines for a terminal. */
    public static String terminal(RouteReport report) {
        StringBuilder text = new StringBuilder(512);
        text.append(report.method()).append(' ').append(report.uri());
        text.append("  from ").append(report.from()).append('\n');
        text.append("router: ").append(report.router()).append('\n');
        int number = 1;
        for (RouteReport.Visit visit : report.visits()) {
            looks(text, visit.looks());
            text.append(number++).append(". ").append(visit.application());
            text.append("  servlet ")
                    .append(visit.servlet().isEmpty() ? "none" : visit.servlet())
                    .append("  region ")
                    .append(visit.region());
            if (!visit.subscriber().isEmpty()) {
                text.append("  subscriber ").append(visit.subscriber());
            }
            text.append("  state ").append(visit.state());
            for (String route : visit.routes()) {
                text.append("  ").append(route);
            }
            text.append('\n');
        }
        looks(text, report.rest());
        return text.append("then: ").append(report.end()).append('\n').toString();
    }

    private static void looks(StringBuilder text, List<RouteReport.Look> looks) {
        for (RouteReport.Look look : looks) {
            text.append("   ");
            if (look.line() > 0) {
                text.append("line ").append(look.line()).append(", ").append(look.method());
                text.append(": ");
            }
            text.append(look.application().isEmpty() ? "route" : look.application())
                    .append(look.taken() ? " taken: " : " passed over: ")
                    .append(look.reason())
                    .append('\n');
        }
    }
}

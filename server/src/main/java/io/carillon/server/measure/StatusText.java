package io.carillon.server.measure;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The status as JSON, and as text for a terminal. */
public final class StatusText {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long MIB = 1024 * 1024;

    /** So many are printed: those that hold a thread first, then the longest. */
    private static final int SLOW_HANDLERS = 10;

    private StatusText() {}

    /** One JSON object; its keys are the names of the record's components. */
    public static String json(ServerStatus status) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(status);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static ServerStatus parse(String json) {
        try {
            return JSON.readValue(json, ServerStatus.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a status: " + e.getOriginalMessage(), e);
        }
    }

    /** Lines for a terminal. */
    public static String terminal(ServerStatus s) {
        return terminal(s, ZonedDateTime.now(ZoneId.systemDefault()));
    }

    /**
     * As {@link #terminal(ServerStatus)}.
     *
     * @param now in the reader's zone
     */
    static String terminal(ServerStatus s, ZonedDateTime now) {
        StringBuilder out = new StringBuilder(1024);
        process(out, s);
        row(out, "Calls held", s.calls().held() + states(s.calls().byState()));
        row(
                out,
                "Calls started",
                s.calls().started() + ", " + decimal(s.calls().perSecond()) + "/s now");
        overload(out, s.overload(), now);
        messages(out, s);
        held(out, s);
        machine(out, s);
        String noDatabase = s.databaseFailure();
        if (noDatabase != null) {
            row(out, "Database", noDatabase);
        }
        ServerStatus.Tls tls = s.tls();
        if (tls != null) {
            tls(out, tls);
        }
        for (ServerStatus.RaisedLog one : s.raised()) {
            row(
                    out,
                    "Log",
                    one.level()
                            + " of "
                            + one.what()
                            + ", ends in "
                            + duration((double) one.secondsLeft())
                            + " (number "
                            + one.number()
                            + ", by "
                            + one.who()
                            + ")");
        }
        slowHandlers(out, s);
        return out.toString();
    }

    /** What runs, and where it listens. */
    private static void process(StringBuilder out, ServerStatus s) {
        row(
                out,
                "Carillon",
                s.version()
                        + ", "
                        + s.state()
                        + " for "
                        + duration(s.uptimeSeconds())
                        + ", process "
                        + s.pid());
        row(out, "SIP", String.join(", ", s.sip()));
        row(out, "HTTP", "http://" + s.http());
        if (!s.pages().isEmpty()) {
            row(out, "Pages", String.join(", ", s.pages()));
        }
        row(
                out,
                "Applications",
                s.applications().isEmpty() ? "none" : String.join(", ", s.applications()));
    }

    private static void messages(StringBuilder out, ServerStatus s) {
        row(
                out,
                "Requests",
                s.messages().requestsIn() + " in, " + s.messages().requestsOut() + " out");
        row(
                out,
                "Responses",
                s.messages().responsesIn() + " in, " + s.messages().responsesOut() + " out");
        row(
                out,
                "Retransmissions",
                s.messages().retransmissionsSeen()
                        + " seen, "
                        + s.messages().retransmissionsSent()
                        + " sent");
        row(
                out,
                "Bad messages",
                s.messages().malformed() + " refused, " + s.messages().dropped() + " dropped");
    }

    /** What is held, and what limits refused. */
    private static void held(StringBuilder out, ServerStatus s) {
        row(out, "Transactions", Long.toString(s.transactions()));
        row(
                out,
                "App. sessions",
                s.applicationSessions()
                        + ", "
                        + counter(s, "applications.refused")
                        + " refused as full, "
                        + counter(s, "applications.refused_share")
                        + " calls and "
                        + counter(s, "applications.refused_pages")
                        + " pages over a share");
        row(
                out,
                "Connections",
                s.connections().open()
                        + " open, "
                        + s.connections().closedByLimit()
                        + " closed by a limit");
        row(
                out,
                "Guard",
                counter(s, "net.bans")
                        + " bans, "
                        + (counter(s, "net.datagrams_over_rate")
                                + counter(s, "net.datagrams_banned"))
                        + " datagrams dropped unread");
    }

    private static void machine(StringBuilder out, ServerStatus s) {
        row(out, "Kernel drops", Long.toString(s.kernelDrops()));
        row(
                out,
                "GC pauses",
                s.gcPauses().count()
                        + ", max "
                        + decimal(s.gcPauses().maxMillis())
                        + " ms, p99 "
                        + decimal(s.gcPauses().p99Millis())
                        + " ms");
        row(out, "Heap", heap(s.heap()));
        if (!s.handlersApart().isEmpty()) {
            row(out, "Handlers", "on threads of their own: " + s.handlersApart());
        }
    }

    private static void slowHandlers(StringBuilder out, ServerStatus s) {
        List<ServerStatus.SlowHandler> slowest =
                s.slowHandlers().stream()
                        .sorted(
                                Comparator.comparing((ServerStatus.SlowHandler slow) ->
                                                !slow.deadlock().isEmpty())
                                        .thenComparing(ServerStatus.SlowHandler::holdsThread)
                                        .thenComparing(ServerStatus.SlowHandler::seconds)
                                        .reversed())
                        .toList();
        for (ServerStatus.SlowHandler slow :
                slowest.subList(0, Math.min(SLOW_HANDLERS, slowest.size()))) {
            row(
                    out,
                    "Slow handler",
                    slow.application()
                            + ", "
                            + slow.servlet()
                            + ", "
                            + slow.method()
                            + " of call "
                            + slow.callId()
                            + " for "
                            + decimal(slow.seconds())
                            + (slow.holdsThread() ? " s, holds its thread" : " s, waits")
                            + (slow.at().isEmpty() ? "" : " at " + slow.at()));
            if (!slow.deadlock().isEmpty()) {
                row(out, "", "DEADLOCK: it waits for a lock of " + slow.deadlock());
            }
        }
        if (slowest.size() > SLOW_HANDLERS) {
            row(out, "", "and " + (slowest.size() - SLOW_HANDLERS) + " more (--json lists all)");
        }
    }

    private static void overload(
            StringBuilder out, ServerStatus.Overload overload, ZonedDateTime now) {
        String name = "Overload";
        for (String line : OverloadText.lines(overload, now.getZone(), now.toLocalDate())) {
            row(out, name, line);
            name = "";
        }
    }

    private static String heap(ServerStatus.Heap heap) {
        String text =
                heap.usedBytes() / MIB
                        + " MiB used, "
                        + heap.committedBytes() / MIB
                        + " of "
                        + heap.maxBytes() / MIB
                        + " MiB";
        return heap.softMaxBytes() == 0
                ? text
                : text
                        + "; touched "
                        + heap.touchedBytes() / MIB
                        + " of "
                        + heap.softMaxBytes() / MIB
                        + " MiB";
    }

    private static void tls(StringBuilder out, ServerStatus.Tls tls) {
        row(
                out,
                "TLS",
                "by "
                        + tls.provider()
                        + ", files read at "
                        + tls.loaded()
                        + ", "
                        + tls.reloads()
                        + " reloads, "
                        + tls.reloadFailures()
                        + " failed");
        if (!tls.lastFailure().isEmpty()) {
            row(out, "", "NOT IN USE, the newest files are wrong: " + tls.lastFailure());
        }
        for (ServerStatus.TlsCertificate one : tls.certificates()) {
            row(
                    out,
                    "Certificate",
                    String.join(", ", one.names())
                            + (one.standard() ? " (default)" : "")
                            + ", "
                            + one.key()
                            + ", "
                            + (one.secondsLeft() <= 0
                                    ? "EXPIRED since " + one.notAfter()
                                    : one.daysLeft() + " days left, until " + one.notAfter())
                            + ", from "
                            + one.file()
                            + (one.listeners().isEmpty()
                                    ? ""
                                    : ", at " + String.join(", ", one.listeners())));
        }
    }

    private static long counter(ServerStatus s, String name) {
        return s.counters().getOrDefault(name, 0L);
    }

    private static String states(Map<String, Long> byState) {
        if (byState.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder(" (sessions: ");
        new TreeMap<>(byState)
                .forEach((state, count) ->
                        text.append(state.toLowerCase(Locale.ROOT))
                                .append(' ')
                                .append(count)
                                .append(", "));
        text.setLength(text.length() - 2);
        return text.append(')').toString();
    }

    private static String duration(double seconds) {
        Duration d = Duration.ofSeconds((long) seconds);
        if (d.toHours() > 0) {
            return d.toHours() + " h " + d.toMinutesPart() + " min";
        }
        return d.toMinutes() > 0
                ? d.toMinutes() + " min " + d.toSecondsPart() + " s"
                : d.toSeconds() + " s";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static void row(StringBuilder out, String name, String value) {
        out.append(name)
                .append(" ".repeat(Math.max(1, 17 - name.length())))
                .append(value)
                .append('\n');
    }
}

package io.carillon.server.measure;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is said of overload, to people. */
public final class OverloadText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final double TEN = 9.95;

    private OverloadText() {}

    /**
     * A line for what is shed by the server, and one for each application that is; one about the
     * load where nothing is.
     *
     * @param zone in which times are told
     * @param today a time before it has its day
     */
    public static List<String> lines(ServerStatus.Overload now, ZoneId zone, LocalDate today) {
        List<String> lines = new ArrayList<>();
        if (now.shedding()) {
            lines.add(
                    "shedding new calls: "
                            + rate(now.shedPerSecond())
                            + "/s, queueing delay "
                            + millis(now.delayMillis())
                            + " ms, since "
                            + time(now.since(), zone, today)
                            + ", because "
                            + now.because());
        }
        for (ServerStatus.LateApplication one : now.late()) {
            lines.add(
                    "shedding new calls of "
                            + one.application()
                            + ": "
                            + rate(one.shedPerSecond())
                            + "/s, since "
                            + time(one.since(), zone, today)
                            + ", because its handlers take "
                            + millis(one.delayMillis())
                            + " ms");
        }
        if (lines.isEmpty()) {
            lines.add(
                    "none; load "
                            + now.load()
                            + " of 100, queueing delay "
                            + millis(now.delayMillis())
                            + " ms");
        }
        return lines;
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    /** One decimal only where it tells something. */
    static String millis(double value) {
        return String.format(Locale.ROOT, value < TEN ? "%.1f" : "%,.0f", value);
    }

    private static String time(String instant, ZoneId zone, LocalDate today) {
        ZonedDateTime time = Instant.parse(instant).atZone(zone);
        return (time.toLocalDate().equals(today) ? TIME : DAY).format(time);
    }
}

package io.carillon.server.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginAttribute;
import org.apache.logging.log4j.core.config.plugins.PluginConfiguration;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of the log, for consoles. Stands behind the log's queue, on its thread; readers
 * are any. The log is the process's, and so are these. Memory is fixed: {@link #MOST} lines, each
 * cut.
 */
@Plugin(
        name = "RecentLines",
        category = "Core",
        elementType = Appender.ELEMENT_TYPE,
        printObject = true)
public final class RecentLines extends AbstractAppender {
    static final int MOST = 2_000;
    private static final int LONGEST = 2_000;

    private static final Object LOCK = new Object();

    /** A ring; guarded by the lock. */
    private static final @Nullable Line[] LINES = new Line[MOST];

    /** Lines so far; guarded by the lock. */
    private static long count;

    private final PatternLayout text;

    private RecentLines(String name, PatternLayout text) {
        super(name, null, null, true, Property.EMPTY_ARRAY);
        this.text = text;
    }

    /**
     * A line.
     *
     * @param sequence larger than those before
     * @param time ISO 8601 in UTC
     * @param level of it
     * @param logger that wrote it
     * @param text of it, its secrets hidden; a failure with some of its trace
     */
    public record Line(long sequence, String time, String level, String logger, String text) {}

    /** Called by the logging system. */
    @PluginFactory
    public static RecentLines create(
            @PluginAttribute("name") String name,
            @PluginConfiguration Configuration configuration) {
        return new RecentLines(
                name,
                PatternLayout.newBuilder()
                        .setConfiguration(configuration)
                        .setPattern("%safe%call%n%safeEx{8}")
                        .build());
    }

    @Override
    public void append(LogEvent event) {
        String whole = text.toSerializable(event).strip();
        add(
                Instant.ofEpochMilli(event.getTimeMillis()),
                event.getLevel(),
                event.getLoggerName(),
                whole.length() <= LONGEST ? whole : whole.substring(0, LONGEST) + "...");
    }

    static void add(Instant at, Level level, String logger, String text) {
        synchronized (LOCK) {
            count++;
            LINES[(int) (count % MOST)] =
                    new Line(
                            count,
                            at.toString(),
                            level.name().toLowerCase(Locale.ROOT),
                            logger,
                            text);
        }
    }

    /**
     * The last lines, the oldest first.
     *
     * @param after only lines with a larger sequence
     * @param least only of that level and above it, in words; empty: all
     * @param most so many
     */
    public static List<Line> last(long after, String least, int most) {
        Level level = Level.toLevel(least, Level.ALL);
        List<Line> found = new ArrayList<>();
        synchronized (LOCK) {
            long oldest = Math.max(1, count - MOST + 1);
            for (long at = count; at >= oldest && at > after && found.size() < most; at--) {
                Line line = LINES[(int) (at % MOST)];
                if (line != null
                        && Level.toLevel(line.level(), Level.INFO).isMoreSpecificThan(level)) {
                    found.add(line);
                }
            }
        }
        return found.reversed();
    }
}

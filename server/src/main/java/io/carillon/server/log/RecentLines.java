package io.carillon.server.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginAttribute;
import org.apache.logging.log4j.core.config.plugins.PluginElement;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;

/**
 * The last lines of the log, {@value #MOST_BYTES} bytes of them, for who asks for a support bundle.
 * Written by the thread of the log, read by any; one for the process.
 */
@Plugin(
        name = "RecentLines",
        category = "Core",
        elementType = Appender.ELEMENT_TYPE,
        printObject = true)
public final class RecentLines extends AbstractAppender {
    static final int MOST_BYTES = 1 << 20;
    private static final int LONGEST_LINE = 32 << 10;

    /** Guarded by itself. */
    private static final Deque<byte[]> LINES = new ArrayDeque<>();

    private static int bytes;

    private RecentLines(String name, Layout<?> layout) {
        super(name, null, layout, true, Property.EMPTY_ARRAY);
    }

    /** Called by the logging system. */
    @PluginFactory
    public static RecentLines create(
            @PluginAttribute("name") String name, @PluginElement("Layout") Layout<?> layout) {
        return new RecentLines(name, layout);
    }

    @Override
    public void append(LogEvent event) {
        byte[] line = getLayout().toByteArray(event);
        keep(line.length <= LONGEST_LINE ? line : Arrays.copyOf(line, LONGEST_LINE));
    }

    static void keep(byte[] line) {
        synchronized (LINES) {
            LINES.addLast(line);
            bytes += line.length;
            while (bytes > MOST_BYTES) {
                bytes -= LINES.removeFirst().length;
            }
        }
    }

    /** The lines, the oldest first. */
    public static String text() {
        StringBuilder all = new StringBuilder();
        synchronized (LINES) {
            LINES.forEach(line -> all.append(new String(line, StandardCharsets.UTF_8)));
        }
        return all.toString();
    }
}

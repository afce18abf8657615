package io.carillon.server.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.AppenderControl;
import org.apache.logging.log4j.core.config.AppenderRef;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginAttribute;
import org.apache.logging.log4j.core.config.plugins.PluginConfiguration;
import org.apache.logging.log4j.core.config.plugins.PluginElement;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.Message;
import org.apache.logging.log4j.message.SimpleMessage;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the queue of the log. Of what others' libraries warn of it lets one line a second
 * through for each kind, since strangers can cause many of them: a kind is a logger, the text of a
 * message before anything was put into it, and the class of a failure. What is left out is counted,
 * and the next line of its kind says how many there were. Lines of the server's own are limited
 * where they are written; they, what applications log and all below WARN pass.
 *
 * <p>Any thread; a lock for a few steps where a library warns. Memory is fixed: a place may be that
 * of several kinds, which then share their line.
 */
@Plugin(
        name = "LibraryLines",
        category = "Core",
        elementType = Appender.ELEMENT_TYPE,
        printObject = true)
public final class LibraryLines extends AbstractAppender {
    /** Power of two. So many lines a second libraries can write in all. */
    static final int PLACES = 64;

    static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String OWN = "io.carillon.";
    private static final LongAdder SUPPRESSED = new LongAdder();

    private final Configuration configuration;
    private final String target;
    private final LongSupplier clock;

    // Guarded by this.
    private final boolean[] written = new boolean[PLACES];
    private final long[] writtenAtNanos = new long[PLACES];
    private final int[] leftOut = new int[PLACES];

    private volatile @Nullable AppenderControl next;

    LibraryLines(String name, Configuration configuration, String target, LongSupplier clock) {
        super(name, null, null, true, Property.EMPTY_ARRAY);
        this.configuration = configuration;
        this.target = target;
        this.clock = clock;
    }

    /**
     * Called by the logging system.
     *
     * @param ref who gets what is let through
     */
    @PluginFactory
    public static LibraryLines create(
            @PluginAttribute("name") String name,
            @PluginElement("AppenderRef") AppenderRef ref,
            @PluginConfiguration Configuration configuration) {
        return new LibraryLines(name, configuration, ref.getRef(), System::nanoTime);
    }

    @Override
    public void start() {
        Appender found = configuration.getAppender(target);
        if (found == null) {
            error("there is no appender " + target);
        } else {
            next = new AppenderControl(found, null, null);
        }
        super.start();
    }

    @Override
    public void append(LogEvent event) {
        AppenderControl to = next;
        if (to == null) {
            return;
        }
        int more = limited(event) ? before(event) : 0;
        if (more == 0) {
            to.callAppender(event);
        } else if (more > 0) {
            to.callAppender(told(event, more));
        } else {
            SUPPRESSED.increment();
        }
    }

    private static boolean limited(LogEvent event) {
        String logger = event.getLoggerName();
        return event.getLevel().isMoreSpecificThan(Level.WARN)
                && (logger == null || !logger.startsWith(OWN))
                && !event.getContextData().containsKey(CallFields.APPLICATION);
    }

    /** How many of its kind were left out since the last line; -1 where this one is, too. */
    private int before(LogEvent event) {
        int place = place(event);
        long now = clock.getAsLong();
        synchronized (this) {
            if (written[place] && now - writtenAtNanos[place] < EVERY_NANOS) {
                leftOut[place]++;
                return -1;
            }
            written[place] = true;
            writtenAtNanos[place] = now;
            int more = leftOut[place];
            leftOut[place] = 0;
            return more;
        }
    }

    @SuppressWarnings("deprecation") // nothing else tells the text before its values are in it
    private static int place(LogEvent event) {
        Message message = event.getMessage();
        String format = message == null ? null : message.getFormat();
        Throwable thrown = event.getThrown();
        int hash = 31 * hash(event.getLoggerName()) + hash(format);
        hash = 31 * hash + (thrown == null ? 0 : hash(thrown.getClass().getName()));
        hash *= 0x9E3779B9;
        return hash >>> (32 - Integer.numberOfTrailingZeros(PLACES));
    }

    private static int hash(@Nullable String text) {
        return text == null ? 0 : text.hashCode();
    }

    private static LogEvent told(LogEvent event, int more) {
        String text = event.getMessage().getFormattedMessage();
        return new Log4jLogEvent.Builder(event)
                .setMessage(new SimpleMessage(text + " (" + more + " more like it)"))
                .build();
    }

    /** Lines left out since the start, of all. */
    public static long suppressed() {
        return SUPPRESSED.sum();
    }
}

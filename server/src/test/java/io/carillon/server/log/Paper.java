package io.carillon.server.log;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.StringLayout;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;

/** Keeps the lines, in the server's layout. */
final class Paper extends AbstractAppender {
    static final String PATTERN = "%-5p %c{1} %safe%call%n%safeEx{8}";

    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger written = new AtomicInteger();
    private final StringLayout layout;

    Paper(Configuration configuration) {
        super("calls-on-paper", null, null, true, Property.EMPTY_ARRAY);
        layout = LineLayout.create(PATTERN, configuration);
    }

    @Override
    public void append(LogEvent event) {
        lines.add(layout.toSerializable(event));
        written.incrementAndGet();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    void await(int wanted, long time, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(time);
        while (written.get() < wanted) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError(written.get() + " lines of " + wanted);
            }
            Thread.onSpinWait();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}

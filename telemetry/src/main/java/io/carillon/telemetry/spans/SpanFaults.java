package io.carillon.telemetry.spans;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what traces could not take; the first is told. Any thread. */
final class SpanFaults {
    private static final Logger LOG = LoggerFactory.getLogger(SpanFaults.class);

    private final AtomicLong count = new AtomicLong();

    void add(Throwable e) {
        if (count.getAndIncrement() == 0) {
            LOG.error("A trace could not take something; further faults are counted only", e);
        }
    }

    long count() {
        return count.get();
    }
}

package io.carillon.telemetry.records;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what call records could not take; the first is told. Any thread. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    private final AtomicLong count = new AtomicLong();

    void add(Throwable e) {
        if (count.getAndIncrement() == 0) {
            LOG.error("A call record could not take something; further faults are counted only", e);
        }
    }

    long count() {
        return count.get();
    }
}

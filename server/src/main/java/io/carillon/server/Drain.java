package io.carillon.server;

import io.carillon.server.config.DrainSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Empties the server before it stops. One use, on the thread that stops the server. */
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final Duration STEP = Duration.ofMillis(20);

    /** How long the ends that are told BYE may take to answer, at most. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final SipSide sip;
    private final DrainSettings settings;
    private final Waiting waiting;

    Drain(SipSide sip, DrainSettings settings, Waiting waiting) {
        this.sip = sip;
        this.settings = settings;
        this.waiting = waiting;
    }

    /** Refuses new calls, waits as configured, ends the rest as configured. */
    void run() throws InterruptedException {
        sip.refuseNewCalls();
        long held = sip.callsHeld();
        LOG.info("Stopping: new calls are refused, {} calls held", held);
        waiting.until(() -> sip.callsHeld() == 0, settings.calls());
        waiting.until(() -> sip.openTransactions() == 0, settings.transactions());
        long left = sip.callsHeld();
        if (left == 0) {
            return;
        }
        LOG.info(
                "Stopping: {} application sessions are left, {}",
                left,
                settings.end() == DrainSettings.EndCalls.BYE
                        ? "they get BYE"
                        : "they stay as they are");
        CountDownLatch told = new CountDownLatch(1);
        sip.endCalls(settings.end(), told::countDown);
        waiting.until(() -> told.getCount() == 0, settings.transactions());
        if (settings.end() == DrainSettings.EndCalls.BYE) {
            waiting.until(() -> sip.openTransactions() == 0, FAREWELL);
        }
    }

    /** How time passes. */
    interface Waiting {
        /** Returns when the condition holds or the time is over. */
        void until(BooleanSupplier condition, Duration atMost) throws InterruptedException;

        /** Looks every few milliseconds. */
        static Waiting real() {
            return (condition, atMost) -> {
                long deadline = System.nanoTime() + atMost.toNanos();
                while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
                    TimeUnit.NANOSECONDS.sleep(STEP.toNanos());
                }
            };
        }
    }
}

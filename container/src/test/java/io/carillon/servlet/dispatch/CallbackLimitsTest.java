package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.ContainerCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Threads of applications that do not end. */
class CallbackLimitsTest {
    private static final int MANY = 5 * CallbackLimits.MOST_LEFT_BEHIND;

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    private void hang() {
        begun.incrementAndGet();
        boolean over = false;
        while (!over) {
            try {
                released.await();
                over = true;
            } catch (InterruptedException e) {
                over = false; // an application that does not obey
            }
        }
    }

    @Test
    void endsThatHangAreBoundedHoweverManyVersionsEndTogether() throws Exception {
        ContainerCounters counters = new ContainerCounters();
        CallbackLimits limits = new CallbackLimits(counters);
        limits.set(Duration.ofHours(1), Duration.ofMillis(1));
        List<Thread> versions = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String name = "stop " + i;
            versions.add(
                    Thread.ofVirtual()
                            .start(() ->
                                    limits.end(
                                            name, Duration.ofMillis(1), this::hang, () -> "it")));
        }
        for (Thread version : versions) {
            version.join();
        }
        assertThat(begun.get()).isLessThan(3 * CallbackLimits.MOST_LEFT_BEHIND);
        assertThat(limits.leftBehind()).hasSameSizeAs(new int[begun.get()]);
        assertThat(counters.callbacksTooLong.sum()).isEqualTo(MANY);
        released.countDown();
    }
}

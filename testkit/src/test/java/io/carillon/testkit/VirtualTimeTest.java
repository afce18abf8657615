package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The clock of a simulation, and those who are no part of it. */
class VirtualTimeTest {
    private static final int EACH = 50_000;

    private final VirtualTime time = new VirtualTime();
    private int ran;

    /**
     * An application's own threads leave the turns of calls at once, and work goes on behind it.
     */
    @Test
    void noEventIsLostThatThreadsAddAtOnce() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (Future<?> added :
                    Stream.of(1L, 2L)
                            .map(delay -> threads.submit(() -> add(both, delay)))
                            .toList()) {
                added.get();
            }
        }
        assertThat(time.waiting()).isEqualTo(2 * EACH);
        assertThat(time.runUntilQuiet(Duration.ofSeconds(1))).isTrue();
        assertThat(ran).isEqualTo(2 * EACH);
    }

    private void add(CountDownLatch both, long delay) {
        both.countDown();
        while (both.getCount() > 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < EACH; i++) {
            time.after(delay, () -> ran++);
        }
    }
}

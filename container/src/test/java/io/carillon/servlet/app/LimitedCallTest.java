package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Work whose time is over. */
class LimitedCallTest {
    private static void passes(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The work ends just when its time is over: what undoes it must not be disturbed. */
    @Test
    void theInterruptIsForTheWorkAndNotForWhatUndoesIt() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch undoing = new CountDownLatch(1);
        CountDownLatch awaited = new CountDownLatch(1);
        CountDownLatch undone = new CountDownLatch(1);
        AtomicBoolean disturbed = new AtomicBoolean();
        LimitedCall call =
                LimitedCall.begin(
                        "slow",
                        () -> passes(over),
                        () -> {
                            // Asked between the end of the time and the interrupt.
                            over.countDown();
                            passes(undoing);
                            return "it";
                        },
                        () -> {
                            undoing.countDown();
                            try {
                                awaited.await();
                            } catch (InterruptedException e) {
                                disturbed.set(true);
                            }
                            undone.countDown();
                        });
        assertThat(call.await(Duration.ofMillis(1))).isNotNull();
        awaited.countDown();
        undone.await();
        assertThat(disturbed).isFalse();
    }
}

package io.carillon.protection.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** On a scheduler whose time is passed by hand. */
class EverySecondTest {
    private static final class ByHand extends AbstractLifeCycle implements Scheduler {
        final Deque<Runnable> due = new ArrayDeque<>();

        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            assertThat(unit.toMillis(delay)).isEqualTo(1_000);
            due.add(task);
            return () -> due.remove(task);
        }

        void second() {
            due.remove().run();
        }
    }

    private final ByHand scheduler = new ByHand();
    private int looks;

    private EverySecond everySecond(Runnable more) {
        return new EverySecond(
                NOPLogger.NOP_LOGGER,
                "failed",
                () -> {
                    looks++;
                    more.run();
                });
    }

    @Test
    void itLooksOnceASecondFromStartToStop() {
        EverySecond every = everySecond(() -> {});
        assertThat(scheduler.due).isEmpty();
        every.start(scheduler);
        scheduler.second();
        scheduler.second();
        assertThat(looks).isEqualTo(2);

        every.stop();

        assertThat(scheduler.due).isEmpty();
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        EverySecond every =
                everySecond(() -> {
                    throw new IllegalStateException("broken");
                });
        every.start(scheduler);
        scheduler.second();
        scheduler.second();
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void whoStopsItWhileItLooksHasStoppedIt() {
        EverySecond[] every = new EverySecond[1];
        every[0] = everySecond(() -> every[0].stop());
        every[0].start(scheduler);
        scheduler.second();
        assertThat(scheduler.due).isEmpty();
    }

    @Test
    void startedAgainItLooksOnceASecondStill() {
        EverySecond every = everySecond(() -> {});
        every.start(scheduler);
        every.start(scheduler);
        assertThat(scheduler.due).hasSize(1);
        scheduler.second();
        assertThat(scheduler.due).hasSize(1);
    }

    @Test
    void startedAgainWhileItLooksItLooksOnceASecondStill() {
        EverySecond[] every = new EverySecond[1];
        every[0] = everySecond(() -> every[0].start(scheduler));
        every[0].start(scheduler);
        scheduler.second();
        assertThat(scheduler.due).hasSize(1);
    }
}

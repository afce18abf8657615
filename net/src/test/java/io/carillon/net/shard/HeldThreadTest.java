package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When whoever sent a handler is told that it holds its thread. */
class HeldThreadTest {
    private static final long USED_BEFORE = 7_000_000;

    private final HeldThread thread = new HeldThread(1_000, USED_BEFORE);

    @Test
    void aHandlerThatHasComputedForTwentyMillisecondsIsToldOf() {
        assertThat(thread.tooLong(USED_BEFORE + HeldThread.MOST_USED_NANOS - 1, false)).isFalse();
        assertThat(thread.tooLong(USED_BEFORE + HeldThread.MOST_USED_NANOS, false)).isTrue();
    }

    /** Others have the processor, or the JVM stands still: the guard's clock runs all the same. */
    @Test
    void aHandlerThatGetsNoProcessorIsNotTakenForOneThatComputes() {
        assertThat(thread.tooLong(USED_BEFORE, false)).isFalse();
        assertThat(thread.tooLong(USED_BEFORE + 100_000, false)).isFalse();
    }

    @Test
    void aHandlerThatWaitsInNativeCodeIsToldOfAfterSoManyLooks() {
        assertThat(looksUntilTold(thread, USED_BEFORE))
                .isEqualTo(HeldThread.LOOKS_OF_ONE_THAT_WAITS);
    }

    /** Threads of many processes share the processor: it goes on, and has time. */
    @Test
    void aHandlerThatGetsLittleOfAProcessorIsToldOfLater() {
        assertThat(looksUntilTold(thread, USED_BEFORE + HeldThread.LEAST_USED_NANOS))
                .isEqualTo(HeldThread.MOST_LOOKS);
    }

    /** Spare threads are bounded, and loops wait for one where none is left. */
    @Test
    void whereManyAreHeldTheClockCounts() {
        for (int i = 1; i < HeldThread.LOOKS_OF_MANY; i++) {
            assertThat(thread.tooLong(USED_BEFORE, true)).isFalse();
        }
        assertThat(thread.tooLong(USED_BEFORE, true)).isTrue();
    }

    /** A system that does not say what a thread has used: its looks count alone. */
    @Test
    void whereTheProcessorTimeIsNotKnownLooksCount() {
        assertThat(looksUntilTold(new HeldThread(1_000, -1), 90_000_000))
                .isEqualTo(HeldThread.LOOKS_OF_ONE_THAT_WAITS);
        assertThat(looksUntilTold(thread, -1)).isEqualTo(HeldThread.LOOKS_OF_ONE_THAT_WAITS);
    }

    private static int looksUntilTold(HeldThread thread, long used) {
        int looks = 1;
        while (!thread.tooLong(used, false)) {
            looks++;
        }
        return looks;
    }
}

package io.carillon.net.shard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When whoever sent a handler is told that it holds its thread. */
class HeldThreadTest {
    private static final long USED_BEFORE = 7_000_000;

    private final HeldThread thread = new HeldThread(1_000, USED_BEFORE);

    @Test
    void aHandlerThatHasComputedForTwentyMillisecondsIsToldOf() {
        assertThat(thread.tooLong(USED_BEFORE + HeldThread.MOST_USED_NANOS - 1)).isFalse();
        assertThat(thread.tooLong(USED_BEFORE + HeldThread.MOST_USED_NANOS)).isTrue();
    }

    /** Others have the processor, or the JVM stands still: the guard's clock runs all the same. */
    @Test
    void aHandlerThatGetsNoProcessorIsNotTakenForOneThatComputes() {
        assertThat(thread.tooLong(USED_BEFORE)).isFalse();
        assertThat(thread.tooLong(USED_BEFORE + 100_000)).isFalse();
    }

    @Test
    void aHandlerThatWaitsInNativeCodeIsToldOfAfterSoManyLooks() {
        for (int i = 1; i < HeldThread.MOST_LOOKS; i++) {
            assertThat(thread.tooLong(USED_BEFORE)).isFalse();
        }
        assertThat(thread.tooLong(USED_BEFORE)).isTrue();
    }

    /** A system that does not say what a thread has used: its looks count alone. */
    @Test
    void whereTheProcessorTimeIsNotKnownLooksCount() {
        HeldThread unknown = new HeldThread(1_000, -1);
        assertThat(unknown.tooLong(90_000_000)).isFalse();
        assertThat(thread.tooLong(-1)).isFalse();
        for (int i = 2; i < HeldThread.MOST_LOOKS; i++) {
            assertThat(unknown.tooLong(-1)).isFalse();
        }
        assertThat(unknown.tooLong(-1)).isTrue();
    }
}

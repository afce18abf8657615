package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server at all its bounds at once still lives. */
class HeapBoundsTest {
    private static final long MIB = 1L << 20;
    private static final long CACHES = 180 * MIB;

    private static HeapBounds bounds(long mebibytes, int requests, int sessions) {
        return HeapBounds.of(
                mebibytes * MIB,
                new HeapBounds.Demand(
                        requests, 5, sessions, 2_000_000, 14 * MIB + mebibytes * MIB / 16, CACHES));
    }

    @ParameterizedTest
    @ValueSource(longs = {256, 400, 600, 1_024, 2_048, 4_096, 16_384})
    void allBoundsTogetherLeaveTheCollectorAFifthOfTheHeap(long mebibytes) {
        HeapBounds bounds = bounds(mebibytes, 10, 0);
        assertThat(bounds.atAllBounds()).isLessThanOrEqualTo(mebibytes * MIB / 100 * 81);
        assertThat(bounds.warnings()).isEmpty();
        assertThat(bounds.sessions()).isBetween(5_000, HeapBounds.USUAL_SESSIONS);
        assertThat(bounds.transactions()).isGreaterThan(8_000);
    }

    @Test
    void aLargeHeapHasRoomForAllThatIsUsual() {
        HeapBounds bounds = bounds(16_384, 10, 0);
        assertThat(bounds.sessions()).isEqualTo(200_000);
        assertThat(bounds.transactions()).isEqualTo(2_000_000);
        assertThat(bounds.ofCache(50_000)).isEqualTo(50_000);
    }

    @Test
    void cachesOfASmallHeapAreSmaller() {
        assertThat(bounds(256, 10, 0).ofCache(200_000)).isBetween(1_000, 20_000);
        assertThat(bounds(256, 10, 0).ofCache(500)).as("never more than asked for").isEqualTo(500);
    }

    @Test
    void moreSessionsThanTheHeapHoldsAreObeyedAndTold() {
        HeapBounds bounds = bounds(600, 10, 150_000);
        assertThat(bounds.sessions()).isEqualTo(150_000);
        assertThat(bounds.warnings())
                .hasSize(2)
                .anyMatch(line ->
                        line.matches(
                                "sessions.max is 150000, and a heap of 600 MiB has room for"
                                        + " \\d{5} beside its other bounds, at 3072 bytes"
                                        + " each"))
                .anyMatch(line -> line.contains("its heap is 600 MiB: requests 150 MiB"));
    }

    @Test
    void percentsThatAreTooManyAreTold() {
        assertThat(bounds(600, 45, 0).warnings())
                .singleElement()
                .asString()
                .startsWith("At all its bounds at once this server holds ");
    }

    @Test
    void unfinishedMessagesHoldA32ndOfTheHeapAtMost() {
        assertThat(HeapBounds.unfinished(640 * MIB, 64 * MIB)).isEqualTo(20 * MIB);
        assertThat(HeapBounds.unfinished(4_096 * MIB, 64 * MIB)).isEqualTo(64 * MIB);
        assertThat(HeapBounds.unfinished(640 * MIB, 2 * MIB)).isEqualTo(2 * MIB);
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The heap is taken behind the start, up to its soft maximum and no further. */
class HeapTouchTest {
    private static final long MIB = 1 << 20;

    /** One that grows with what is allocated, up to a bound. */
    private static final class GrowingHeap implements HeapTouch.Heap {
        long wanted = 1500 * MIB;
        long most = Long.MAX_VALUE;
        long used = 300 * MIB;
        long allocated;

        @Override
        public long usedBytes() {
            return used;
        }

        @Override
        public long wantedBytes() {
            return wanted;
        }

        @Override
        public void allocate(int bytes) {
            allocated += bytes;
            used = Math.min(most, used + bytes);
        }
    }

    private final GrowingHeap heap = new GrowingHeap();
    private final HeapTouch touch = new HeapTouch(heap);

    private int steps() {
        int steps = 0;
        while (touch.step()) {
            steps++;
            assertThat(steps).isLessThan(10_000);
        }
        return steps;
    }

    @Test
    void itEndsWhenNearlyAllOfTheSoftMaximumWasInUse() {
        steps();
        assertThat(heap.used).isBetween(1275 * MIB, 1284 * MIB);
    }

    @Test
    void aStepIsSmall() {
        assertThat(touch.step()).isTrue();
        assertThat(heap.allocated)
                .isEqualTo((long) HeapTouch.PIECES_A_STEP * HeapTouch.PIECE_BYTES)
                .isLessThanOrEqualTo(8 * MIB);
    }

    @Test
    void whereTheCollectorUsesWhatItHasItEndsAllTheSame() {
        heap.most = 600 * MIB;
        steps();
        assertThat(heap.allocated).isBetween(4 * heap.wanted, 4 * heap.wanted + 16 * MIB);
    }

    @Test
    void aHeapThatTheCallsHaveUsedIsLeftAlone() {
        heap.used = heap.wanted;
        assertThat(steps()).isZero();
        assertThat(heap.allocated).isZero();
    }

    @Test
    void aCollectionTakesNothingBack() {
        touch.step();
        long touched = touch.touchedBytes();
        heap.used = 20 * MIB;
        assertThat(touch.touchedBytes()).isEqualTo(touched).isEqualTo(308 * MIB);
    }

    /** As without a soft maximum, on another collector. */
    @Test
    void nothingIsTakenWhereNothingIsWanted() {
        heap.wanted = 0;
        assertThat(steps()).isZero();
    }

    /** The tests run on the serial collector. */
    @Test
    void anotherCollectorHasNoSoftMaximum() {
        assertThat(HeapTouch.softMaximum()).isZero();
    }
}

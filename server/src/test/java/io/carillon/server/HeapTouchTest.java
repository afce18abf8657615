package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The heap is taken behind the start, up to its soft maximum and no further. */
class HeapTouchTest {
    private static final long MIB = 1 << 20;

    /** One that grows with what is allocated, up to a bound. */
    private static final class GrowingHeap implements HeapTouch.Heap {
        long wanted = 1500 * MIB;
        long most = Long.MAX_VALUE;
        long committed = 300 * MIB;
        long allocated;

        @Override
        public long committedBytes() {
            return committed;
        }

        @Override
        public long wantedBytes() {
            return wanted;
        }

        @Override
        public void allocate(int bytes) {
            allocated += bytes;
            committed = Math.min(most, committed + bytes);
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
    void itEndsWhenNearlyAllOfTheSoftMaximumIsTaken() {
        steps();
        assertThat(heap.committed).isBetween(1350 * MIB, 1360 * MIB);
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
    void aHeapThatWasTakenAtTheStartIsLeftAlone() {
        heap.committed = heap.wanted;
        assertThat(steps()).isZero();
        assertThat(heap.allocated).isZero();
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

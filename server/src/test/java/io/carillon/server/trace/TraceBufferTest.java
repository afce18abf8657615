package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TraceBufferTest {
    private static final int RECORD = 64 << 10;

    private final TraceBuffer ring = new TraceBuffer(4 << 20, new AtomicLong());

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            ring.add((out, sequence) -> {
                out.putLong(sequence);
                out.position(out.position() + RECORD - Long.BYTES);
            });
        }
    }

    private List<Long> read(long after) {
        List<Long> numbers = new ArrayList<>();
        ring.read(after, record -> numbers.add(record.getLong()));
        return numbers;
    }

    /** Who follows a call asks four times a second; a full ring is large. */
    @Test
    void whoHasReadLooksOnlyAtWhatMayHoldMore() {
        add(40);

        assertThat(read(0)).hasSize(40).startsWith(1L).endsWith(40L);
        for (long after = 1; after < 40; after++) {
            assertThat(read(after)).as("after %d", after).contains(after + 1, 40L);
        }
        assertThat(read(40)).as("of the last segment alone").hasSizeLessThan(5);
        add(10);
        assertThat(read(40)).contains(41L, 50L).hasSizeLessThan(15);
    }
}

package io.carillon.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What waits in the sockets of connections. */
class StreamWindowTest {
    private static final long MILLI = 1_000_000;

    private long now;
    private final List<Long> told = new ArrayList<>();
    private final StreamWindow window = new StreamWindow(() -> now, told::add);
    private final ExtendedHandle handle = window.newHandle();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    @AfterEach
    void close() {
        window.release();
        channel.close();
    }

    /** A turn of the loop at that time that reads so often, the last time so many bytes. */
    private void turn(long millis, int lastBytes) {
        now = millis * MILLI;
        handle.reset(channel.config());
        boolean more = true;
        while (more) {
            handle.attemptedBytesRead(StreamWindow.BYTES);
            handle.lastBytesRead(lastBytes);
            handle.incMessagesRead(1);
            more = handle.continueReading();
        }
        handle.readComplete();
    }

    @Test
    void aSocketThatAlwaysHasMoreHasLetItWait() {
        turn(100, StreamWindow.BYTES);
        assertThat(told).isEmpty();

        turn(120, StreamWindow.BYTES);
        turn(900, StreamWindow.BYTES);

        assertThat(told).containsExactly(20 * MILLI, 50 * MILLI);
    }

    @Test
    void aSocketThatWasReadToItsEndHasNot() {
        turn(100, StreamWindow.BYTES);
        turn(120, 700);
        turn(140, StreamWindow.BYTES);

        assertThat(told).isEmpty();
    }
}

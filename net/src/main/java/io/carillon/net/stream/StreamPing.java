package io.carillon.net.stream;

import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.time.WheelTimer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A double CRLF of ours that waits for its CRLF (RFC 5626 section 4.4.1). Owner: the connection's
 * loop.
 */
final class StreamPing extends WheelTimer {
    /**
     * "If a pong is not received within 10 seconds after sending a ping [...] then the client MUST
     * treat the flow as failed."
     */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The connection that is asked. */
    interface Flow {
        ShardLoop loop();

        /** The time for an answer is over. */
        void noPong();
    }

    private final ShardLoop asker;
    private final Pong result;
    private @Nullable Flow connection;

    StreamPing(ShardLoop asker, Pong result) {
        this.asker = asker;
        this.result = result;
    }

    /** It was sent on that connection. */
    void sent(Flow on) {
        connection = on;
        on.loop().shard().timers().schedule(this, on.loop().nowNanos() + PATIENCE_NANOS);
    }

    /** A line break came, or the connection is gone. */
    void ended(boolean whole) {
        Flow on = connection;
        if (on != null) {
            on.loop().shard().timers().cancel(this);
        }
        asker.execute(() -> {
            if (whole) {
                result.answered(null);
            } else {
                result.failed();
            }
        });
    }

    @Override
    protected void fire(long nowNanos) {
        Flow on = connection;
        if (on != null) {
            on.noPong();
        }
    }
}

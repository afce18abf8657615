package io.carillon.servlet.feature.flow;

import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.net.InetSocketAddress;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One flow that is kept alive. Owner: the shard's thread; made and stopped by any. */
final class KeptFlow extends WheelTimer implements Pong {
    private final KeptFlows all;
    private final ServletSession session;
    private final Shard shard;
    private final Hop flow;
    private final long mostNanos;
    private final RandomGenerator random;
    private @Nullable InetSocketAddress seenAs;
    private boolean stopped;

    KeptFlow(
            KeptFlows all,
            ServletSession session,
            Shard shard,
            Hop flow,
            long mostNanos,
            RandomGenerator random) {
        this.all = all;
        this.session = session;
        this.shard = shard;
        this.flow = flow;
        this.mostNanos = mostNanos;
        this.random = random;
    }

    void begin() {
        shard.perform(this::waitForNext);
    }

    void stop() {
        shard.perform(() -> {
            stopped = true;
            shard.timers().cancel(this);
        });
    }

    /**
     * RFC 5626 4.4: "the interval between each keep-alive is randomly distributed between 80% and
     * 100% of the server-provided time."
     */
    private void waitForNext() {
        if (!stopped) {
            long least = mostNanos / 5 * 4;
            shard.timers().schedule(this, shard.now() + random.nextLong(least, mostNanos + 1));
        }
    }

    @Override
    protected void fire(long nowNanos) {
        if (!session.isValid()) {
            all.forget(this, session);
            return;
        }
        shard.wire().ping(flow, this);
    }

    @Override
    public void answered(@Nullable InetSocketAddress now) {
        InetSocketAddress before = seenAs;
        seenAs = now;
        // RFC 5626 4.4.2: "If the XOR-MAPPED-ADDRESS in the STUN Binding Response changes, the UA
        // MUST treat this event as a failure on the flow."
        if (before != null && now != null && !before.equals(now)) {
            failed();
        } else {
            shard.perform(this::waitForNext);
        }
    }

    @Override
    public void failed() {
        all.forget(this, session);
        if (stopped) {
            return;
        }
        session.parent()
                .submit(
                        new TurnTask() {
                            @Override
                            protected void run() {
                                if (session.isValid()) {
                                    session.setAttribute(KeptFlows.FAILED, true);
                                }
                            }
                        });
    }
}

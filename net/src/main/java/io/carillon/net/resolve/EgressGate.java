package io.carillon.net.resolve;

import io.carillon.net.count.LoopCounts;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The filter in front of one loop's sockets. Remembers which addresses were let through, so that
 * the next message there costs a comparison. Owner: the loop.
 */
public final class EgressGate {
    private static final int SLOTS = 1024;

    private final EgressFilter filter;
    private final LoopCounts tally;
    private final @Nullable InetSocketAddress[] open = new @Nullable InetSocketAddress[SLOTS];

    public EgressGate(EgressFilter filter, LoopCounts tally) {
        this.filter = filter;
        this.tally = tally;
    }

    /**
     * Why no message may go there; null when it may. Counts and logs a refusal.
     *
     * @param remote resolved
     */
    public @Nullable EgressReason refusal(InetSocketAddress remote, boolean response) {
        int slot = (remote.hashCode() * 0x9E3779B9) >>> 22;
        if (remote.equals(open[slot])) {
            return null;
        }
        EgressReason reason = filter.refusal(remote, response);
        if (reason != null) {
            EgressFilter.refused(reason, remote, tally);
        } else if (!response || filter.refusal(remote, false) == null) {
            open[slot] = remote;
        }
        return reason;
    }
}

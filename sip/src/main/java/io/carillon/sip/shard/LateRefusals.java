package io.carillon.sip.shard;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.hop.Hop;

/** What a layer above refuses that the stack had taken. On the shard's thread. */
public final class LateRefusals {
    private LateRefusals() {}

    /**
     * A new request that came from there is refused after all, as something above the stack is full
     * or late: peers that take part in overload control (RFC 7339) are told to send less. Before
     * the answer leaves.
     *
     * @param from where it came in
     */
    public static void refused(Shard shard, Hop from) {
        ShardCore core = shard.core();
        Feedback feedback = core.feedback();
        if (feedback != null) {
            feedback.refusedAfterAll(from, core.now());
        }
    }
}

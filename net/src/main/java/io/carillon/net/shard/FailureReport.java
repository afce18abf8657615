package io.carillon.net.shard;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.SendFailure;

/**
 * Carries the failure of one message back to the shard that sent it.
 *
 * @param sender the loop on whose executor the failure is told
 * @param to where the message should have gone
 * @param failure who is told
 */
public record FailureReport(ShardLoop sender, Hop to, SendFailure failure) {

    /** Tells it, later, on the sender's shard. Called at most once for a message. */
    public void report(String cause) {
        sender.execute(() -> failure.sendFailed(to, cause));
    }
}

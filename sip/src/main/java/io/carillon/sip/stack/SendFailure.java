package io.carillon.sip.stack;

/** Told when a message could not be sent. */
public interface SendFailure {
    /**
     * Called on the shard's executor, later than {@link Wire#send} and at most once for each.
     *
     * @param to where it should have gone
     * @param cause in words, for counters and logs
     */
    void sendFailed(Hop to, String cause);
}

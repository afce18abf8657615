package io.carillon.sip.client;

import io.carillon.sip.hop.Failure;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client machine tells what becomes of its request: the attempt, or where the attempt has
 * gone on to another hop, what is left of this one.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class HopUser {
    protected abstract void receive(SipResponse response);

    protected abstract void hopFailed(Failure failure);

    /** What the transport said, before {@link #hopFailed}; heard by who asks for it. */
    protected void why(String cause) {}

    /** It has rung for too long. */
    protected abstract void rangTooLong();

    /** Timer M: no further fork will be heard of. */
    protected abstract void ended();

    /** The request of that machine, for the ACK to its final response. */
    public abstract @Nullable SipRequest request();

    /** Where whoever made us send it is counted; see {@code SendFailure.countedAt()}. */
    public abstract int countedAt();

    /** Are responses with several Via expected? */
    public abstract boolean proxied();
}

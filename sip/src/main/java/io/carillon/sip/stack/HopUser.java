package io.carillon.sip.stack;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client machine tells what becomes of its request: the attempt, or where the attempt has
 * gone on to another hop, what is left of this one.
 *
 * <p>Owner: the shard's thread.
 */
abstract class HopUser {
    abstract void receive(SipResponse response);

    abstract void hopFailed(Failure failure);

    /** What the transport said, before {@link #hopFailed}; heard by who asks for it. */
    void why(String cause) {}

    /** It has rung for too long. */
    abstract void rangTooLong();

    /** Timer M: no further fork will be heard of. */
    abstract void ended();

    /** The request of that machine, for the ACK to its final response. */
    abstract @Nullable SipRequest request();

    /** Where whoever made us send it is counted; see {@link SendFailure#countedAt()}. */
    abstract int countedAt();

    /** Are responses with several Via expected? */
    abstract boolean proxied();
}

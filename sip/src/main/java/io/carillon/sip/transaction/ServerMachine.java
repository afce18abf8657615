package io.carillon.sip.transaction;

import io.carillon.sip.message.SipResponse;

/**
 * What the two server machines share.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class ServerMachine extends Transaction {
    ServerMachine(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /** The 100 (Trying) for the request of this transaction. */
    protected abstract SipResponse trying();

    /** A repeated request was recognised. */
    protected abstract void repetitionSeen();

    /**
     * A response of the layer above was not sent: the state, RFC 4320 or a response before it
     * forbids it.
     */
    protected abstract void responseDropped(SipResponse response);

    /** The transport failed; the transaction may go on to absorb repetitions. */
    protected abstract void transportFailed();

    // Inputs.

    /** The request was received: enters the first state. */
    public abstract void start(long nowNanos);

    /** The layer above responds. */
    public abstract void respond(SipResponse response, long nowNanos);

    /** The request was received again (RFC 3261 section 17.2.3). */
    public abstract void retransmission(long nowNanos);
}

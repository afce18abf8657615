package io.carillon.sip.transaction;

import io.carillon.sip.message.SipResponse;

/**
 * What the two server machines share.
 *
 * <p>Owner: the shard's thread.
 */
public abstract class ServerMachine extends Transaction {
    /**
     * RFC 3261 17.1.2.1: in 64*T1 timer E sends a request eleven times; timer A of 17.1.1.2 sends
     * an INVITE seven times. Whoever sends it more often wants our response sent to somebody.
     */
    static final int ANSWERED_REPETITIONS = 11;

    private byte repetitions;

    ServerMachine(boolean reliable) {
        super(reliable);
    }

    // Outputs.

    /** The 100 (Trying) for the request of this transaction. */
    protected abstract SipResponse trying();

    /** A repeated request was recognised. */
    protected abstract void repetitionSeen();

    /** A repeated request got no answer: it came more often than a client sends one. */
    protected abstract void repetitionIgnored();

    /**
     * A response of the layer above was not sent: the state, RFC 4320 or a response before it
     * forbids it.
     */
    protected abstract void responseDropped(SipResponse response);

    /** The transport failed; the transaction may go on to absorb repetitions. */
    protected abstract void transportFailed();

    /**
     * Does the request surely not come again? Then the wait states have no length (timers I and J
     * of RFC 3261). A router in front repeats what its connections have brought, until it is known
     * to be answered.
     */
    protected boolean comesOnce() {
        return reliable();
    }

    // Inputs.

    /** The request was received: enters the first state. */
    public abstract void start(long nowNanos);

    /** The layer above responds. */
    public abstract void respond(SipResponse response, long nowNanos);

    /** The request was received again (RFC 3261 section 17.2.3). */
    public abstract void retransmission(long nowNanos);

    /** The last response once more, for a request that came again. */
    final void answerRepetition() {
        if (repetitions < ANSWERED_REPETITIONS) {
            repetitions++;
            sendAgain();
        } else {
            repetitionIgnored();
        }
    }
}

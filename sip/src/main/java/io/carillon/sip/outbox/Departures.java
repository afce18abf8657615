package io.carillon.sip.outbox;

import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * Who may keep a message back before it leaves its transaction: a layer above that has to know
 * first that the call would outlive this node. A shard has one at most.
 *
 * <p>Asked on the thread of whoever sends, once for each message; repetitions by a timer are not
 * asked for. What is kept has to leave one day, by its command, which may be run on any thread.
 */
public interface Departures {
    /**
     * A response above 100 is about to leave.
     *
     * @param attachment of its server transaction
     * @param leaves sends it
     * @return true when it is kept; false: it leaves now
     */
    boolean keeps(@Nullable Object attachment, SipResponse response, Runnable leaves);

    /**
     * A request is about to be sent; ACK and CANCEL are not asked for.
     *
     * @param user who is told what becomes of it
     * @param leaves sends it
     * @return true when it is kept; false: it leaves now
     */
    boolean keeps(Object user, Runnable leaves);

    /**
     * A CANCEL has ended an INVITE, and whoever has it was told: the 200 to the CANCEL, and our 487
     * where there is one, are about to leave. On the thread of the shard.
     *
     * @param attachment of the INVITE's server transaction
     * @param leaves sends them
     * @return true when they are kept; false: they leave now
     */
    boolean keepsCancelled(@Nullable Object attachment, Runnable leaves);
}

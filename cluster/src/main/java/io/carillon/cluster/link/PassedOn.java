package io.carillon.cluster.link;

import org.jspecify.annotations.Nullable;

/**
 * Messages that this node passes on to the owner of their partition. A router repeats what it has
 * not been told to be taken. What this node has answered for itself nobody repeats: a message that
 * waited here, or that the stack has looked at. Of a connection, such a one is kept and sent again
 * until its owner says that it has it. The owner may be another one by then, and may be this node.
 *
 * <p>Owner: one thread.
 */
final class PassedOn {
    /** {@link LinkMessage#hops}: the router waits to hear of the message. */
    private static final int ONCE = 1;

    /** {@link LinkMessage#hops}: the node that passed it on waits to hear of it. */
    private static final int ANSWERED_FOR = 2;

    /** {@link LinkMessage#hops}: its sender does not hear the owner. */
    private static final int ROUND = 3;

    private final LinkStream stream;
    private final LinkEndpoint endpoint;
    private final LinkCounts counts;
    private final Unacknowledged kept;
    private final Owner owner;

    /** Who owns what, when a message is sent again. */
    interface Owner {
        /**
         * @return the living node that owns the partition, or {@link PeerId#NONE}: this node does,
         *     or nobody
         */
        int other(int partition, long nowNanos);

        /** No other node owns it: this one takes it, or it waits here. */
        void stays(LinkMessage message, long nowNanos);
    }

    PassedOn(LinkStream stream, LinkCounts counts, LinkEndpoint endpoint, Owner owner) {
        this.stream = stream;
        this.endpoint = endpoint;
        this.counts = counts;
        this.kept = new Unacknowledged(counts, endpoint.identity().boot(), stream.number());
        this.owner = owner;
    }

    /** Does the node that passed it on, and not its router, wait to hear of it? */
    static boolean isAnsweredFor(LinkMessage message) {
        return message.hops() == ANSWERED_FOR;
    }

    /** Is it to be passed on once more, since who sent it does not hear the owner? */
    static boolean goesRound(LinkMessage message) {
        return message.hops() == ROUND;
    }

    /**
     * The owner is not heard here. Another node may hear it, and passes the datagram on; or keeps
     * it until there is another owner, as this node would.
     *
     * @param owner as the table has it
     * @return false where the message stays here
     */
    boolean round(int owner, LinkMessage message, long nowNanos) {
        if (owner == PeerId.NONE
                || owner == endpoint.identity().self()
                || message.hops() > 0
                || message.transport().reliable()) {
            return false;
        }
        for (LinkPeer by : endpoint.peers()) {
            if (PeerId.isNode(by.id()) && by.id() != owner && by.alive(nowNanos)) {
                message.passed(ROUND);
                boolean sent = stream.send(FrameKind.PASS, by.id(), message);
                counts.count(sent ? LinkCounter.PASSED_ON : LinkCounter.NOT_OURS);
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    /**
     * Passes it on.
     *
     * @param answered will nobody send it here again?
     */
    void pass(int node, LinkMessage message, boolean answered, long nowNanos) {
        if (!answered || !message.transport().reliable()) {
            message.passed(ONCE);
            boolean sent = stream.send(FrameKind.PASS, node, message);
            counts.count(sent ? LinkCounter.PASSED_ON : LinkCounter.NOT_OURS);
            return;
        }
        message.passed(ANSWERED_FOR);
        // All at once, as what the router sends would overtake them else: in turn goes what is sent
        // again.
        var _ = kept.keep(message, nowNanos);
        // Without a session now, it goes with the next try.
        var _ = stream.send(FrameKind.PASS, node, message);
        counts.count(LinkCounter.PASSED_ON);
    }

    /**
     * The owner has it, or listens to nothing from its source.
     *
     * @return the message; null where it is not known any more
     */
    @Nullable LinkMessage taken(long number, long nowNanos) {
        LinkMessage message = kept.untaken(number);
        kept.taken(number, nowNanos, next -> again(next, nowNanos));
        return message;
    }

    void advance(long nowNanos) {
        kept.advance(nowNanos, message -> again(message, nowNanos));
    }

    private Unacknowledged.Fate again(LinkMessage message, long nowNanos) {
        int node = owner.other(message.partition(), nowNanos);
        if (node == PeerId.NONE) {
            owner.stays(message.passed(0).numbered(0), nowNanos);
            return Unacknowledged.Fate.OVER;
        }
        // Without a session now, it goes with the next try.
        var _ = stream.send(FrameKind.PASS, node, message);
        return Unacknowledged.Fate.SENT;
    }
}

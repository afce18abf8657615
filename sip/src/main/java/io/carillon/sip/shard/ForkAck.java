package io.carillon.sip.shard;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.StackCounters;

/**
 * An ACK for a 2xx to an INVITE of ours, as it leaves.
 *
 * <p>Owner: the shard's thread.
 */
final class ForkAck implements RequestPrinter.Sent {
    private final RequestAttempt attempt;

    ForkAck(RequestAttempt attempt) {
        this.attempt = attempt;
    }

    /**
     * Of several forks, one whose ACK goes elsewhere than where its 2xx came from gets it when the
     * 2xx comes again. RFC 3261 13.2.2.4 wants it at once; but whoever answers can make up a
     * hundred forks at another's address, and each of them is ended by a BYE too.
     */
    @Override
    public boolean leaves(Hop to, SipRequest ack) {
        Fork newest = attempt.forks();
        Hop from = attempt.hop();
        if (newest == null || newest.next == null || from == null || to.internal()) {
            return true;
        }
        Fork known = Fork.find(newest, ack.toTag());
        return known == null
                || known.next == null
                || to.remote().getAddress().equals(from.remote().getAddress());
    }

    @Override
    public void sendFailed(Hop to, String cause) {
        attempt.core().countFailure().sendFailed(to, cause);
    }

    @Override
    public int countedAt() {
        return attempt.countedAt();
    }

    @Override
    public void sent(Hop to, SipRequest ack) {
        Fork known = Fork.find(attempt.forks(), ack.toTag());
        if (known != null) {
            known.ack = ack.keptBytes();
            known.hop = to;
            int large = StackCounters.surplus(known.ack);
            attempt.count(known.held, large);
            known.held = large;
        }
    }
}

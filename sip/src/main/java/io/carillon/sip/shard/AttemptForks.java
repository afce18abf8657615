package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import org.jspecify.annotations.Nullable;

/**
 * The 2xx to an INVITE of ours, of each fork its own, and their ACKs (RFC 3261 13.2.2.4).
 * Stateless: the {@link RequestAttempt} has the list of them.
 *
 * <p>Owner: the shard's thread.
 */
final class AttemptForks {
    private AttemptForks() {}

    /**
     * A 2xx has come: it is told, when it is the first of its fork and there is room, or else gets
     * its ACK again.
     *
     * @param forks those that were told before, the newest first
     * @return those that have been told now
     */
    static @Nullable Fork with(RequestAttempt attempt, @Nullable Fork forks, SipResponse success) {
        ShardCore core = attempt.core();
        String tag = success.toTag();
        Fork known = Fork.find(forks, tag);
        if (known != null) {
            known.repeatAck(core, success, attempt.hop(), attempt.countedAt());
            return forks;
        }
        if (Fork.count(forks) == core.config().forks()) {
            core.counters().add(Counter.FORKS_REFUSED);
            return forks;
        }
        boolean first = attempt.state() == AttemptState.NO_ROOM;
        if (!attempt.hasRoom(success, first ? Room.RESERVED : Room.DIALOG)) {
            return forks;
        }
        if (!attempt.user().hasRoom(attempt, success, first)) {
            core.notQueued(Counter.MESSAGES_NOT_QUEUED, success);
            return forks;
        }
        attempt.told();
        int large = StackCounters.surplus(success);
        attempt.count(0, large);
        return new Fork(tag == null ? "" : tag, large, forks);
    }

    /** An ACK for a 2xx to an INVITE of ours, as it leaves. */
    static final class Ack implements RequestPrinter.Sent {
        private final RequestAttempt attempt;

        Ack(RequestAttempt attempt) {
            this.attempt = attempt;
        }

        /**
         * Of several forks, one whose ACK goes elsewhere than where its 2xx came from gets it when
         * the 2xx comes again. RFC 3261 13.2.2.4 wants it at once; but whoever answers can make up
         * a hundred forks at another's address, and each of them is ended by a BYE too.
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
}

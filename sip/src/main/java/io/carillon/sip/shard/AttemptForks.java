package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import org.jspecify.annotations.Nullable;

/**
 * The 2xx to an INVITE of ours, of each fork its own (RFC 3261 13.2.2.4). Stateless: the {@link
 * RequestAttempt} has the list of them.
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
        if (Fork.count(forks) == core.config().maxForks()) {
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
}

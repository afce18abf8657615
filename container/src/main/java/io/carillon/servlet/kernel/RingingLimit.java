package io.carillon.servlet.kernel;

import io.carillon.sip.message.Methods;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * A re-INVITE whose peer said 1xx and then nothing more would be open for ever, and an INVITE of
 * another node may have ended there unseen: it is cancelled after as long as Timer C lets a proxied
 * one ring (RFC 3261 16.6 step 11), counted from the last 1xx. Owner: the shard of the request.
 */
final class RingingLimit extends WheelTimer {
    private final RequestAttempt attempt;

    private RingingLimit(RequestAttempt attempt) {
        this.attempt = attempt;
    }

    /**
     * A response came.
     *
     * @param before what this gave for the response before; null at first
     * @return null where nothing is waited for
     */
    static @Nullable RingingLimit after(
            RequestAttempt from, int status, String method, @Nullable RingingLimit before) {
        Shard shard = from.shard();
        if (status >= 200) {
            if (before != null) {
                shard.timers().cancel(before);
            }
            return null;
        }
        if (!method.equals(Methods.INVITE)) {
            return before;
        }
        RingingLimit set = before == null ? new RingingLimit(from) : before;
        shard.timers().schedule(set, shard.now() + shard.config().timerCNanos());
        return set;
    }

    @Override
    protected int partition() {
        return attempt.partition();
    }

    @Override
    protected void fire(long nowNanos) {
        attempt.cancel(null);
    }
}

package io.carillon.sip.client;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.WheelTimer;
import org.jspecify.annotations.Nullable;

/**
 * How long an INVITE of ours may ring where it or what rings is large. Each provisional response
 * sets Timer C of a proxy anew (RFC 3261 16.7 step 2), and the patience of a user agent: whoever
 * answers could hold the room of large messages for ever, by a small packet now and then. So after
 * that time in all it is cancelled where the room is scarce, as 16.10 allows "at any time".
 *
 * <p>Owner: the shard's thread.
 */
final class LargeRinging extends WheelTimer {
    /** As often as that it is looked whether the room has become scarce. */
    private static final long AGAIN_NANOS = 60_000_000_000L;

    private final ShardCore core;
    private final ClientInvite invite;

    private LargeRinging(ShardCore core, ClientInvite invite) {
        this.core = core;
        this.invite = invite;
    }

    /** Null where neither the request nor the response is large, or room is not scarce for it. */
    static @Nullable LargeRinging of(
            ShardCore core, ClientInvite invite, HopUser user, SipResponse response) {
        if (invite.countedAt() == Sources.NOBODY
                || (!isLarge(response) && !isLarge(user.request()))) {
            return null;
        }
        LargeRinging made = new LargeRinging(core, invite);
        long limit =
                user.proxied() ? core.config().timerCNanos() : core.config().ringingWithinNanos();
        core.timers().schedule(made, core.now() + limit);
        return made;
    }

    private static boolean isLarge(@Nullable SipMessage message) {
        return StackCounters.isLarge(StackCounters.surplus(message));
    }

    void end() {
        if (scheduled()) {
            core.timers().cancel(this);
        }
    }

    @Override
    protected int partition() {
        return invite.partition();
    }

    @Override
    protected void fire(long nowNanos) {
        if (core.openBytes().scarceForLarge()) {
            invite.rangTooLong(nowNanos);
        } else {
            core.timers().schedule(this, nowNanos + AGAIN_NANOS);
        }
    }
}

package io.carillon.sip.stack;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;

/**
 * A hop that stayed silent and was left for the next one before Timer B or F: its request may have
 * arrived all the same, so its machine takes answers until that timer.
 *
 * <p>Owner: the shard's thread.
 */
final class LeftHop extends HopUser {
    private final RequestAttempt attempt;
    final ClientMachine machine;
    final SipRequest request;
    final Hop hop;
    @Nullable LeftHop next;
    private boolean cancelled;

    LeftHop(
            RequestAttempt attempt,
            ClientMachine machine,
            SipRequest request,
            Hop hop,
            @Nullable LeftHop next) {
        this.next = next;
        this.attempt = attempt;
        this.machine = machine;
        this.request = request;
        this.hop = hop;
    }

    @Override
    void receive(SipResponse response) {
        attempt.late(this, response);
    }

    /**
     * It rings although nobody waits for it: RFC 3261 9.1, now that a provisional response came.
     */
    void cancel() {
        if (!cancelled && machine instanceof ClientInvite invite) {
            cancelled = true;
            invite.cancel(request, null);
        }
    }

    @Override
    void hopFailed(Failure failure) {
        attempt.leftEnded(this);
    }

    @Override
    void ended() {}

    @Override
    SipRequest request() {
        return request;
    }

    @Override
    boolean proxied() {
        return attempt.proxied();
    }

    /** The list without one. */
    static @Nullable LeftHop without(@Nullable LeftHop list, LeftHop gone) {
        if (list == null || list == gone) {
            return list == null ? null : list.next;
        }
        list.next = without(list.next, gone);
        return list;
    }

    /** The first that may still answer, or null. */
    static @Nullable LeftHop alive(@Nullable LeftHop list) {
        for (LeftHop each = list; each != null; each = each.next) {
            if (!each.machine.terminated()) {
                return each;
            }
        }
        return null;
    }
}

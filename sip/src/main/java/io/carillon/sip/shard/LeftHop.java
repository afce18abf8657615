package io.carillon.sip.shard;

import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.HopUser;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
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

    /** Of the account of what is held: its request where it is large. */
    private int held;

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
        this.held = StackCounters.surplus(request);
        attempt.count(0, held);
    }

    @Override
    public int countedAt() {
        return attempt.countedAt();
    }

    /** Its machine is over, or the attempt's again. */
    void letGo() {
        attempt.count(held, 0);
        held = 0;
    }

    /**
     * A late answer. As long as the hop tried after it is silent too, the first to speak is the
     * one. Later its 1xx gets a CANCEL, its failure is not told, and a 2xx is a fork like any other
     * (RFC 3261 13.2.2.4).
     */
    @Override
    protected void receive(SipResponse response) {
        attempt.core().counters().add(Counter.LATE_RESPONSES);
        int status = response.status();
        boolean invite = machine instanceof ClientInvite;
        boolean settles = invite ? status / 100 == 2 : status >= 200;
        if (status >= 200 && !(invite && settles)) {
            letGo(); // of an INVITE with a 2xx it is kept until Timer M
        }
        OutgoingRequest out = attempt.waiting();
        if (out != null && status != 503 && (settles || !attempt.answered())) {
            AttemptHops.turnTo(attempt, this, out, response);
        } else if (status < 200) {
            cancel();
        } else if (invite && status < 300) {
            fork(response);
        } else {
            AttemptHops.ended(attempt, this);
        }
    }

    private void fork(SipResponse response) {
        if (attempt.isAccepted()) {
            attempt.receive(response);
        } else {
            attempt.stray(response, hop);
        }
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
    protected void rangTooLong() {
        cancel();
    }

    @Override
    protected void hopFailed(Failure failure) {
        letGo();
        AttemptHops.ended(attempt, this);
    }

    @Override
    protected void ended() {
        letGo();
    }

    @Override
    public SipRequest request() {
        return request;
    }

    @Override
    public boolean proxied() {
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

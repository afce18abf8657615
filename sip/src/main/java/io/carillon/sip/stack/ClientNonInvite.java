package io.carillon.sip.stack;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.NonInviteClientTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/**
 * The non-INVITE client machine on a shard. After the final response only its key lingers. A CANCEL
 * has no attempt from the start.
 *
 * <p>Owner: the shard's thread.
 */
final class ClientNonInvite extends NonInviteClientTransaction implements ClientMachine {
    private final Shard shard;
    private final Hop hop;
    private @Nullable HopUser attempt;

    /** Of the account of what is held: a large CANCEL until its answer. */
    private int largeBytes;

    /** Where whoever made us send it is counted. */
    private final int place;

    ClientNonInvite(Shard shard, Hop hop, @Nullable HopUser attempt, int place) {
        super(hop.reliable());
        this.place = place;
        this.shard = shard;
        this.hop = hop;
        this.attempt = attempt;
        shard.streamClients().add(this, shard.now());
    }

    /** Counts a request that no attempt counts. */
    void holdsLarge(SipRequest request) {
        largeBytes = StackCounters.surplus(request);
        shard.holds(place, 0, largeBytes);
    }

    private void letGo() {
        shard.holds(place, largeBytes, 0);
        largeBytes = 0;
    }

    @Override
    public Hop hop() {
        return hop;
    }

    @Override
    public void follow(HopUser user) {
        attempt = user;
    }

    @Override
    public void fallSilent() {
        quiet();
    }

    @Override
    public void speakAgain() {
        if (state() == State.TRYING || state() == State.PROCEEDING) {
            repeat(shard.now());
        }
    }

    @Override
    public void connectionLost() {
        shard.witness().tell(Counter.TRANSPORT_FAILURES, asked(), hop, "the connection was lost");
        transportError(shard.now());
    }

    @Nullable HopUser attempt() {
        return attempt;
    }

    @Override
    protected void response(SipResponse response) {
        HopUser user = attempt;
        if (user != null) {
            user.receive(response);
        }
    }

    @Override
    protected void timedOut() {
        shard.counters().add(Counter.CLIENT_TIMEOUTS);
        shard.witness().tell(Counter.CLIENT_TIMEOUTS, asked(), hop);
        hopFailed(Failure.TIMEOUT);
    }

    @Override
    protected void transportFailed() {
        shard.counters().add(Counter.TRANSPORT_FAILURES);
        hopFailed(Failure.TRANSPORT);
    }

    /** The request, as long as somebody waits for its answer. */
    private @Nullable SipRequest asked() {
        HopUser user = attempt;
        return user == null ? null : user.request();
    }

    private void hopFailed(Failure failure) {
        HopUser user = attempt;
        attempt = null;
        if (user != null) {
            user.hopFailed(failure);
        }
    }

    @Override
    protected void repetitionSeen() {
        shard.counters().add(Counter.RESPONSE_RETRANSMISSIONS_SEEN);
    }

    @Override
    protected void output(SipMessage message, boolean again) {
        if (again && shard.downHops().refuses(hop, shard.now())) {
            // Nobody is there, as the ICMP error to another request has just shown.
            shard.later(() -> transportError(shard.now()));
            return;
        }
        shard.outbox().send(hop, message, again, this);
    }

    @Override
    protected void outputBytes(byte[] message) {
        shard.outbox().sendAgain(hop, message, this);
    }

    @Override
    protected TimerWheel wheel() {
        return shard.timers();
    }

    @Override
    protected TransactionTimers timers() {
        return shard.config().timers();
    }

    @Override
    protected void lingering() {
        letGo();
        shard.lingers(1);
        shard.streamClients().remove(this);
        attempt = null;
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        letGo();
        shard.clientEnded(this, place, lingered);
        shard.streamClients().remove(this);
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public void sendFailed(Hop to, String cause) {
        shard.event(() -> {
            shard.witness().tell(Counter.TRANSPORT_FAILURES, asked(), to, cause);
            HopUser user = attempt;
            if (user != null) {
                user.why(cause);
            }
            transportError(shard.now());
        });
    }
}

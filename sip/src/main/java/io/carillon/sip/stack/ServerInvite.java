package io.carillon.sip.stack;

import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.InviteServerTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE server machine on a shard. After the final response it lingers without its {@link
 * ServerTransaction}.
 *
 * <p>Owner: the shard's thread.
 */
final class ServerInvite extends InviteServerTransaction implements SendFailure {
    private final Shard shard;
    private final int viaPort;
    private Hop hop;

    /** Where else the response may go, once it was looked up. */
    private @Nullable ResponseHops further;

    private @Nullable ServerTransaction owner;
    long mergeKey;
    private int largeBytes;

    /** Where the sender is counted. */
    private final int place;

    ServerInvite(Shard shard, Hop hop, int viaPort, ServerTransaction owner) {
        super(hop.reliable());
        this.shard = shard;
        this.hop = hop;
        this.viaPort = viaPort;
        this.owner = owner;
        this.place = owner.countedAt();
    }

    Hop hop() {
        return hop;
    }

    /** Null after the final response. */
    @Nullable ServerTransaction owner() {
        return owner;
    }

    @Override
    protected SipResponse trying() {
        ServerTransaction tx = owner;
        if (tx == null) {
            throw new IllegalStateException("100 after the final response");
        }
        return shard.replies().trying(tx.request());
    }

    @Override
    protected void output(SipMessage message, boolean again) {
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
        ServerTransaction tx = owner;
        owner = null;
        shard.lingers(1);
        if (shard.openBytes().tooLargeToLinger(place, sentLast())) {
            shard.counters().add(Counter.FINALS_NOT_KEPT);
            forgetLast();
        }
        largeBytes = StackCounters.surplus(sentLast());
        shard.holds(place, 0, largeBytes);
        if (tx != null) {
            tx.letGo();
            tx.finalSent();
            shard.requests().answered(tx);
        }
    }

    /** What was sent last, a message or its bytes; nothing where none is kept. */
    @Nullable Object kept() {
        return sentLast();
    }

    /** So much is kept of the request as long as it lingers. */
    void alsoHolds(int bytes) {
        if (lingers() && !terminated()) {
            shard.holds(place, largeBytes, largeBytes + bytes);
            largeBytes += bytes;
        }
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        ServerTransaction tx = owner;
        owner = null;
        if (tx != null) {
            tx.letGo();
            shard.requests().answered(tx);
        }
        if (reason == Reason.TIMER_H) {
            shard.witness().tell(Counter.ACK_TIMEOUTS, sentLast(), hop, null);
        }
        shard.holds(place, largeBytes, 0);
        largeBytes = 0;
        shard.serverEnded(this, mergeKey, place, lingered);
    }

    @Override
    protected void acknowledged(SipRequest ack) {
        shard.requests().ackUp(ack);
    }

    @Override
    protected void timedOut() {
        shard.counters().add(Counter.ACK_TIMEOUTS);
    }

    @Override
    protected void repetitionIgnored() {
        shard.counters().add(Counter.REPEATS_NOT_ANSWERED);
    }

    @Override
    protected void repetitionSeen() {
        shard.counters().add(Counter.REQUEST_RETRANSMISSIONS_SEEN);
    }

    @Override
    protected void responseDropped(SipResponse response) {
        shard.counters().add(Counter.RESPONSES_SUPPRESSED);
        shard.witness().tell(Counter.RESPONSES_SUPPRESSED, response, hop);
    }

    @Override
    protected void transportFailed() {
        shard.counters().add(Counter.TRANSPORT_FAILURES);
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public void sendFailed(Hop to, String cause) {
        shard.event(() -> {
            shard.witness().tell(Counter.TRANSPORT_FAILURES, sentLast(), to, cause);
            Hop other = to.equals(hop) ? ViaRules.reconnect(viaPort, hop) : null;
            if (other != null) {
                hop = other;
                resend();
            } else if (further == null && to.equals(hop)) {
                ResponseHops.find(
                        shard, sentLast(), hop, OwnBudget.of(owner, place), this::trySentBy);
            } else {
                trySentBy(further);
            }
        });
    }

    private void trySentBy(@Nullable ResponseHops hops) {
        further = hops;
        Hop next = hops == null ? null : hops.next();
        if (next == null) {
            transportError(shard.now());
        } else {
            hop = next;
            resend();
        }
    }
}

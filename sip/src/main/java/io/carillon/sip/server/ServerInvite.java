package io.carillon.sip.server;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.InviteServerTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE server machine on a servers.core(). After the final response it lingers without its
 * {@link ServerTransaction}.
 *
 * <p>Owner: the shard's thread.
 */
final class ServerInvite extends InviteServerTransaction implements SendFailure {
    private final ServerTransactions servers;
    private final int viaPort;
    private Hop hop;

    /** Where else the response may go, once it was looked up. */
    private @Nullable ResponseHops further;

    private @Nullable ServerTransaction owner;
    long mergeKey;
    private int largeBytes;

    /** Where the sender is counted. */
    private final int place;

    ServerInvite(ServerTransactions servers, Hop hop, int viaPort, ServerTransaction owner) {
        super(hop.reliable());
        this.servers = servers;
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
    protected boolean comesOnce() {
        return reliable() && !hop.byRouter();
    }

    @Override
    protected SipResponse trying() {
        ServerTransaction tx = owner;
        if (tx == null) {
            throw new IllegalStateException("100 after the final response");
        }
        return servers.core().replies().trying(tx.request());
    }

    @Override
    protected long tryingHeldUntilNanos() {
        ServerTransaction tx = owner;
        Unbegun asked = tx == null ? null : tx.asked();
        return asked == null ? 0 : asked.heldUntilNanos();
    }

    @Override
    protected boolean answeredInPlaceOfTrying() {
        ServerTransaction tx = owner;
        return tx != null && tx.refusedUnbegun();
    }

    @Override
    protected boolean peerKnown() {
        PeerConduct conduct = servers.core().config().conduct();
        return conduct == null
                || hop.reliable()
                || conduct.trusts(hop)
                || conduct.provenLately(hop, servers.core().now());
    }

    @Override
    protected void output(SipMessage message, boolean again) {
        servers.core().outbox().send(hop, message, partition(), again, this);
    }

    @Override
    protected void outputBytes(byte[] message) {
        servers.core().outbox().sendAgain(hop, message, partition(), this);
    }

    @Override
    protected TimerWheel wheel() {
        return servers.core().timers();
    }

    @Override
    protected TransactionTimers timers() {
        return servers.core().config().timers();
    }

    @Override
    protected void lingering() {
        ServerTransaction tx = owner;
        owner = null;
        servers.core().counters().lingers(1);
        if (servers.core().openBytes().tooLargeToLinger(place, sentLast())) {
            servers.core().counters().add(Counter.FINALS_NOT_KEPT);
            forgetLast();
        }
        largeBytes = StackCounters.surplus(sentLast());
        servers.core().holds(place, 0, largeBytes);
        if (tx != null) {
            tx.letGo();
            tx.finalSent();
            servers.answered(tx);
        }
    }

    /** So much is kept of the request as long as it lingers. */
    void alsoHolds(int bytes) {
        if (lingers() && !terminated()) {
            servers.core().holds(place, largeBytes, largeBytes + bytes);
            largeBytes += bytes;
        }
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        ServerTransaction tx = owner;
        owner = null;
        if (tx != null) {
            tx.letGo();
            tx.finalSent(); // of one that is discarded a reliable 18x was repeated still
            servers.answered(tx);
        }
        if (reason == Reason.TIMER_H) {
            servers.core().trace().tell(Counter.ACK_TIMEOUTS, sentLast(), hop, null);
        }
        servers.core().holds(place, largeBytes, 0);
        largeBytes = 0;
        servers.ended(this, mergeKey, place, lingered);
    }

    @Override
    protected void timedOut() {
        servers.core().counters().add(Counter.ACK_TIMEOUTS);
    }

    @Override
    protected void repetitionIgnored() {
        servers.core().counters().add(Counter.REPEATS_NOT_ANSWERED);
    }

    @Override
    protected void repetitionSeen() {
        servers.core().counters().add(Counter.REQUEST_RETRANSMISSIONS_SEEN);
    }

    @Override
    protected void responseDropped(SipResponse response) {
        servers.core().counters().add(Counter.RESPONSES_SUPPRESSED);
        servers.core().trace().tell(Counter.RESPONSES_SUPPRESSED, response, hop);
    }

    @Override
    protected void transportFailed() {
        servers.core().counters().add(Counter.TRANSPORT_FAILURES);
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public void sendFailed(Hop to, String cause) {
        servers.core()
                .events()
                .event(() -> {
                    servers.core().trace().tell(Counter.TRANSPORT_FAILURES, sentLast(), to, cause);
                    Hop other = to.equals(hop) ? ViaRules.reconnect(viaPort, hop) : null;
                    if (other != null) {
                        hop = other;
                        resend();
                    } else if (further == null && to.equals(hop)) {
                        ResponseHops.find(
                                servers.core(), sentLast(), hop, budget(), this::trySentBy);
                    } else {
                        trySentBy(further);
                    }
                });
    }

    private void trySentBy(@Nullable ResponseHops hops) {
        further = hops;
        Hop next = hops == null ? null : hops.next();
        if (next == null) {
            transportError(servers.core().now());
        } else {
            hop = next;
            resend();
        }
    }

    /** The request's, where it is still there, else one of its own. */
    private LookupBudget budget() {
        ServerTransaction tx = owner;
        return tx == null ? new OwnBudget(place) : tx;
    }
}

package io.carillon.sip.server;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.NonInviteServerTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/**
 * The non-INVITE server machine on a servers.core(). After the final response it lingers without
 * its {@link ServerTransaction}.
 *
 * <p>Owner: the shard's thread.
 */
final class ServerNonInvite extends NonInviteServerTransaction implements SendFailure {
    private final ServerTransactions servers;
    private final int viaPort;
    private Hop hop;

    private @Nullable ServerTransaction owner;
    long mergeKey;
    private int largeBytes;

    /** Where the sender is counted. */
    private final int place;

    /** It ended while it waited for a sibling, so nobody above knows of it. */
    private boolean untold;

    ServerNonInvite(ServerTransactions servers, Hop hop, int viaPort, ServerTransaction owner) {
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
    protected void output(SipMessage message, boolean again) {
        // Over a stream the final response is the end of the transaction (Timer J is zero), so
        // what may have to go by another connection is kept by who hears of the failure.
        SendFailure failure = reliable() ? (to, cause) -> reconnect(to, message) : this;
        servers.core().outbox().send(hop, message, partition(), again, failure);
    }

    private void reconnect(Hop to, SipMessage message) {
        servers.core()
                .events()
                .event(() -> {
                    servers.core().trace().tell(Counter.TRANSPORT_FAILURES, message, to, null);
                    Hop other = ViaRules.reconnect(viaPort, to);
                    if (other != null) {
                        hop = other;
                        sendByOther(other, message, () -> bySentBy(message));
                    } else {
                        bySentBy(message);
                    }
                });
    }

    private void bySentBy(@Nullable Object message) {
        ResponseHops.find(
                servers.core(), message, hop, budget(), hops -> sendFurther(hops, message));
    }

    private void sendFurther(ResponseHops hops, @Nullable Object message) {
        Hop next = hops.next();
        if (next == null || !(message instanceof SipMessage response)) {
            if (terminated()) {
                transportFailed();
            } else {
                transportError(servers.core().now());
            }
            return;
        }
        hop = next;
        sendByOther(next, response, () -> sendFurther(hops, message));
    }

    private void sendByOther(Hop other, SipMessage response, Runnable otherwise) {
        SendFailure failure = (way, why) -> servers.core().events().event(otherwise);
        servers.core().outbox().send(other, response, partition(), true, failure.countedAt(place));
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
        letGo();
        owner = null;
        servers.core().counters().lingers(1);
        if (servers.core().openBytes().tooLargeToLinger(place, sentLast())) {
            servers.core().counters().add(Counter.FINALS_NOT_KEPT);
            forgetLast();
        }
        largeBytes = StackCounters.surplus(sentLast());
        servers.core().holds(place, 0, largeBytes);
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        letGo();
        if (reason != Reason.EXPIRED) {
            owner = null; // expired() needs it still
        }
        servers.core().holds(place, largeBytes, 0);
        largeBytes = 0;
        servers.ended(this, mergeKey, place, lingered);
    }

    private void letGo() {
        ServerTransaction tx = owner;
        if (tx != null) {
            tx.letGo();
            untold |= tx.waitsFor != 0;
            servers.answered(tx);
        }
    }

    @Override
    protected void expired() {
        servers.core().counters().add(Counter.EXPIRED_UNANSWERED);
        ServerTransaction late = owner;
        owner = null;
        if (late != null && !untold) {
            servers.core().trace().tell(Counter.EXPIRED_UNANSWERED, late.request(), hop);
            try {
                servers.user().unanswered(late);
            } catch (RuntimeException e) {
                servers.core().events().userError("unanswered", e);
            }
        }
    }

    @Override
    protected void repetitionIgnored() {
        servers.core().counters().add(Counter.REPEATS_NOT_ANSWERED);
    }

    @Override
    protected void repetitionSeen() {
        servers.core().counters().add(Counter.REQUEST_RETRANSMISSIONS_SEEN);
        ServerTransaction tx = owner;
        if (tx != null) {
            tx.repeated();
        }
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
                    Object response = sentLast();
                    servers.core().trace().tell(Counter.TRANSPORT_FAILURES, response, to, cause);
                    bySentBy(
                            response instanceof byte[] bytes
                                    ? servers.core().ownMessages().parse(bytes)
                                    : response);
                });
    }

    /** The request's, where it is still there, else one of its own. */
    private LookupBudget budget() {
        ServerTransaction tx = owner;
        return tx == null ? new OwnBudget(place) : tx;
    }
}

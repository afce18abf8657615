package io.carillon.sip.client;

import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.NonInviteClientTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTimers;
import org.jspecify.annotations.Nullable;

/**
 * The non-INVITE client machine on a clients.core(). After the final response only its key lingers.
 * A CANCEL has no attempt from the start.
 *
 * <p>Owner: the shard's thread.
 */
public final class ClientNonInvite extends NonInviteClientTransaction
        implements ClientMachine, Repeatable {
    private final ClientTransactions clients;
    private final Hop hop;
    private @Nullable HopUser attempt;

    /** Of the account of what is held: a large CANCEL until its answer. */
    private int largeBytes;

    /** Where whoever made us send it is counted. */
    private final int place;

    public ClientNonInvite(
            ClientTransactions clients, Hop hop, @Nullable HopUser attempt, int place) {
        super(hop.reliable());
        this.place = place;
        this.clients = clients;
        this.hop = hop;
        this.attempt = attempt;
        clients.streams().add(this, clients.core().now());
    }

    /** Counts a request that no attempt counts. */
    void holdsLarge(SipRequest request) {
        largeBytes = StackCounters.surplus(request);
        clients.core().holds(place, 0, largeBytes);
    }

    private void letGo() {
        clients.core().holds(place, largeBytes, 0);
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
            repeat(clients.core().now());
        }
    }

    @Override
    public void connectionLost() {
        clients.core()
                .trace()
                .tell(Counter.TRANSPORT_FAILURES, asked(), hop, "the connection was lost");
        transportError(clients.core().now());
    }

    public @Nullable HopUser attempt() {
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
        clients.core().counters().add(Counter.CLIENT_TIMEOUTS);
        clients.core().trace().tell(Counter.CLIENT_TIMEOUTS, asked(), hop);
        hopFailed(Failure.TIMEOUT);
    }

    @Override
    protected void transportFailed() {
        clients.core().counters().add(Counter.TRANSPORT_FAILURES);
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
        clients.core().counters().add(Counter.RESPONSE_RETRANSMISSIONS_SEEN);
    }

    @Override
    protected void output(SipMessage message, boolean again) {
        if (again && clients.core().downHops().refuses(hop, clients.core().now())) {
            // Nobody is there, as the ICMP error to another request has just shown.
            clients.core().events().later(() -> transportError(clients.core().now()));
            return;
        }
        clients.core().outbox().send(hop, message, partition(), again, this);
    }

    @Override
    protected void outputBytes(byte[] message) {
        clients.core().outbox().sendAgain(hop, message, partition(), this);
    }

    @Override
    protected TimerWheel wheel() {
        return clients.core().timers();
    }

    @Override
    protected TransactionTimers timers() {
        return clients.core().config().timers();
    }

    @Override
    protected void lingering() {
        letGo();
        clients.core().counters().lingers(1);
        clients.streams().remove(this);
        attempt = null;
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        letGo();
        clients.ended(this, place, lingered);
        clients.streams().remove(this);
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public void sendFailed(Hop to, String cause) {
        clients.core()
                .events()
                .event(() -> {
                    clients.core().trace().tell(Counter.TRANSPORT_FAILURES, asked(), to, cause);
                    HopUser user = attempt;
                    if (user != null) {
                        user.why(cause);
                    }
                    transportError(clients.core().now());
                });
    }
}

package io.carillon.sip.client;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.outbox.Outbox;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.InviteClientTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.transaction.TransactionTimers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE client machine on a clients.core(). After a final response of 300 and above it lingers
 * without its attempt, with the bytes of the ACK; after a 2xx it keeps the attempt for further
 * forks.
 *
 * <p>Owner: the shard's thread.
 */
public final class ClientInvite extends InviteClientTransaction
        implements ClientMachine, Outbox.Sender {
    /** How the INVITE leaves. */
    private enum Leaves {
        /** Also where no {@code Edge} asks. */
        IN_DIALOG,
        /** Without To tag. */
        INITIAL,
        NEVER
    }

    private final ClientTransactions clients;
    private final Hop hop;

    private Leaves leaves = Leaves.IN_DIALOG;

    private @Nullable HopUser attempt;

    /** Where whoever made us send it is counted. */
    private final int place;

    /** While it rings and holds room of large messages. */
    private @Nullable LargeRinging large;

    public ClientInvite(ClientTransactions clients, Hop hop, HopUser attempt, int place) {
        super(hop.reliable());
        this.place = place;
        this.clients = clients;
        this.hop = hop;
        this.attempt = attempt;
        clients.streams().add(this, clients.core().now());
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
        if (state() == State.CALLING) {
            repeat(clients.core().now());
        }
    }

    /** Sends a CANCEL after this INVITE; only after a provisional response (9.1). */
    public void cancel(SipRequest invite, @Nullable List<String> reasons) {
        MessageDraft draft = MessageDraft.cancelOf(invite);
        if (reasons != null) {
            for (String reason : reasons) {
                draft.addLast(HeaderName.REASON, reason);
            }
        }
        // 9.1: "The destination address, port, and transport for the CANCEL MUST be identical to
        // those used to send the original request."
        SipRequest request = draft.freezeRequest();
        ClientNonInvite cancel = new ClientNonInvite(clients, hop, null, place);
        cancel.holdsLarge(request);
        cancel.key(TransactionTable.hash(branch(), "", -1, Methods.CANCEL), branch());
        cancel.of(partition());
        clients.started(cancel, place);
        cancel.start(request, clients.core().now());
        cancelSent(clients.core().now());
        ringsNoMore();
    }

    private void ringsNoMore() {
        if (large != null) {
            large.end();
            large = null;
        }
    }

    @Override
    public void connectionLost() {
        clients.core()
                .trace()
                .tell(Counter.TRANSPORT_FAILURES, asked(), hop, "the connection was lost");
        if (state() == State.PROCEEDING) {
            // The machine of 17.1.1 waits here for as long as it takes, since what it sent has
            // arrived. The far end that could answer is gone, and an answer by another connection
            // finds its INVITE as a stray response.
            discard(clients.core().now());
            transportFailed();
        } else {
            transportError(clients.core().now());
        }
    }

    public @Nullable HopUser attempt() {
        return attempt;
    }

    @Override
    protected void response(SipResponse response) {
        HopUser user = attempt;
        if (user != null) {
            if (large == null && response.status() < 200) {
                large = LargeRinging.of(clients.core(), this, user, response);
            }
            user.receive(response);
        }
    }

    @Override
    protected SipRequest acknowledgement(SipResponse finalResponse) {
        HopUser user = attempt;
        SipRequest invite = user == null ? null : user.request();
        if (invite == null) {
            throw new IllegalStateException("final response without INVITE");
        }
        return MessageDraft.ackOf(invite, finalResponse).freezeRequest();
    }

    @Override
    protected void strayResponse(SipResponse response) {
        clients.stray(response, hop);
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
    protected long ringingWithinNanos() {
        HopUser user = attempt;
        // A proxy has its Timer C (16.6 item 11).
        return user == null || user.proxied() ? 0 : clients.core().config().ringingWithinNanos();
    }

    @Override
    protected void rangTooLong(long nowNanos) {
        HopUser user = attempt;
        if (user != null) {
            clients.core().counters().add(Counter.RINGING_TOO_LONG);
            clients.core().trace().tell(Counter.RINGING_TOO_LONG, asked(), hop);
            user.rangTooLong();
        }
    }

    @Override
    protected void tooOften() {
        clients.core().counters().add(Counter.ACKS_NOT_REPEATED);
    }

    @Override
    protected void output(SipMessage message, boolean again) {
        if (again
                && state() == State.CALLING
                && clients.core().downHops().refuses(hop, clients.core().now())) {
            // Nobody is there, as the ICMP error to another request has just shown.
            clients.core().events().later(() -> transportError(clients.core().now()));
            return;
        }
        if (clients.core().edge() != null
                && leaves != Leaves.NEVER
                && message instanceof SipRequest sent
                && !sent.is(Methods.ACK)) {
            leaves = sent.toTag() == null ? Leaves.INITIAL : Leaves.IN_DIALOG;
        }
        if (leaves != Leaves.NEVER) {
            clients.core()
                    .outbox()
                    .send(hop, message, partition(), again, leaves == Leaves.INITIAL, this);
        }
    }

    @Override
    protected void outputBytes(byte[] message) {
        if (leaves != Leaves.NEVER) {
            clients.core()
                    .outbox()
                    .sendAgain(hop, message, partition(), leaves == Leaves.INITIAL, this);
        }
    }

    /** The peer has not seen the INVITE, and knows nothing that an ACK could be for. */
    @Override
    public void neverLeft() {
        leaves = Leaves.NEVER;
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
        ringsNoMore();
        clients.core().counters().lingers(1);
        clients.streams().remove(this);
        // The ACK for a refusal lingers.
        if (clients.core().openBytes().tooLargeToLinger(place, sentLast())) {
            clients.core().counters().add(Counter.FINALS_NOT_KEPT);
            forgetLast();
        }
        clients.core().holds(place, 0, StackCounters.surplus(sentLast()));
        if (state() != State.ACCEPTED) {
            attempt = null;
        }
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        ringsNoMore();
        clients.ended(this, place, lingered);
        if (lingered) {
            clients.core().holds(place, StackCounters.surplus(sentLast()), 0);
        }
        clients.streams().remove(this);
        HopUser user = attempt;
        if (user != null && reason == Reason.TIMER_M) {
            attempt = null;
            user.ended();
        }
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

package io.carillon.sip.stack;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.transaction.InviteClientTransaction;
import io.carillon.sip.transaction.Reason;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.transaction.TransactionTimers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The INVITE client machine on a shard. After a final response of 300 and above it lingers without
 * its attempt, with the bytes of the ACK; after a 2xx it keeps the attempt for further forks.
 *
 * <p>Owner: the shard's thread.
 */
final class ClientInvite extends InviteClientTransaction implements ClientMachine {
    private final Shard shard;
    private final Hop hop;

    /** Has the INVITE no To tag? Kept where an {@link Edge} asks. */
    private boolean initial;

    private boolean neverLeft;

    private @Nullable HopUser attempt;

    /** Where whoever made us send it is counted. */
    private final int place;

    ClientInvite(Shard shard, Hop hop, HopUser attempt, int place) {
        super(hop.reliable());
        this.place = place;
        this.shard = shard;
        this.hop = hop;
        this.attempt = attempt;
        shard.streamClients().add(this, shard.now());
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
            repeat(shard.now());
        }
    }

    /** Sends a CANCEL after this INVITE; only after a provisional response (9.1). */
    void cancel(SipRequest invite, @Nullable List<String> reasons) {
        MessageDraft draft = MessageDraft.cancelOf(invite);
        if (reasons != null) {
            for (String reason : reasons) {
                draft.addLast(HeaderName.REASON, reason);
            }
        }
        // 9.1: "The destination address, port, and transport for the CANCEL MUST be identical to
        // those used to send the original request."
        SipRequest request = draft.freezeRequest();
        ClientNonInvite cancel = new ClientNonInvite(shard, hop, null, place);
        cancel.holdsLarge(request);
        cancel.key(TransactionTable.hash(branch(), "", -1, Methods.CANCEL), branch());
        shard.clientStarted(cancel, place);
        cancel.start(request, shard.now());
        cancelSent(shard.now());
    }

    @Override
    public void connectionLost() {
        shard.witness().tell(Counter.TRANSPORT_FAILURES, asked(), hop, "the connection was lost");
        if (state() == State.PROCEEDING) {
            // The machine of 17.1.1 waits here for as long as it takes, since what it sent has
            // arrived. The far end that could answer is gone, and an answer by another connection
            // finds its INVITE as a stray response.
            discard(shard.now());
            transportFailed();
        } else {
            transportError(shard.now());
        }
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
        shard.responses().stray(response, hop);
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
    protected long ringingNanos() {
        HopUser user = attempt;
        // A proxy has its Timer C (16.6 item 11).
        return user == null || user.proxied() ? 0 : shard.config().ringingNanos();
    }

    @Override
    protected void rangTooLong(long nowNanos) {
        HopUser user = attempt;
        if (user != null) {
            shard.counters().add(Counter.RANG_TOO_LONG);
            shard.witness().tell(Counter.RANG_TOO_LONG, asked(), hop);
            user.rangTooLong();
        }
    }

    @Override
    protected void tooOften() {
        shard.counters().add(Counter.ACKS_NOT_REPEATED);
    }

    @Override
    protected void output(SipMessage message, boolean again) {
        if (again && state() == State.CALLING && shard.downHops().refuses(hop, shard.now())) {
            // Nobody is there, as the ICMP error to another request has just shown.
            shard.later(() -> transportError(shard.now()));
            return;
        }
        if (shard.edge() != null && message instanceof SipRequest sent && !sent.is(Methods.ACK)) {
            initial = sent.toTag() == null;
        }
        if (!neverLeft) {
            shard.outbox().send(hop, message, again, initial, this);
        }
    }

    @Override
    protected void outputBytes(byte[] message) {
        if (!neverLeft) {
            shard.outbox().sendAgain(hop, message, initial, this);
        }
    }

    /** The peer has not seen the INVITE, and knows nothing that an ACK could be for. */
    void neverLeft() {
        neverLeft = true;
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
        shard.lingers(1);
        shard.streamClients().remove(this);
        // The ACK for a refusal lingers.
        if (shard.openBytes().tooLargeToLinger(place, sentLast())) {
            shard.counters().add(Counter.FINALS_NOT_KEPT);
            forgetLast();
        }
        shard.holds(place, 0, StackCounters.surplus(sentLast()));
        if (state() != State.ACCEPTED) {
            attempt = null;
        }
    }

    @Override
    protected void ended(Reason reason, boolean lingered) {
        shard.clientEnded(this, place, lingered);
        if (lingered) {
            shard.holds(place, StackCounters.surplus(sentLast()), 0);
        }
        shard.streamClients().remove(this);
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

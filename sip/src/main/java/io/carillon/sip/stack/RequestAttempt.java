package io.carillon.sip.stack;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: the hops of its target one after the other, each with a transaction and a
 * branch of its own, a CANCEL that waits for its moment, and after a 2xx to INVITE the ACK of every
 * fork.
 *
 * <p>Owner: the shard. Public methods may be called from any thread: on the shard's they act before
 * they return, elsewhere they are posted.
 */
public final class RequestAttempt {
    private enum Phase {
        RESOLVING,
        WAITING,
        /** An INVITE got a 2xx: further forks may follow until Timer M. */
        ACCEPTED,
        FINISHED
    }

    /** A Via of ours: a host name of 253 characters at most, and what stands around it. */
    private static final int MOST_VIA_BYTES = 380;

    /** By so much a message may grow at the edge as a rule; then it is looked at. */
    private static final int MOST_REWRITTEN_BYTES = 512;

    private final Shard shard;
    private AttemptUser user;
    private final @Nullable InetSocketAddress local;
    private final boolean proxied;
    private final boolean invite;

    private Phase phase = Phase.RESOLVING;
    private @Nullable OutgoingRequest outgoing;
    private @Nullable ClientInvite inviteMachine;

    /** What was printed last: a SipRequest, after a 2xx its bytes. */
    private volatile @Nullable Object printed;

    private volatile @Nullable Hop hop;
    private boolean answered;
    private boolean ringing;
    private boolean cancelWanted;
    private @Nullable Fork forks;
    private int forkCount;

    RequestAttempt(Shard shard, OutgoingRequest outgoing) {
        this.shard = shard;
        this.outgoing = outgoing;
        this.user = outgoing.user();
        this.local = outgoing.local();
        this.proxied = outgoing.proxied();
        this.invite = outgoing.draft().method().equals(Methods.INVITE);
    }

    public Shard shard() {
        return shard;
    }

    /** The request as printed last; null before the first was. */
    public @Nullable SipRequest request() {
        Object p = printed;
        if (p instanceof byte[] bytes) {
            return shard.parseOwn(bytes) instanceof SipRequest request ? request : null;
        }
        return (SipRequest) p;
    }

    /** Has a request been printed? */
    public boolean sent() {
        return printed != null;
    }

    /** The hop tried last; null before the first was. */
    public @Nullable Hop hop() {
        return hop;
    }

    public boolean proxied() {
        return proxied;
    }

    // Sending

    /** Any thread. */
    void start() {
        if (shard.enter()) {
            try {
                begin();
            } finally {
                shard.leave();
            }
        } else {
            shard.perform(this::begin);
        }
    }

    private void begin() {
        OutgoingRequest out = outgoing;
        if (phase != Phase.RESOLVING || out == null) {
            return;
        }
        Hop fixed = out.fixedHop();
        if (fixed != null) {
            resolved(List.of(fixed));
        } else if (out.nextHop() != null || !byFlow(out)) {
            shard.wire()
                    .resolve(
                            RequestPrinter.target(out.draft(), out.nextHop()),
                            out.preferred(),
                            this::found);
        }
    }

    /** When its next hop is a route of ours that stands for a flow: sends it there, or fails. */
    private boolean byFlow(OutgoingRequest out) {
        FlowRoute.Taken taken = FlowRoute.take(out.draft(), shard);
        if (taken == null) {
            return false;
        }
        Hop flow = taken.flow();
        Failure failure = taken.failure();
        if (flow != null) {
            out.byFlow = true;
            out.fixedHop(flow);
            resolved(List.of(flow));
        } else if (failure != null) {
            fail(failure);
        }
        return true;
    }

    private void found(List<Hop> hops) {
        if (shard.atWork()) {
            resolved(hops);
        } else {
            shard.event(() -> resolved(hops));
        }
    }

    private void resolved(List<Hop> found) {
        OutgoingRequest out = outgoing;
        if (phase != Phase.RESOLVING || out == null) {
            return;
        }
        if (found.isEmpty()) {
            shard.counters().add(Counter.UNRESOLVED);
            tellUnresolved(out);
            fail(Failure.UNRESOLVED);
            return;
        }
        phase = Phase.WAITING;
        out.hops = found;
        tryNext(out);
    }

    private void tellUnresolved(OutgoingRequest out) {
        if (shard.witness().tap() != null) {
            shard.witness().tell(Counter.UNRESOLVED, out.draft().copy().freezeRequest(), null);
        }
    }

    private void tryNext(OutgoingRequest out) {
        Hop next = shard.way(out.hops.get(out.untried++), local);
        out.tooLarge = false;
        try {
            boolean large = maySwitchToTcp(out, next) && mayBeLarge(out);
            SipRequest request = print(out, next, large || moreHops(out));
            // 18.1.1: "If a request is within 200 bytes of the path MTU, or if it is larger than
            // 1300 bytes and the path MTU is unknown, the request MUST be sent using an RFC 2914
            // congestion controlled transport protocol, such as TCP." Falls back to UDP when that
            // fails.
            if (large
                    && shard.outbox().lengthAtPeer(request, next)
                            > shard.config().datagramRequestLimit()) {
                out.tooLarge = true;
                next = shard.way(Hop.to(Transport.TCP, next.remote()), local);
                request = print(out, next, true);
            }
            transmit(request, next);
        } catch (RuntimeException e) {
            shard.userError("printing a request", e);
            fail(Failure.TRANSPORT);
        }
    }

    private boolean maySwitchToTcp(OutgoingRequest out, Hop target) {
        return target.transport() == Transport.UDP
                && out.fixedHop() == null
                && shard.wire().sends(Transport.TCP);
    }

    /** Could the request, printed, be larger than a datagram may be? */
    private boolean mayBeLarge(OutgoingRequest out) {
        int rewritten = shard.edge() == null ? 0 : MOST_REWRITTEN_BYTES;
        return out.draft().mostBytes() + MOST_VIA_BYTES + out.decorator().mostBytes() + rewritten
                > shard.config().datagramRequestLimit();
    }

    private SipRequest print(OutgoingRequest out, Hop target, boolean draftNeededAgain) {
        MessageDraft draft = draftNeededAgain ? out.draft().copy() : out.draft();
        String branch = shard.tokens().branch(out.loopHash());
        return shard.printer().print(draft, target, out.decorator(), branch);
    }

    private void transmit(SipRequest request, Hop target) {
        printed = request;
        hop = target;
        answered = false;
        String branch = request.topVia().branch();
        if (branch == null) {
            throw new IllegalStateException("our Via has a branch");
        }
        long hash = TransactionTable.hash(branch, "", -1, request.method());
        if (invite) {
            ClientInvite machine = new ClientInvite(shard, target, this);
            machine.key(hash, branch);
            inviteMachine = machine;
            shard.clientStarted(machine);
            machine.start(request, shard.now());
        } else {
            ClientNonInvite machine = new ClientNonInvite(shard, target, this);
            machine.key(hash, branch);
            shard.clientStarted(machine);
            machine.start(request, shard.now());
        }
    }

    // Results of the transaction

    void receive(SipResponse response) {
        int status = response.status();
        OutgoingRequest out = outgoing;
        if (status < 200) {
            answered = true;
            ringing |= status > 100;
            sendWaitingCancel();
            up(response);
        } else if (status == 503 && out != null && mayTryNext(out) && !ringing) {
            // RFC 3263 4.3: "failure occurs if the transaction layer reports a 503 error response
            // or a transport failure of some sort".
            shard.counters().add(Counter.FAILOVERS);
            shard.witness().tell(Counter.FAILOVERS, printed, hop, null);
            tryNext(out);
        } else if (invite && status < 300) {
            accepted(response);
        } else {
            phase = Phase.FINISHED;
            letGo();
            up(response);
            finish();
        }
    }

    private void accepted(SipResponse response) {
        phase = Phase.ACCEPTED;
        letGo();
        if (proxied) {
            up(response);
            shrink();
            return;
        }
        String tag = response.toTag();
        Fork known = fork(tag == null ? "" : tag);
        if (known == null) {
            if (forkCount == shard.config().maxForks()) {
                shard.counters().add(Counter.FORKS_REFUSED);
                return;
            }
            forkCount++;
            forks = new Fork(tag == null ? "" : tag, forks);
            up(response);
            shrink();
            return;
        }
        // 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the
        // transaction layer"; for a repeated one the same.
        shard.counters().add(Counter.RESPONSE_RETRANSMISSIONS_SEEN);
        byte[] ack = known.ack;
        Hop to = known.hop;
        if (ack != null && to != null) {
            shard.outbox().sendAgain(to, ack, shard.countFailure());
        }
    }

    void hopFailed(Failure failure) {
        OutgoingRequest out = outgoing;
        if (phase != Phase.WAITING || out == null) {
            return;
        }
        if (failure == Failure.TRANSPORT && out.tooLarge && !cancelWanted && !answered) {
            out.tooLarge = false;
            retryByDatagram(out);
        } else if (mayTryNext(out) && !answered) {
            // RFC 3263 4.3: "Failure also occurs if the transaction layer times out without ever
            // having received any response, provisional or final".
            shard.counters().add(Counter.FAILOVERS);
            shard.witness().tell(Counter.FAILOVERS, printed, hop, null);
            tryNext(out);
        } else if (failure == Failure.TRANSPORT && out.byFlow) {
            // RFC 5626 11.5: 430 tells who forwards that another flow of the same instance may do.
            shard.counters().add(Counter.FLOWS_FAILED);
            fail(Failure.FLOW_FAILED);
        } else {
            fail(failure);
        }
    }

    private void retryByDatagram(OutgoingRequest out) {
        Hop datagram = shard.way(out.hops.get(out.untried - 1), local);
        try {
            transmit(print(out, datagram, moreHops(out)), datagram);
        } catch (RuntimeException e) {
            shard.userError("printing a request", e);
            fail(Failure.TRANSPORT);
        }
    }

    private boolean mayTryNext(OutgoingRequest out) {
        return moreHops(out) && !cancelWanted;
    }

    private static boolean moreHops(OutgoingRequest out) {
        return out.untried < out.hops.size();
    }

    /**
     * Is its transaction the last one? Then the attempt ends when that does (RFC 3261 section 17:
     * Timers B and F), whatever the peer does. On the shard's thread.
     */
    public boolean onLastHop() {
        OutgoingRequest out = outgoing;
        return out == null || (phase == Phase.WAITING && !moreHops(out) && !out.tooLarge);
    }

    /**
     * The call is over, but what its INVITE may still bring has to be met until Timer M: from now
     * on by the successor, so that nothing else of the call is kept for it. Without effect unless
     * the request is an INVITE with a 2xx.
     */
    public void handOver(AttemptUser successor) {
        if (shard.enter()) {
            succeededBy(successor);
            shard.leave();
        } else {
            shard.perform(() -> succeededBy(successor));
        }
    }

    private void succeededBy(AttemptUser successor) {
        if (phase == Phase.ACCEPTED) {
            user = successor;
        }
    }

    /** Timer M: no further fork will be heard of. */
    void ended() {
        phase = Phase.FINISHED;
        forks = null;
        finish();
    }

    private void fail(Failure failure) {
        phase = Phase.FINISHED;
        letGo();
        shard.later(() -> {
            try {
                user.failed(this, failure);
            } catch (RuntimeException e) {
                shard.userError("failed request", e);
            }
            finish();
        });
    }

    private void up(SipResponse response) {
        try {
            user.response(this, response);
        } catch (RuntimeException e) {
            shard.userError("response", e);
        }
    }

    private void finish() {
        try {
            user.finished(this);
        } catch (RuntimeException e) {
            shard.userError("finished request", e);
        }
    }

    /** Nothing will be printed any more. */
    private void letGo() {
        outgoing = null;
        inviteMachine = null;
    }

    private void shrink() {
        if (printed instanceof SipRequest request) {
            printed = request.keptBytes();
        }
    }

    private @Nullable Fork fork(String tag) {
        for (Fork f = forks; f != null; f = f.next) {
            if (f.tag.equals(tag)) {
                return f;
            }
        }
        return null;
    }

    // CANCEL

    /**
     * Gives the request up. An INVITE that was sent gets a CANCEL as soon as a provisional response
     * allows it (RFC 3261 section 9.1), and fails with {@link Failure#TIMEOUT} when no final
     * response follows in 64*T1; before anything was sent it fails with {@link Failure#CANCELLED}.
     * Other methods have no CANCEL: only no further hop is tried.
     *
     * @param reasonHeaders values of Reason headers (RFC 3326), or null
     */
    public void cancel(@Nullable List<String> reasonHeaders) {
        shard.perform(() -> {
            if (cancelWanted) {
                return;
            }
            cancelWanted = true;
            OutgoingRequest out = outgoing;
            if (out != null) {
                out.cancelReasons = reasonHeaders;
            }
            if (phase == Phase.RESOLVING) {
                fail(Failure.CANCELLED);
            } else if (phase == Phase.WAITING && answered) {
                // "If no provisional response has been received, the CANCEL request MUST NOT be
                // sent; rather, the client MUST wait for the arrival of a provisional response
                // before sending the request."
                sendCancel();
            }
        });
    }

    private void sendWaitingCancel() {
        if (cancelWanted && inviteMachine != null) {
            sendCancel();
        }
    }

    private void sendCancel() {
        ClientInvite machine = inviteMachine;
        Hop to = hop;
        if (machine == null || to == null || !(printed instanceof SipRequest request)) {
            return;
        }
        inviteMachine = null;
        MessageDraft draft = MessageDraft.cancelOf(request);
        OutgoingRequest out = outgoing;
        List<String> reasons = out == null ? null : out.cancelReasons;
        if (reasons != null) {
            for (String reason : reasons) {
                draft.addLast(HeaderName.REASON, reason);
            }
        }
        // 9.1: "The destination address, port, and transport for the CANCEL MUST be identical to
        // those used to send the original request."
        ClientNonInvite cancel = new ClientNonInvite(shard, to, null);
        cancel.key(
                TransactionTable.hash(machine.branch(), "", -1, Methods.CANCEL), machine.branch());
        shard.clientStarted(cancel);
        cancel.start(draft.freezeRequest(), shard.now());
        machine.cancelSent(shard.now());
    }

    // ACK

    /**
     * Sends the ACK for a 2xx (RFC 3261 section 13.2.2.4): to its top Route or Request-URI, with a
     * Via and branch of its own. It is remembered for the To tag it carries and sent again whenever
     * that 2xx is repeated.
     *
     * @param ack complete but for the Via
     */
    public void acknowledge(MessageDraft ack) {
        acknowledge(ack, null, null, HopDecorator.NONE);
    }

    /**
     * As {@link #acknowledge(MessageDraft)}.
     *
     * @param nextHop where to send it, if not to the top Route or Request-URI
     * @param fixedHop the hop to use without resolution, or null
     */
    public void acknowledge(
            MessageDraft ack,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator) {
        shard.perform(() ->
                shard.printer()
                        .sendStateless(
                                ack,
                                nextHop,
                                fixedHop,
                                local,
                                decorator,
                                shard.newBranch(),
                                this::rememberAck));
    }

    private void rememberAck(Hop to, SipRequest ack) {
        String tag = ack.toTag();
        Fork known = fork(tag == null ? "" : tag);
        if (known != null) {
            known.ack = ack.keptBytes();
            known.hop = to;
        }
    }

    @Override
    public String toString() {
        return "attempt " + phase + " to " + hop;
    }
}

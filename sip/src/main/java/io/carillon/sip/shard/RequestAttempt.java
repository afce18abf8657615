package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.client.ClientInvite;
import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.HopSearch;
import io.carillon.sip.client.HopUser;
import io.carillon.sip.client.KeptRequest;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.event.ShardEvents;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: the hops of its target one after the other, each with a transaction and a
 * branch of its own, a CANCEL that waits for its moment, and after a 2xx to INVITE the ACK of every
 * fork.
 *
 * <p>Owner: the core(). Public methods may be called from any thread: on the shard's they act
 * before they return, elsewhere they are posted.
 */
public final class RequestAttempt extends HopUser implements LookupBudget {
    private final ClientSide side;
    private AttemptUser user;
    private final @Nullable InetSocketAddress local;
    private final boolean proxied;
    private final Origin origin;
    private final boolean invite;

    /** Where whoever made us send it is counted. */
    private final int place;

    private AttemptState state = AttemptState.RESOLVING;

    /** Until its final response. */
    private @Nullable OutgoingRequest outgoing;

    /** Of an INVITE that waits, until its CANCEL left. */
    private @Nullable ClientInvite inviteMachine;

    /** What was printed last: a SipRequest, after a 2xx its bytes. */
    private volatile @Nullable Object printed;

    private volatile @Nullable String why;
    private volatile @Nullable Hop hop;
    private volatile @Nullable NameAddress flowRoute;

    /** Where a 2xx has come. */
    private @Nullable Fork forks;

    private int forkCount;

    /** What was asked of the DNS for it, and for its ACKs; not where another request pays. */
    private short questions;

    /**
     * Of the account of what is held: the request where it is large, and a large response that the
     * user may keep until the next one.
     */
    private int held;

    RequestAttempt(ClientSide side, OutgoingRequest outgoing) {
        this.side = side;
        this.outgoing = outgoing;
        this.user = outgoing.user();
        this.local = outgoing.local();
        this.proxied = outgoing.proxied();
        this.origin = outgoing.origin();
        this.place = outgoing.countedAt();
        this.invite = outgoing.draft().method().equals(Methods.INVITE);
    }

    ShardCore core() {
        return side.core();
    }

    private ShardEvents events() {
        return side.core().events();
    }

    public Shard shard() {
        return side.shard();
    }

    /** Nobody waits for that response. */
    void stray(SipResponse response, Hop from) {
        side.transactions().stray(response, from);
    }

    /** The request as printed last; null before the first was. */
    @Override
    public @Nullable SipRequest request() {
        Object p = printed;
        if (p instanceof byte[] bytes) {
            return core().parseOwn(bytes) instanceof SipRequest request ? request : null;
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

    @Override
    public boolean proxied() {
        return proxied;
    }

    /** Who asked for it; on the shard's thread. */
    AttemptUser user() {
        return user;
    }

    /** The route of ours that named the flow by which it left (RFC 5626); null without. */
    public @Nullable NameAddress flowRoute() {
        return flowRoute;
    }

    /** What the transport said when it failed last, for people; null when it said nothing. */
    public @Nullable String why() {
        return why;
    }

    @Override
    protected void why(String cause) {
        why = cause;
    }

    /**
     * The one change of state: what the state before kept is let go where the next one has no use
     * for it.
     */
    private void transition(AttemptState to) {
        state = state.to(to);
        if (!to.waits()) {
            letGo();
        }
        if (to == AttemptState.FINISHED) {
            for (Fork fork = forks; fork != null; fork = fork.next) {
                core().holds(place, fork.held, 0);
            }
            forks = null;
        }
    }

    /** Name of the state, for traces and tests. */
    public String stateName() {
        return state.name();
    }

    // Sending

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public boolean takeQuestion(int most) {
        OutgoingRequest out = outgoing;
        LookupBudget payer = out == null ? null : out.lookups();
        return payer == null ? questions++ < most : payer.takeQuestion(most);
    }

    /** Any thread. */
    void start() {
        if (events().enter()) {
            try {
                begin();
            } finally {
                events().leave();
            }
        } else {
            events().perform(this::begin);
        }
    }

    private void begin() {
        OutgoingRequest out = outgoing;
        if (state != AttemptState.RESOLVING || out == null) {
            return;
        }
        boolean full = core().fullFor(out.draft());
        if (full || core().openBytes().full(out.draft(), place)) {
            why = full ? "there are too many transactions" : "what is kept of requests is too much";
            core().counters().add(Counter.UNSENT_FULL);
            fail(Failure.FULL);
            return;
        }
        search(out);
        if (state == AttemptState.RESOLVING) {
            // A name is asked for, and what is to be sent waits for the answer.
            holdBytes(StackCounters.surplus(out.draft().mostBytes()));
        }
    }

    /**
     * The one hop that was fixed, the flow that the top Route stands for, or those of the target.
     */
    private void search(OutgoingRequest out) {
        Hop fixed = out.fixedHop();
        if (fixed != null) {
            resolved(List.of(fixed));
        } else if (out.nextHop() != null || !byFlow(out)) {
            core().wire()
                    .resolve(
                            RequestPrinter.target(out.draft(), out.nextHop()),
                            out.preferred(),
                            this,
                            this::found);
        }
    }

    private void found(List<Hop> hops) {
        if (events().atWork()) {
            resolved(hops);
        } else {
            events().event(() -> resolved(hops));
        }
    }

    /** When its next hop is a route of ours that stands for a flow: goes there, or fails. */
    private boolean byFlow(OutgoingRequest out) {
        FlowRoute.Taken taken = HopSearch.takeFlow(core(), out.draft());
        if (taken == null) {
            return false;
        }
        Hop flow = taken.flow();
        Failure failure = taken.failure();
        if (flow != null) {
            out.fixedHop(flow);
            flowRoute = taken.route();
            resolved(List.of(flow));
        } else if (failure != null) {
            fail(failure);
        }
        return true;
    }

    /** The hops are known; maybe there are none. */
    private void resolved(List<Hop> found) {
        OutgoingRequest out = outgoing;
        if (state != AttemptState.RESOLVING || out == null) {
            return;
        }
        List<Hop> open = HopSearch.passable(core().wire(), origin, found);
        List<Hop> usable = Sips.usable(out.draft().requestUri(), open);
        if (usable.isEmpty()) {
            why = open.isEmpty() ? null : HopSearch.ONLY_TLS;
            HopSearch.unsent(core(), out.draft(), open);
            fail(HopSearch.failure(open));
            return;
        }
        transition(AttemptState.TRYING);
        List<Hop> ordered = core().downHops().order(usable, core().now());
        out.mayTry(ordered, leavesOnce(out, ordered.getFirst()));
        tryNext(out);
    }

    private boolean leavesOnce(OutgoingRequest out, Hop to) {
        return out.once() || out.repeatedBySender(to, core().config().conduct(), core().now());
    }

    private void tryNext(OutgoingRequest out) {
        out.untried++;
        send(out, false);
    }

    /**
     * Sends to the hop whose turn it is.
     *
     * @param datagram by UDP even if it is large, since TCP has failed
     */
    private void send(OutgoingRequest out, boolean datagram) {
        Hop target = core().way(out.hops.get(out.untried - 1), local);
        try {
            RequestPrinter.Printed ready =
                    datagram
                            ? side.printer().printDatagram(out, target, out.moreHops())
                            : side.printer().print(out, target, out.moreHops());
            printed = ready.request();
            hold(null);
            hop = ready.hop();
            transition(state.cancels() ? AttemptState.CANCEL_WAITS : AttemptState.TRYING);
            // Asked before anybody there can have read it.
            boolean unheard = !user.heardAt(ready.hop());
            user.leavesFor(ready.hop());
            out.unheard = unheard;
            ClientMachine machine = side.start(ready.request(), ready.hop(), this, place, invite);
            out.machine = machine;
            if (unheard && !ready.hop().reliable()) {
                core().counters().add(Counter.REQUESTS_TO_UNHEARD);
            }
            if (unheard || leavesOnce(out, ready.hop())) {
                machine.fallSilent();
                Repeatable.Received came = out.came();
                if (came != null && machine instanceof Repeatable other) {
                    came.passedOnBy(other);
                }
            }
            inviteMachine = machine instanceof ClientInvite i ? i : null;
            if (core().config().failover().tryNextNanos() > 0 && out.moreHops()) {
                NextHopTimer.with(this, out, core());
            }
        } catch (RuntimeException e) {
            events().userError("printing a request", e);
            fail(Failure.TRANSPORT);
        }
    }

    // Results of the transaction

    @Override
    protected void receive(SipResponse response) {
        if (state == AttemptState.FINISHED) {
            return; // it could not be sent, and whoever asked for it has been told
        }
        int status = response.status();
        OutgoingRequest out = outgoing;
        if (out != null) {
            out.unheard = false;
        }
        if (flowRoute != null) {
            HopSearch.answeredByFlow(core(), hop);
        }
        core().downHops().heard(hop, response, core().now());
        if (status < 200) {
            provisional(status);
            if (hasRoom(response, Room.DIALOG)) {
                hold(response);
                up(response);
            }
        } else if (status == 503 && out != null && state != AttemptState.RINGING && goesOn(out)) {
            // RFC 3263 4.3: "failure occurs if the transaction layer reports a 503 error response
            // or a transport failure of some sort".
            return;
        } else if (invite && status < 300) {
            accepted(response);
        } else {
            transition(AttemptState.FINISHED);
            if (status >= 300) {
                packEnded();
            }
            up(response);
            finish();
        }
    }

    private void provisional(int status) {
        switch (state) {
            case TRYING, PROCEEDING -> {
                if (status > 100) {
                    transition(AttemptState.RINGING);
                } else if (state == AttemptState.TRYING) {
                    transition(AttemptState.PROCEEDING);
                }
            }
            case CANCEL_WAITS -> {
                transition(AttemptState.CANCELLED);
                sendCancel();
            }
            case RESOLVING, RINGING, CANCELLED, NO_ROOM, ACCEPTED, FINISHED -> {}
        }
    }

    /**
     * Goes on to the next hop, or back to one that was left too early; false when none is there.
     */
    private boolean goesOn(OutgoingRequest out) {
        if (state.cancels()) {
            return false;
        }
        LeftHop other = LeftHop.alive(out.left);
        boolean next = out.mayGoOn();
        if (!next && other == null) {
            return false;
        }
        core().counters().add(Counter.FAILOVERS);
        core().trace().tell(Counter.FAILOVERS, printed, hop, null);
        if (next) {
            tryNext(out);
        } else if (other != null) {
            takeBack(out, other);
        }
        return true;
    }

    private void accepted(SipResponse response) {
        if (state.waits()) {
            transition(AttemptState.NO_ROOM);
        }
        if (proxied) {
            if (hasRoom(response, Room.RESERVED)) {
                told();
                hold(response);
                up(response);
                shrink();
            }
            return;
        }
        String tag = response.toTag();
        Fork known = Fork.find(forks, tag);
        if (known == null) {
            if (forkCount == core().config().forks()) {
                core().counters().add(Counter.FORKS_REFUSED);
                return;
            }
            boolean first = state == AttemptState.NO_ROOM;
            if (!hasRoom(response, first ? Room.RESERVED : Room.DIALOG)) {
                return;
            }
            if (!user.hasRoom(this, response, first)) {
                core().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
                return;
            }
            told();
            forkCount++;
            int large = StackCounters.surplus(response);
            core().holds(place, 0, large);
            forks = new Fork(tag == null ? "" : tag, large, forks);
            up(response);
            shrink();
        } else {
            known.repeatAck(core(), response, hop, place);
        }
    }

    /** There is room for a 2xx: it is told now. */
    private void told() {
        if (state == AttemptState.NO_ROOM) {
            transition(AttemptState.ACCEPTED);
        }
    }

    /** For one that comes again when it is dropped; small ones are bounded by the table. */
    private boolean hasRoom(SipResponse response, Room room) {
        int surplus = StackCounters.surplus(response);
        if (surplus == 0 || !core().openBytes().full(place, room, surplus)) {
            return true;
        }
        core().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
        return false;
    }

    private void hold(@Nullable SipResponse response) {
        OutgoingRequest out = outgoing;
        int aside =
                out == null
                        ? 0
                        : out.keepAside(
                                state == AttemptState.RINGING || state == AttemptState.CANCELLED);
        holdBytes(StackCounters.surplus(response) + StackCounters.surplus(printed) + aside);
    }

    private void holdBytes(int large) {
        if (large != held) {
            core().holds(place, held, large);
            held = large;
        }
    }

    /** So much is kept of its requests now. */
    void count(int before, int now) {
        core().holds(place, before, now);
    }

    @Override
    protected void hopFailed(Failure failure) {
        OutgoingRequest out = outgoing;
        if (!state.waits() || out == null) {
            return;
        }
        if (failure == Failure.TRANSPORT || state.silent()) {
            core().downHops().failed(hop, core().now());
        }
        if (failure == Failure.TRANSPORT && out.tooLarge && state == AttemptState.TRYING) {
            send(out, true);
        } else if (state.silent()
                && (failure != Failure.TIMEOUT || out.stayedSilent())
                && goesOn(out)) {
            // RFC 3263 4.3: "Failure also occurs if the transaction layer times out without ever
            // having received any response, provisional or final".
            return;
        } else if (failure == Failure.TRANSPORT && flowRoute != null) {
            // RFC 5626 11.5: 430 tells who forwards that another flow of the same instance may do.
            core().counters().add(Counter.FLOWS_FAILED);
            fail(Failure.FLOW_FAILED);
        } else {
            fail(failure);
        }
    }

    /** The hop at work has been silent for too long. */
    void hopSilent() {
        OutgoingRequest out = outgoing;
        if (state == AttemptState.TRYING && out != null && out.mayGoOn()) {
            out.stayedSilent();
            core().counters().add(Counter.TRIED_NEXT);
            core().downHops().failed(hop, core().now());
            leave(out);
            tryNext(out);
        }
    }

    /** What it may still say comes to {@link LeftHop}. */
    private void leave(OutgoingRequest out) {
        ClientMachine machine = out.machine;
        Hop from = hop;
        if (machine != null && from != null && printed instanceof SipRequest request) {
            out.left = new LeftHop(this, machine, request, from, out.left);
            machine.follow(out.left);
            machine.fallSilent();
        }
    }

    private void takeBack(OutgoingRequest out, LeftHop other) {
        out.left = LeftHop.without(out.left, other);
        other.letGo();
        out.machine = other.machine;
        out.tooLarge = false;
        inviteMachine = other.machine instanceof ClientInvite machine ? machine : null;
        printed = other.request;
        hold(null);
        hop = other.hop;
        transition(state.cancels() ? AttemptState.CANCEL_WAITS : AttemptState.TRYING);
        other.machine.follow(this);
        out.unheard = !user.heardAt(other.hop);
        if (!out.unheard && !leavesOnce(out, other.hop)) {
            other.machine.speakAgain();
        }
    }

    /** The request that still waits for its final response; null when none does. */
    @Nullable OutgoingRequest waiting() {
        return state.waits() ? outgoing : null;
    }

    /** Where a 2xx has come, the newest first. */
    @Nullable Fork forks() {
        return forks;
    }

    /** Has the hop at work said anything? */
    boolean answered() {
        return !state.silent();
    }

    public boolean isAccepted() {
        return state.succeeds();
    }

    /** A hop that had been left is the one after all; the one at work is left for it. */
    void turnTo(LeftHop from, OutgoingRequest out, SipResponse response) {
        boolean rang = !state.silent();
        leave(out);
        LeftHop dropped = out.left;
        takeBack(out, from);
        receive(response);
        if (rang && dropped != null) {
            dropped.cancel();
        }
    }

    void leftEnded(LeftHop gone) {
        OutgoingRequest out = outgoing;
        if (out != null) {
            out.left = LeftHop.without(out.left, gone);
        }
    }

    /**
     * Is its transaction the last one? Then the attempt ends when that does (RFC 3261 section 17:
     * Timers B and F), whatever the peer does. On the shard's thread.
     */
    public boolean onLastHop() {
        OutgoingRequest out = outgoing;
        return out == null || (state.waits() && !out.moreHops() && !out.tooLarge);
    }

    /**
     * The call is over, but what its INVITE may still bring has to be met until Timer M: from now
     * on by the successor, so that nothing else of the call is kept for it. Without effect unless
     * the request is an INVITE with a 2xx.
     */
    public void handOver(AttemptUser successor) {
        events().perform(() -> {
            if (state.succeeds()) {
                user = successor;
            }
        });
    }

    /** Timer M: no further fork will be heard of. */
    @Override
    protected void ended() {
        if (state == AttemptState.FINISHED) {
            return;
        }
        if (state == AttemptState.NO_ROOM) {
            // There was no room for any 2xx as long as they were repeated, and none got an ACK.
            fail(Failure.TIMEOUT);
            return;
        }
        transition(AttemptState.FINISHED);
        finish();
    }

    void fail(Failure failure) {
        transition(AttemptState.FINISHED);
        packEnded();
        events().later(() -> {
            try {
                user.failed(this, failure);
            } catch (RuntimeException e) {
                events().userError("failed request", e);
            }
            finish();
        });
    }

    private void up(SipResponse response) {
        try {
            user.response(this, response);
        } catch (RuntimeException e) {
            events().userError("response", e);
        }
    }

    private void finish() {
        holdBytes(0);
        try {
            user.finished(this);
        } catch (RuntimeException e) {
            events().userError("finished request", e);
        }
    }

    /** Nothing will be printed any more. */
    private void letGo() {
        OutgoingRequest out = outgoing;
        if (out != null && out.nextHopTimer != null) {
            out.nextHopTimer.end(core());
        }
        outgoing = null;
        inviteMachine = null;
    }

    /** A 2xx came. What is counted for responses stays: the user may have one still. */
    private void shrink() {
        if (printed instanceof SipRequest request) {
            byte[] kept = KeptRequest.of(request);
            printed = kept;
            holdBytes(held - StackCounters.surplus(request) + StackCounters.surplus(kept));
        }
    }

    /** A branch of a proxy failed: others may run on for long, and nobody looks at its request. */
    private void packEnded() {
        if (proxied && printed instanceof SipRequest request) {
            printed = request.keptBytes();
        }
    }

    /**
     * What is kept of it for other branches of its fork, beyond a usual request; on the shard's
     * thread.
     */
    public int keptForOthers() {
        return StackCounters.surplus(printed);
    }

    /** There is no room to keep its request until the other branches have ended. */
    public void dropEnded() {
        if (state == AttemptState.FINISHED) {
            printed = null;
        }
    }

    // CANCEL

    @Override
    protected void rangTooLong() {
        cancel(List.of("SIP;cause=408;text=\"Rang Too Long\""));
    }

    /**
     * Gives the request up. An INVITE that was sent gets a CANCEL as soon as a provisional response
     * allows it (RFC 3261 section 9.1), and fails with {@link Failure#TIMEOUT} when no final
     * response follows in 64*T1; before anything was sent it fails with {@link Failure#CANCELLED}.
     * Other methods have no CANCEL: only no further hop is tried.
     *
     * @param reasonHeaders values of Reason headers (RFC 3326), or null
     */
    public void cancel(@Nullable List<String> reasonHeaders) {
        events().perform(() -> cancelOnce(reasonHeaders));
    }

    private void cancelOnce(@Nullable List<String> reasonHeaders) {
        OutgoingRequest out = outgoing;
        if (out != null && !state.cancels()) {
            out.cancelReasons = reasonHeaders;
        }
        switch (state) {
            case RESOLVING -> fail(Failure.CANCELLED);
            // "If no provisional response has been received, the CANCEL request MUST NOT be sent;
            // rather, the client MUST wait for the arrival of a provisional response before sending
            // the request."
            case TRYING -> transition(AttemptState.CANCEL_WAITS);
            case PROCEEDING, RINGING -> {
                transition(AttemptState.CANCELLED);
                sendCancel();
            }
            case CANCEL_WAITS, CANCELLED, NO_ROOM, ACCEPTED, FINISHED -> {}
        }
    }

    private void sendCancel() {
        ClientInvite machine = inviteMachine;
        if (machine != null && printed instanceof SipRequest request) {
            inviteMachine = null;
            OutgoingRequest out = outgoing;
            machine.cancel(request, out == null ? null : out.cancelReasons);
        }
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
        events().perform(() ->
                side.printer()
                        .sendStateless(
                                ack,
                                nextHop,
                                fixedHop,
                                new RequestPrinter.Leaving(local, origin, this),
                                decorator,
                                core().tokens().branch(0),
                                new ForkAck(this)));
    }

    @Override
    public String toString() {
        return "attempt " + state + " to " + hop;
    }
}

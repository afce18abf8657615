package io.carillon.sip.shard;

import io.carillon.sip.admission.Room;
import io.carillon.sip.client.HopUser;
import io.carillon.sip.client.KeptRequest;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.event.ShardEvents;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: the hops of its target one after the other, each with a transaction and a
 * branch of its own, a CANCEL that waits for its moment, and after a 2xx to INVITE the ACK of every
 * fork.
 *
 * <p>Owner: the core(). Public methods may be called from any thread: on the shard's they act
 * before they return, elsewhere they are posted.
 */
public final class RequestAttempt extends HopUser implements LookupBudget, Consumer<List<Hop>> {
    private final ClientSide side;
    private AttemptUser user;
    private final @Nullable InetSocketAddress local;
    private final boolean proxied;
    private final Origin origin;

    /** Where whoever made us send it is counted. */
    private final int place;

    private AttemptState state = AttemptState.RESOLVING;

    /** Until its final response. */
    private @Nullable OutgoingRequest outgoing;

    /** What was printed last: a SipRequest, after a 2xx its bytes. */
    private volatile @Nullable Object printed;

    private volatile @Nullable String why;
    private volatile @Nullable Hop hop;
    private volatile @Nullable NameAddress flowRoute;

    /** Where a 2xx has come, until Timer M. */
    private @Nullable Fork forks;

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
    }

    ShardCore core() {
        return side.core();
    }

    private ShardEvents events() {
        return side.core().events();
    }

    /** Of its call, in a cluster; else -1. */
    public int partition() {
        OwnTokens own = core().config().tokens();
        SipRequest sent = own.cluster() == null ? null : request();
        return sent == null ? -1 : own.partitionIn(sent.topVia().branch());
    }

    ClientSide side() {
        return side;
    }

    /** On whose behalf it leaves. */
    Origin origin() {
        return origin;
    }

    /** What was printed last: a SipRequest, after a 2xx its bytes. */
    @Nullable Object printed() {
        return printed;
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
        Object again = p instanceof byte[] bytes ? core().parseOwn(bytes) : p;
        return again instanceof SipRequest request ? request : null;
    }

    /** The bytes of {@link #request}, without making it again. */
    public byte @Nullable [] requestBytes() {
        Object p = printed;
        return p instanceof SipRequest request ? request.keptBytes() : (byte[]) p;
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
    public AttemptUser user() {
        return user;
    }

    /** The route of ours that named the flow by which it left (RFC 5626); null without. */
    public @Nullable NameAddress flowRoute() {
        return flowRoute;
    }

    /** It leaves by the flow that this route of ours named. */
    void flowRoute(NameAddress route) {
        flowRoute = route;
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
    void transition(AttemptState to) {
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

    AttemptState state() {
        return state;
    }

    /** Name of the state, for traces and tests. */
    public String stateName() {
        return state.name();
    }

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

    /** The ways that its target's name leads to; its own, as most requests have one. */
    @Override
    public void accept(List<Hop> hops) {
        AttemptHops.found(this, hops);
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
        AttemptHops.search(this, out);
        if (state == AttemptState.RESOLVING) {
            // A name is asked for, and what is to be sent waits for the answer.
            holdBytes(StackCounters.surplus(out.draft().mostBytes()));
        }
    }

    /** It is at that hop now, as this request. */
    void tries(SipRequest request, Hop at) {
        printed = request;
        hold(null);
        hop = at;
        transition(state.cancels() ? AttemptState.CANCEL_WAITS : AttemptState.TRYING);
    }

    @Override
    protected void receive(SipResponse response) {
        if (state == AttemptState.FINISHED) {
            return; // it could not be sent, and whoever asked for it has been told
        }
        AttemptResponses.receive(this, outgoing, response);
    }

    /** Another fork's 2xx is told, the first one of the list. */
    void forks(Fork newest) {
        forks = newest;
    }

    /** There is room for a 2xx: it is told now. */
    void told() {
        if (state == AttemptState.NO_ROOM) {
            transition(AttemptState.ACCEPTED);
        }
    }

    /** For one that comes again when it is dropped; small ones are bounded by the table. */
    boolean hasRoom(SipResponse response, Room room) {
        int surplus = StackCounters.surplus(response);
        if (surplus == 0 || !core().openBytes().full(place, room, surplus)) {
            return true;
        }
        core().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
        return false;
    }

    void hold(@Nullable SipResponse response) {
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

    @Override
    protected void hopFailed(Failure failure) {
        OutgoingRequest out = waiting();
        if (out != null) {
            AttemptHops.failed(this, out, failure);
        }
    }

    /** So much is kept of its requests now. */
    void count(int before, int now) {
        core().holds(place, before, now);
    }

    /** The request that still waits for its final response; null when none does. */
    @Nullable OutgoingRequest waiting() {
        return state.waits() ? outgoing : null;
    }

    /** The request whose hops are looked for; null when they are known, or no longer of use. */
    @Nullable OutgoingRequest resolving() {
        return state == AttemptState.RESOLVING ? outgoing : null;
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

    void up(SipResponse response) {
        try {
            user.response(this, response);
        } catch (RuntimeException e) {
            events().userError("response", e);
        }
    }

    void finish() {
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
    }

    /** A 2xx came. What is counted for responses stays: the user may have one still. */
    void shrink() {
        if (printed instanceof SipRequest request) {
            byte[] kept = KeptRequest.of(request);
            printed = kept;
            holdBytes(held - StackCounters.surplus(request) + StackCounters.surplus(kept));
        }
    }

    /** A branch of a proxy failed: others may run on for long, and nobody looks at its request. */
    void packEnded() {
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
        events().perform(() -> AttemptResponses.cancel(this, outgoing, reasonHeaders));
    }

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
                                core().tokens().branch(side.printer().partition(ack), 0),
                                new AttemptForks.Ack(this)));
    }

    @Override
    public String toString() {
        return "attempt " + state + " to " + hop;
    }
}

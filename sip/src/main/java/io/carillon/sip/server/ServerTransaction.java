package io.carillon.sip.server;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.admission.Room;
import io.carillon.sip.client.KeptRequest;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.transaction.ServerMachine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A request that was received, as the layer above sees it.
 *
 * <p>Owner: the core(). The public methods may be called from any thread: on the shard's they act
 * before they return, elsewhere they are posted to it in order.
 */
public final class ServerTransaction implements LookupBudget, Repeatable.Received {
    private static final VarHandle CLAIM;
    private static final VarHandle LOCAL_TAG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIM = lookup.findVarHandle(ServerTransaction.class, "claim", int.class);
            LOCAL_TAG = lookup.findVarHandle(ServerTransaction.class, "localTag", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int OPEN = 0;
    private static final int CLAIMED_ABOVE = 1;
    private static final int CLAIMED_BY_STACK = 2;

    private final ServerTransactions servers;

    /** A SipRequest, or when it was {@link #pack packed} its bytes. */
    private volatile Object request;

    /** Bytes of the request, for the account of what is held. */
    private final int size;

    private final Hop source;
    private final ServerMachine machine;

    /** Where its sender is counted. */
    private final int place;

    private final boolean byToken;

    /** Of the shard's thread; null where nothing is kept. */
    private @Nullable KeptOfRequest kept;

    private volatile int claim;
    private volatile @Nullable String localTag;
    private volatile Role role = Role.UNDECIDED;
    private volatile @Nullable Object attachment;
    private @Nullable ReliableProvisional provisionals;

    /** Of the shard's thread: what passes the request on as often as it comes; null as a rule. */
    private @Nullable Repeatable passedOnBy;

    /** Who is asked before the 100, null as a rule; behind any response: told. */
    private volatile @Nullable Unbegun unbegun;

    /** Of the shard's thread: by which siblings know it while nobody said what we are; or 0. */
    long undecidedKey;

    /** Of the shard's thread: the key of the request that it waits for; 0 when it does not. */
    long waitsFor;

    /** Of the shard's thread: what was asked of the DNS because of it. */
    private short questions;

    /** Of the shard's thread: of a request that we sent ourselves, what pays for its questions. */
    private @Nullable LookupBudget payer;

    /**
     * @param byToken it was addressed to somebody inside by a token of the {@code Edge}
     */
    ServerTransaction(
            ServerTransactions servers,
            SipRequest request,
            Hop source,
            boolean byToken,
            Hop responseHop,
            int viaPort) {
        this.servers = servers;
        this.byToken = byToken;
        this.place = servers.core().shares().place(source);
        this.request = request;
        this.size = request.bytes().length;
        this.source = source;
        this.machine =
                request.is("INVITE")
                        ? new ServerInvite(servers, responseHop, viaPort, this)
                        : new ServerNonInvite(servers, responseHop, viaPort, this);
    }

    ServerMachine machine() {
        return machine;
    }

    private KeptOfRequest kept() {
        KeptOfRequest all = kept;
        if (all == null) {
            all = new KeptOfRequest(core(), place);
            kept = all;
        }
        return all;
    }

    /** The request is kept: its bytes count until {@link #letGo}. */
    void hold() {
        kept().hold(size);
    }

    void letGo() {
        kept = kept == null ? null : kept.letGo(size);
    }

    /**
     * A branch of a proxy has ended, and is kept until all have. Where there is no room for its
     * request, that is let go. Any thread.
     *
     * @param branch null when nothing was sent
     */
    public void keepsEnded(@Nullable RequestAttempt branch) {
        core().events()
                .perform(() -> {
                    KeptOfRequest all = kept;
                    if (all != null && all.held() && !machine.lingers()) {
                        int request = branch == null ? 0 : branch.keptForOthers();
                        if (branch != null
                                && core().openBytes().noneFor(place, Room.DIALOG, request)) {
                            branch.dropEnded();
                            request = 0;
                        }
                        all.endedBranch(request);
                    }
                });
    }

    /** Of provisional responses are kept the last one and those that wait for their PRACK. */
    private void countProvisionals() {
        KeptOfRequest all = kept;
        if (all == null || !all.held() || machine.lingers()) {
            return;
        }
        Object last = machine.sentLast();
        int large = StackCounters.surplus(last);
        for (ReliableProvisional p = provisionals; p != null; p = p.next) {
            large += p.response == last ? 0 : StackCounters.surplus(p.response);
        }
        all.provisionals(large);
    }

    @Override
    public void passedOnBy(Repeatable sent) {
        passedOnBy = sent;
    }

    /** The request came again before its final response. */
    void repeated() {
        Repeatable sent = passedOnBy;
        if (sent != null) {
            sent.again();
        }
    }

    /** A 2xx waits for its ACK: the request is kept for it. */
    void awaitsAck() {
        kept().awaitsAck(size);
    }

    void awaitsAckNoMore() {
        kept = kept().awaitsAckNoMore(size);
    }

    /** The request, with received and rport in its top Via. */
    public SipRequest request() {
        if (request instanceof SipRequest whole) {
            return whole;
        }
        if (core().parseOwn((byte[]) request) instanceof SipRequest again) {
            return again;
        }
        throw new IllegalStateException("a request that was parsed once cannot be parsed again");
    }

    /** Of an INVITE with a 2xx only the bytes are kept, without a very long body. Any thread. */
    public void pack() {
        if (request instanceof SipRequest whole) {
            byte[] packed = KeptRequest.of(whole);
            request = packed;
            int large = StackCounters.surplus(packed);
            if (StackCounters.countsForSource(large) && machine instanceof ServerInvite invite) {
                core().events().perform(() -> invite.alsoHolds(large));
            }
        }
    }

    /** Where the request came from. */
    public Hop source() {
        return source;
    }

    /** Where its sender is counted in the accounts of sources; any thread. */
    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public boolean takeQuestion(int most) {
        if (questions == 0 && (source.internal() || source.beside() instanceof Hop.CameBack)) {
            payer = shard().responses().attemptOf(request());
        }
        questions++;
        return payer == null ? questions <= most : payer.takeQuestion(most);
    }

    /** Where responses go (RFC 3261 section 18.2.2). */
    public Hop responseHop() {
        return machine instanceof ServerInvite one ? one.hop() : ((ServerNonInvite) machine).hop();
    }

    public Shard shard() {
        return servers.shard();
    }

    /**
     * Was it addressed to somebody inside by a token of the {@code Edge}? Then it goes there,
     * although no dialog of ours may know of it.
     */
    public boolean addressedByToken() {
        return byToken;
    }

    /** Of its call, in a cluster; else -1. Any thread. */
    public int partition() {
        return machine.partition();
    }

    /** The call that it belongs to is of another partition; before its first answer with a tag. */
    public void movesTo(int partition) {
        machine.of(partition);
        localTag = finalClaimed() ? localTag : null;
    }

    ShardCore core() {
        return servers.core();
    }

    public boolean invite() {
        return machine.invite();
    }

    /** Whatever the layer above wants to find again. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(@Nullable Object value) {
        attachment = value;
    }

    /** Who is asked before the 100 (Trying) of an INVITE. Kept until the first response. */
    public void waits(Unbegun asked) {
        unbegun = told() ? Unbegun.TOLD : asked;
    }

    @Nullable Unbegun asked() {
        return unbegun;
    }

    boolean refusedUnbegun() {
        Unbegun asked = unbegun;
        unbegun = Unbegun.TOLD;
        return asked != null && asked.refused();
    }

    /** Has its sender had a response to his INVITE, so that he counts on an answer? Any thread. */
    public boolean told() {
        return unbegun == Unbegun.TOLD;
    }

    public Role role() {
        return role;
    }

    /**
     * Says what this server is for the request; needed before a merged request or a CANCEL can be
     * treated right.
     */
    public void setRole(Role value) {
        role = value;
        if (core().events().enter()) {
            try {
                servers.decided(this);
            } finally {
                core().events().leave();
            }
        } else {
            core().events().perform(() -> servers.decided(this));
        }
    }

    /**
     * The To tag of all responses that are made here: that of the first response with one that was
     * passed to {@link #respond}, else a new one.
     */
    public String localTag() {
        String tag = localTag;
        if (tag == null) {
            noteTag(core().tokens().tag(partition()));
            tag = localTag;
        }
        return tag == null ? "" : tag;
    }

    void noteTag(@Nullable String tag) {
        if (tag != null && localTag == null) {
            LOCAL_TAG.compareAndSet(this, null, tag);
        }
    }

    /**
     * The one decision about the final response to an INVITE, between the layer above and the
     * stack's 487 to a CANCEL.
     *
     * @return true exactly once: the caller must respond with a final response. For requests other
     *     than INVITE likewise
     */
    public boolean claimFinal() {
        return CLAIM.compareAndSet(this, OPEN, CLAIMED_ABOVE);
    }

    boolean claimedAbove() {
        return claimFinal() || claim == CLAIMED_ABOVE;
    }

    boolean claimForStack() {
        return CLAIM.compareAndSet(this, OPEN, CLAIMED_BY_STACK);
    }

    /** Whether the decision about the final response is made. */
    public boolean finalClaimed() {
        return claim != OPEN;
    }

    /**
     * Sends a response as it is: a proxy's, or any that needs no repetition by a UAS core. A final
     * response claims the decision when nobody has, and is dropped and counted when the stack's 487
     * won it.
     */
    public void respond(SipResponse response) {
        Departing.begin(this, response, Departing.ONCE);
    }

    /**
     * Sends a 2xx to an INVITE and repeats it on all transports until its ACK comes (RFC 3261
     * section 13.3.1.4).
     */
    public void respondAsUas(SipResponse response2xx) {
        if (!invite() || response2xx.status() / 100 != 2) {
            throw new IllegalArgumentException("only a 2xx to INVITE is repeated until ACK");
        }
        Departing.begin(this, response2xx, Departing.UNTIL_ACK);
    }

    /**
     * Sends a provisional response and repeats it until {@link #pracked} (RFC 3262 section 3).
     *
     * @param rseq the number in its RSeq header
     */
    public void respondReliably(SipResponse response1xx, long rseq) {
        int status = response1xx.status();
        if (!invite() || status <= 100 || status >= 200) {
            throw new IllegalArgumentException("only 101 to 199 to INVITE are reliable");
        }
        Departing.begin(this, response1xx, rseq);
    }

    /** By {@link Departing} only. */
    void leave(SipResponse response, long until) {
        if (core().events().enter()) {
            try {
                leaveInShard(response, until);
            } finally {
                core().events().leave();
            }
        } else {
            core().events().perform(() -> leaveInShard(response, until));
        }
    }

    private void leaveInShard(SipResponse response, long until) {
        boolean left = respondInShard(response);
        if (left && until == Departing.UNTIL_ACK) {
            // A UAS with several forks behind it answers with several 2xx, each with a tag and an
            // ACK of its own, as long as the machine lingers (RFC 6026 section 7.1).
            servers.reliability().awaitAck(this, response);
        } else if (left && until != Departing.ONCE && !machine.lingers()) {
            provisionals = servers.reliability().awaitPrack(this, response, until, provisionals);
            countProvisionals();
        }
    }

    /** The PRACK for this RSeq came: the provisional response is not repeated any longer. */
    public void pracked(long rseq) {
        core().events().perform(() -> noLongerWaits(rseq));
    }

    /** An ACK for a 2xx came, by a way that the stack may not see. */
    public void ackReceived(SipRequest ack) {
        core().events().perform(() -> servers.reliability().acknowledged(ack));
    }

    /**
     * For a proxy whose call has ended: a 2xx that comes late goes on upstream (RFC 6026 section
     * 7.1) as long as the machine lingers. Keeps neither the request nor what is attached.
     */
    public AttemptUser lateAnswers() {
        return new LateAnswers(core(), machine);
    }

    void noLongerWaits(long rseq) {
        ReliableProvisional before = provisionals;
        if (before != null) {
            provisionals = servers.reliability().pracked(before, rseq);
            countProvisionals();
        }
    }

    /** No reliable provisional response is repeated any more (RFC 3262 section 3). */
    void finalSent() {
        unbegun = Unbegun.TOLD;
        servers.reliability().stop(provisionals);
        provisionals = null;
    }

    private boolean respondInShard(SipResponse response) {
        if (response.status() >= 200 && !claimFinal() && claim == CLAIMED_BY_STACK) {
            core().counters().add(Counter.RESPONSES_SUPPRESSED);
            core().trace().tell(Counter.RESPONSES_SUPPRESSED, response, null);
            return false;
        }
        if (response.status() > 100 && localTag == null) {
            noteTag(response.toTag());
        }
        if (response.status() == 404) {
            blameForName(core().config().conduct());
        }
        if (response.status() / 100 == 2 && source.connection() > 0 && lasts()) {
            core().wire().proved(source, 0);
        }
        machine.respond(response, core().now());
        if (response.status() < 200) {
            unbegun = Unbegun.TOLD;
            countProvisionals();
        }
        return true;
    }

    /** Does a 2xx begin or keep what lasts: a registration, a call, a subscription? */
    private boolean lasts() {
        return invite() || request().is(Methods.REGISTER) || request().is(Methods.SUBSCRIBE);
    }

    /** A name that nobody has here; in a dialog no name is tried. */
    private void blameForName(@Nullable PeerConduct conduct) {
        if (!machine.lingers() && request().toTag() == null) {
            PeerConduct.failed(conduct, Failure.NOT_FOUND, request(), source, core().now());
        }
    }

    /** The stack's own final response, after {@link #claimForStack}. */
    void respondFromStack(SipResponse response) {
        machine.respond(response, core().now());
    }

    @Override
    public String toString() {
        return request().method() + " " + machine.branch() + " " + machine.stateName();
    }
}

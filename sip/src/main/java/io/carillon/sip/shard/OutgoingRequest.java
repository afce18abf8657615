package io.carillon.sip.shard;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.client.ClientMachine;
import io.carillon.sip.client.Repeatable;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to send and how: given to {@link ClientSide#send}, which owns the draft from then on.
 *
 * <p>Owner: who fills it, then the shard.
 */
public final class OutgoingRequest {
    /** For {@link #repeatedAt}: wherever it goes. */
    public static final long ANYWHERE = 0;

    /** Servers of one target that get a stranger's request, one after the other. */
    static final int SERVERS_FOR_STRANGERS = 4;

    /** For {@link #repeatedAt}: the key of no source. */
    public static final long NOWHERE = -1;

    private final MessageDraft draft;
    private final AttemptUser user;
    private @Nullable Uri nextHop;
    private @Nullable Hop fixedHop;
    private @Nullable Transport preferred;
    private @Nullable InetSocketAddress local;
    private HopDecorator decorator = HopDecorator.NONE;
    private boolean proxied;
    private Origin origin = Origin.OWN;
    private boolean keepAlives;
    private boolean once;
    private long repeatedAt = ANYWHERE;
    private Repeatable.@Nullable Received came;
    private long loopHash;
    private int countedAt = Sources.NOBODY;
    private @Nullable LookupBudget lookups;

    // Of the shard, while the request is on its way.

    /** Where it may be sent. */
    List<Hop> hops = List.of();

    /** The first of the hops that was not tried. */
    int untried;

    /** The hop at work is one where nobody was heard, nor has answered since. */
    boolean unheard;

    /** It goes over TCP as it is large; when that fails, by the datagram that was due. */
    boolean tooLarge;

    /** The machine of the hop at work. */
    @Nullable ClientMachine machine;

    /** Hops that were left although they may still answer, the last one first. */
    @Nullable LeftHop left;

    /** Leaves a silent hop; only where that is configured. */
    @Nullable NextHopTimer nextHopTimer;

    @Nullable List<String> cancelReasons;

    boolean moreHops() {
        return untried < hops.size();
    }

    /**
     * Who lists many servers under one name would have all of them asked in their turn: a request
     * that leaves once goes to one, that of a stranger to a few.
     */
    void mayTry(List<Hop> ordered, boolean leavesOnce) {
        int most =
                leavesOnce
                        ? 1
                        : countedAt == Sources.NOBODY ? ordered.size() : SERVERS_FOR_STRANGERS;
        hops = ordered.size() <= most ? ordered : ordered.subList(0, most);
    }

    /** Whoever owns a name may let it stand for a hundred others: one of those gets the request. */
    boolean mayGoOn() {
        return moreHops() && (!unheard || user.heardAt(hops.get(untried)));
    }

    /**
     * The hop at work has said nothing until its time was over, and may have got the request up to
     * eleven times. Of a stranger's request the next ones get one datagram each: all servers of a
     * name may be one victim.
     *
     * @return whether anybody waits for what another one would answer
     */
    boolean stayedSilent() {
        once |= countedAt != Sources.NOBODY;
        // RFC 4320 2.2: of a request that is no INVITE "the client already has full knowledge of
        // the timeout" when ours is over, as its Timer F began before.
        return !proxied || invite();
    }

    /**
     * Bytes beyond the usual that are kept beside what was printed last: a body for another hop, or
     * for the datagram in place of the stream.
     *
     * @param rings then no other is tried
     */
    int keepAside(boolean rings) {
        if (rings || (!moreHops() && !tooLarge)) {
            draft.letGoOfBody();
        }
        return StackCounters.surplus(draft.ownBodyLength());
    }

    /**
     * @param draft complete but for the own Via
     * @param user told of responses
     */
    public OutgoingRequest(MessageDraft draft, AttemptUser user) {
        this.draft = draft;
        this.user = user;
    }

    /**
     * Where to send it, if not to the top Route when that has {@code lr}, else to the Request-URI
     * (RFC 3261 section 8.1.2). To be set to the Request-URI where the request was rewritten for a
     * strict router (sections 12.2.1.1 and 16.6 item 6).
     */
    public OutgoingRequest nextHop(@Nullable Uri uri) {
        nextHop = uri;
        return this;
    }

    /** The one hop to use, without resolution. */
    public OutgoingRequest fixedHop(@Nullable Hop hop) {
        fixedHop = hop;
        return this;
    }

    /** The transport to use where the target leaves it open. */
    public OutgoingRequest preferred(@Nullable Transport transport) {
        preferred = transport;
        return this;
    }

    /** The address of ours to send from, whatever way leads to the peer. */
    public OutgoingRequest local(@Nullable InetSocketAddress address) {
        local = address;
        return this;
    }

    /** Sets headers per hop. */
    public OutgoingRequest decorator(HopDecorator value) {
        decorator = value;
        return this;
    }

    /** For a proxy: responses have more than one Via, and each 2xx is passed up. */
    public OutgoingRequest proxied(boolean value) {
        proxied = value;
        return this;
    }

    /** On whose behalf it is sent. */
    public OutgoingRequest origin(Origin value) {
        origin = value;
        return this;
    }

    public Origin origin() {
        return origin;
    }

    /**
     * What it makes us keep counts for that source.
     *
     * @param place of {@link Sources}, of whoever made us send it; {@link Sources#NOBODY} for what
     *     we send by ourselves
     */
    public OutgoingRequest countedAt(int place) {
        countedAt = place;
        return this;
    }

    public int countedAt() {
        return countedAt;
    }

    /** It is sent for that request: names are looked up at its cost, and not at one of its own. */
    public OutgoingRequest lookups(LookupBudget budget) {
        lookups = budget;
        return this;
    }

    @Nullable LookupBudget lookups() {
        return lookups;
    }

    /**
     * It is not repeated where no answer comes: for a peer that has shown by nothing that it is
     * there, and may not be who wrote its address.
     */
    public OutgoingRequest once(boolean value) {
        once = value;
        return this;
    }

    public boolean once() {
        return once;
    }

    /**
     * For a proxy: our timers repeat it at that source only. Elsewhere it leaves when it comes, and
     * when it comes again, to one server: who sent it could have us send to anybody what he likes
     * as often as our timers say. Without effect where the operator trusts the next hop.
     *
     * @param source a {@link SourceKey}, {@link #ANYWHERE} or {@link #NOWHERE}
     * @param server the transaction of the request as it came
     */
    public OutgoingRequest repeatedAt(long source, Repeatable.Received server) {
        repeatedAt = source;
        came = source == ANYWHERE ? null : server;
        return this;
    }

    /**
     * Is it left to its sender to repeat it, where it goes by that hop? A flow of ours whose other
     * end has shown lately that it is there gets it by our timers.
     */
    boolean repeatedBySender(Hop hop, @Nullable PeerConduct conduct, long nowNanos) {
        return repeatedAt != ANYWHERE
                && hop.remote().getAddress() != null
                && repeatedAt != SourceKey.of(hop.remote().getAddress())
                && (conduct == null
                        || !(conduct.trusts(hop)
                                || (fixedHop != null && conduct.provenLately(hop, nowNanos))));
    }

    /** Where it came from, when that side may have to repeat it. */
    Repeatable.@Nullable Received came() {
        return came;
    }

    /** Our Via asks whether keep-alives are wanted (RFC 6223). */
    public OutgoingRequest keepAlives(boolean value) {
        keepAlives = value;
        return this;
    }

    public boolean keepAlives() {
        return keepAlives;
    }

    /**
     * Printed at the end of the branch: the hash of loop detection (RFC 3261 section 16.6 item 8),
     * which {@code ShardToken.loopHash} reads there. 0 for none.
     */
    public OutgoingRequest loopHash(long hash) {
        loopHash = hash;
        return this;
    }

    public MessageDraft draft() {
        return draft;
    }

    boolean invite() {
        return draft.method().equals(Methods.INVITE);
    }

    public AttemptUser user() {
        return user;
    }

    public @Nullable Uri nextHop() {
        return nextHop;
    }

    public @Nullable Hop fixedHop() {
        return fixedHop;
    }

    public @Nullable Transport preferred() {
        return preferred;
    }

    public @Nullable InetSocketAddress local() {
        return local;
    }

    public HopDecorator decorator() {
        return decorator;
    }

    public boolean proxied() {
        return proxied;
    }

    public long loopHash() {
        return loopHash;
    }
}

package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.port.Caller;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.Shard;
import java.io.Serializable;
import java.net.InetSocketAddress;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * The path of a session's messages, a part of {@link ServletSession}: its place among applications,
 * as the router said, who is at its other end, and the interface and shard by which its requests
 * leave. Owner: the turn of the application session. What is not private is what {@link
 * SessionBytes} writes and reads.
 */
public final class SessionPath {
    /** What the application router said. */
    public record Routing(
            SipApplicationRoutingRegion region,
            @Nullable URI subscriber,
            @Nullable Serializable stateInfo) {}

    /**
     * The interface that the application chose.
     *
     * @param transport null where it left that open
     */
    record Interface(InetSocketAddress address, @Nullable Transport transport) {}

    @Nullable Routing routing;

    /** How many applications the initial request visited before; 0 for the first. */
    int depth;

    /** Did the initial request come from, or go to, another application of ours? */
    boolean composed;

    /** Where the request came from that began it, or on whose behalf its first one was sent. */
    Origin origin = Origin.OWN;

    /** Who has proved to be the caller of the dialog. */
    @Nullable Caller caller;

    @Nullable Interface outbound;

    /**
     * The {@link SourceKey} of where its first request came from, or of who answered a request of
     * ours last; 0 before, and where our tag was told to somebody else. The turn writes it, and so
     * do shards that send for it.
     */
    volatile long peer;

    /** Is somebody there who got what we sent? Written and read as {@link #peer}. */
    volatile boolean heard;

    /** Where the last response of this session left; null before there was one. */
    @UnderWay @Nullable Shard answeredFrom;

    SessionPath() {}

    // ---- its place among applications ----

    /** Null before the router was asked. */
    public void setRouting(@Nullable Routing said) {
        routing = said;
    }

    public @Nullable Routing routing() {
        return routing;
    }

    SipApplicationRoutingRegion region() {
        Routing said = routing;
        return said == null ? SipApplicationRoutingRegion.NEUTRAL_REGION : said.region();
    }

    /** Its place on a chain of applications, the first being 0. */
    public int depth() {
        return depth;
    }

    /** Are there others of ours on its dialog? */
    public boolean composed() {
        return composed;
    }

    public void place(int place) {
        depth = place;
    }

    /** Others of ours are, or may be, on its dialog. */
    public void compose(int place) {
        depth = place;
        composed = true;
    }

    // ---- who is at its other end ----

    /**
     * Its first request came from there. A datagram says so only: anybody can write any source. Who
     * has a connection was answered by it.
     *
     * @param source null where it was made by an application of ours
     */
    public void calledFrom(@Nullable Hop source) {
        if (source != null && !source.internal()) {
            peer = SourceKey.of(source.remote().getAddress());
            heard = source.reliable();
        }
    }

    /** A request of ours was answered from there: whoever did had the branch that we chose. */
    public void answeredBy(Hop hop) {
        if (!hop.internal()) {
            long from = SourceKey.of(hop.remote().getAddress());
            if (peer != from || !heard) {
                peer = from;
                heard = true;
            }
        }
    }

    /**
     * Is a peer of this session known to be at that hop? A Contact, a Record-Route and the source
     * of one datagram may be anybody's who has never called: he is sent nothing twice. A caller who
     * has proved to be a user is believed. Any thread.
     */
    public boolean heardAt(Hop hop) {
        return hop.internal() || (heard && isPeerAt(hop)) || hasProvenCaller();
    }

    /**
     * Has somebody at that address shown that he gets what is sent there? Who knows our tag has
     * shown it of the source of the first request, which the tag was sent to, and not of where he
     * sends from.
     */
    public boolean provesItselfAt(Hop hop) {
        return heard && isPeerAt(hop);
    }

    /**
     * A request of ours leaves for that hop, and tells whoever is there our tag: until the source
     * of the first request was heard, the tag is proof of that source no more. Any thread.
     */
    public void leavesFor(Hop hop) {
        if (!heard && !hop.internal() && !isPeerAt(hop)) {
            peer = 0;
        }
    }

    /** Is that where its first request came from, or where a request of ours was answered last? */
    public boolean isPeerAt(Hop hop) {
        return !hop.internal() && peer == SourceKey.of(hop.remote().getAddress());
    }

    /** Has the caller of its dialog proved to be a user, or has a trusted peer for him? */
    public boolean hasProvenCaller() {
        return caller != null;
    }

    /** Who has proved to be the caller of its dialog; null for nobody. */
    public @Nullable Caller caller() {
        return caller;
    }

    /** That user is the caller of its dialog. */
    public void caller(Caller proven) {
        caller = proven;
    }

    // ---- by what its messages leave ----

    void leaveBy(InetSocketAddress address, @Nullable Transport transport) {
        outbound = new Interface(address, transport);
    }

    /** Null where the application chose none. */
    public @Nullable InetSocketAddress outbound() {
        Interface chosen = outbound;
        return chosen == null ? null : chosen.address;
    }

    /** The transport that the application chose with its interface; null for none. */
    public @Nullable Transport outboundTransport() {
        Interface chosen = outbound;
        return chosen == null ? null : chosen.transport;
    }

    /** A response leaves from here. */
    public void answeredFrom(Shard shard) {
        answeredFrom = shard;
    }
}

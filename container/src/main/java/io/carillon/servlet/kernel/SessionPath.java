package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.port.Caller;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.shard.Shard;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * The path of a session's messages: its place among applications, as the router said, and the
 * interface and shard by which its requests leave. Owner: the turn of the application session.
 */
public abstract sealed class SessionPath implements SipSession, ByReference permits SessionDialog {
    private final ApplicationSession parent;
    ServletSession.@Nullable Routing routing;

    /** How many applications the initial request visited before; 0 for the first. */
    int depth;

    /** Did the initial request come from, or go to, another application of ours? */
    boolean composed;

    /** Where the request came from that began it, or on whose behalf its first one was sent. */
    Origin origin = Origin.OWN;

    @Nullable SessionExtras seldom;

    /**
     * The {@link SourceKey} of where its first request came from, or of who answered a request of
     * ours last; 0 before, and where our tag was told to somebody else. The turn writes it, and so
     * do shards that send for it.
     */
    volatile long peer;

    /** Is somebody there who got what we sent? Written and read as {@link #peer}. */
    volatile boolean heard;

    /** Where the last response of this session left; null before there was one. */
    @UnderWay private @Nullable Shard answeredFrom;

    SessionPath(ApplicationSession parent) {
        this.parent = parent;
    }

    /**
     * @throws IllegalStateException when the session has ended
     */
    abstract void checkValid();

    public SessionHost host() {
        return parent.host();
    }

    public ApplicationSession parent() {
        return parent;
    }

    public Application application() {
        return parent.application();
    }

    @Override
    public ApplicationSession getApplicationSession() {
        return parent;
    }

    @Override
    public ServletContext getServletContext() {
        return parent.application().context();
    }

    public void setRouting(ServletSession.@Nullable Routing routing) {
        this.routing = routing;
    }

    public ServletSession.@Nullable Routing routing() {
        return routing;
    }

    /** Its place on a chain of applications, the first being 0. */
    public int depth() {
        return depth;
    }

    /** Are there others of ours on its dialog? */
    public boolean composed() {
        return composed;
    }

    /** Where its requests may go: see {@link Origin}. */
    public Origin origin() {
        return origin;
    }

    /** A request of that origin began it. */
    public void came(Origin from) {
        origin = from;
        parent.origin = parent.origin.stricter(from);
    }

    /** It sends its first request: on behalf of whoever has asked for anything in its call. */
    public void sends() {
        origin = parent.origin.stricter(NewSessions.asked());
    }

    /**
     * Its first request came from there. A datagram says so only: anybody can write any source. Who
     * has a connection was answered by it.
     */
    public void calledFrom(Hop source) {
        if (!source.internal()) {
            peer = SourceKey.of(source.remote().getAddress());
            heard = source.reliable();
        }
    }

    /**
     * A request in its dialog came: with the tag that we chose, which stood in what we had sent to
     * the source of the first request. So that is no forgery, wherever this one came from. Where a
     * request of ours had told somebody else the tag before, there is no {@link #peer} to believe.
     */
    public void knowsOurTag() {
        if (!heard && hasTagOfOurs()) {
            heard = true;
        }
    }

    /**
     * Was its local tag chosen here? RFC 3261 8.2.6.2: an answer repeats the To tag of its request,
     * so who begins a dialog by a request with one knows "our" tag before he has seen anything.
     */
    abstract boolean hasTagOfOurs();

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
     * A request of ours leaves for that hop, and tells whoever is there our tag: until the source
     * of the first request was heard, the tag is proof of that source no more. Any thread.
     */
    public void leavesFor(Hop hop) {
        if (!heard && !isPeerAt(hop)) {
            peer = 0;
        }
    }

    /** Is that where its first request came from, or where a request of ours was answered last? */
    public boolean isPeerAt(Hop hop) {
        return !hop.internal() && peer == SourceKey.of(hop.remote().getAddress());
    }

    /** Has the caller of its dialog proved to be a user, or has a trusted peer for him? */
    public boolean hasProvenCaller() {
        return caller() != null;
    }

    /** Who has proved to be the caller of its dialog; null for nobody. */
    public @Nullable Caller caller() {
        SessionExtras rare = seldom;
        return rare == null ? null : rare.caller;
    }

    /** That user is the caller of its dialog. */
    public void caller(Caller proven) {
        seldom().caller = proven;
    }

    public void place(int place) {
        depth = place;
    }

    /** Others of ours are, or may be, on its dialog. */
    public void compose(int place) {
        depth = place;
        composed = true;
    }

    @Override
    public SipApplicationRoutingRegion getRegion() {
        checkValid();
        ServletSession.Routing said = routing;
        return said == null ? SipApplicationRoutingRegion.NEUTRAL_REGION : said.region();
    }

    @Override
    public @Nullable URI getSubscriberURI() {
        checkValid();
        ServletSession.Routing said = routing;
        return said == null ? null : said.subscriber();
    }

    SessionExtras seldom() {
        SessionExtras own = seldom;
        if (own == null) {
            own = new SessionExtras();
            seldom = own;
        }
        return own;
    }

    @Override
    public void setOutboundInterface(InetSocketAddress address) {
        checkValid();
        host().outboundInterfaces().check(address);
        leaveBy(address, null);
    }

    /**
     * The same, and over this transport where the target leaves it open.
     *
     * @throws IllegalArgumentException when it is no listening point of ours
     */
    public void setOutboundInterface(InetSocketAddress address, Transport transport) {
        checkValid();
        host().outboundInterfaces().check(address);
        leaveBy(address, transport);
    }

    @Override
    public void setOutboundInterface(InetAddress address) {
        checkValid();
        leaveBy(host().outboundInterfaces().on(address), null);
    }

    private void leaveBy(InetSocketAddress address, @Nullable Transport transport) {
        parent.inTurn(() -> {
            SessionExtras rare = seldom();
            rare.outbound = address;
            rare.outboundTransport = transport;
        });
    }

    public @Nullable InetSocketAddress outbound() {
        SessionExtras rare = seldom;
        return rare == null ? null : rare.outbound;
    }

    public @Nullable Transport outboundTransport() {
        SessionExtras rare = seldom;
        return rare == null ? null : rare.outboundTransport;
    }

    /** A response leaves from here. */
    public void answeredFrom(Shard shard) {
        answeredFrom = shard;
    }

    /**
     * Where requests in the dialog leave: behind the responses, so that a NOTIFY does not overtake
     * the 200 that it follows. A keyed session gets requests on any shard, and its turn may run on
     * another one.
     */
    public Shard sendsFrom() {
        Shard last = answeredFrom;
        return last == null ? host().shards().of(parent.home()) : last;
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}

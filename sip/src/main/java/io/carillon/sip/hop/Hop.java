package io.carillon.sip.hop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a message came from or goes to. Immutable.
 *
 * @param transport by which transport
 * @param local our address, where it matters which; null leaves the choice to the wire
 * @param remote the peer's address, resolved
 * @param connection number of the connection, 0 for none: UDP, or a connection still to be found or
 *     opened; {@link #INTERNAL} between two users of this shard
 * @param beside what travels with the messages of an internal hop without standing in them; the
 *     {@link TlsPeer} of a message that came over TLS; where a request that we sent to ourselves
 *     came in first; null on every other
 * @param domain the name that the peer's certificate must carry (RFC 5922): the host of the URI
 *     that led here, kept for TLS, WS and WSS; null where that was an address in digits, where the
 *     peer came to us, and on the other transports
 */
public record Hop(
        Transport transport,
        @Nullable InetSocketAddress local,
        InetSocketAddress remote,
        long connection,
        @Nullable Object beside,
        @Nullable String domain) {

    /**
     * Beside the hop of a request that a proxy or back-to-back user agent of ours has sent to
     * ourselves, by the wire: whoever sent the one that it is a copy of is not at our own address.
     * Neither trust nor shares nor bans of our address are for him.
     *
     * @param began where the request came in first
     */
    public record CameBack(Hop began) {}

    /**
     * Beside the hop of a message that was given to us as one from outside, and names an address of
     * ours as its source: it is no copy of what we have sent to ourselves, whatever it says.
     */
    public static final Object FROM_OUTSIDE = new Object();

    /** The connection of an internal hop. */
    public static final long INTERNAL = -1;

    public Hop(
            Transport transport,
            @Nullable InetSocketAddress local,
            InetSocketAddress remote,
            long connection) {
        this(transport, local, remote, connection, null, null);
    }

    /**
     * From one user of a shard to another one of the same shard: reliable, and never on the wire.
     * Via, Contact and Record-Route print what they would print on the given way.
     */
    public static Hop internal(Hop like, Object beside) {
        return new Hop(like.transport, like.local, like.remote, INTERNAL, beside, null);
    }

    /**
     * Is it a connection that ends at a router of the cluster? Its number means the same on all
     * nodes, and outlives each of them.
     */
    public boolean byRouter() {
        return connection >>> 62 == 1;
    }

    /** Does it stay within the shard? */
    public boolean internal() {
        return connection == INTERNAL;
    }

    /** The same way, with that beside it. */
    public Hop beside(Object value) {
        return new Hop(transport, local, remote, connection, value, domain);
    }

    /**
     * Where what came by it came in first: elsewhere, when we have sent ourselves a copy of what
     * another one sent. By this address others are trusted, counted and banned. Of an internal hop
     * see {@link Origin.Known}.
     */
    public Hop initial() {
        return beside instanceof CameBack copy ? copy.began() : this;
    }

    /** True when nothing has to be sent again on this way. */
    public boolean reliable() {
        return connection == INTERNAL || transport.reliable();
    }

    /** A way to an address that fixes neither our own address nor a connection. */
    public static Hop to(Transport transport, InetSocketAddress remote) {
        return new Hop(transport, null, remote, 0);
    }

    /** The same way from that address of ours; one by a known connection stays as it is. */
    public Hop from(@Nullable InetSocketAddress address) {
        return address == null || connection != 0
                ? this
                : new Hop(transport, address, remote, connection, null, domain);
    }

    /** The same way to a peer that has to prove that name. */
    public Hop withDomain(@Nullable String name) {
        return new Hop(transport, local, remote, connection, beside, name);
    }

    /**
     * Does this address stand for many, or for none? RFC 4475 3.3.10: what a stranger wrote into a
     * Via, a Route or a URI must not make us send to a whole network.
     */
    public static boolean refused(InetAddress address) {
        if (address.isMulticastAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        byte[] bytes = address.getAddress();
        return bytes.length == 4 && (bytes[0] & bytes[1] & bytes[2] & bytes[3]) == -1;
    }

    /** Host name or address of the peer, without a look into the DNS. */
    public String remoteHost() {
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    @Override
    public String toString() {
        return transport
                + " "
                + remoteHost()
                + ":"
                + remote.getPort()
                + (connection == 0 ? "" : internal() ? " (internal)" : "#" + connection);
    }
}

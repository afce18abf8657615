package io.carillon.sip.edge;

import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.uri.SipUri;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The way that a message crosses the border on: its peer, and what we are called there.
 *
 * <p>Owner: one shard's thread; one object for all messages.
 */
final class Crossing {
    /** With whom nothing is agreed. */
    static final Peer STRANGER = Peer.named("");

    private final Wire wire;
    private final Seal seal;
    private final Mentions mentions;
    private Peer peer = STRANGER;
    private HostPort own = new HostPort("", -1);
    private Transport transport = Transport.UDP;
    private @Nullable InetAddress remote;

    Crossing(Wire wire, Seal seal, InternalHosts hosts) {
        this.wire = wire;
        this.seal = seal;
        this.mentions = new Mentions(hosts);
    }

    /** From now on for messages with that peer on that way. */
    Crossing on(Peer with, Hop hop) {
        peer = with;
        transport = hop.transport();
        own = wire.sentBy(transport, hop.local(), hop.remote());
        remote = hop.remote().getAddress();
        onThisWay();
        return this;
    }

    /** Leaves the peer's own address out of what is looked for. */
    void onThisWay() {
        mentions.about(own.host(), remote, peer.networks());
    }

    /**
     * Counts the peer's own address like every other: for what has to come out the same on all ways
     * to it.
     */
    void onAllWays() {
        mentions.about(own.host(), null, peer.networks());
    }

    Peer peer() {
        return peer;
    }

    Seal seal() {
        return seal;
    }

    Mentions mentions() {
        return mentions;
    }

    /** What Via prints on this way. */
    HostPort own() {
        return own;
    }

    /** What stands in session descriptions for addresses that are hidden. */
    String mediaHost() {
        String configured = peer.mediaHost();
        String host = configured == null ? own.host() : configured;
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Puts host and port down, and the transport where the absence of it means another. */
    void putAddress(ByteWriter out, boolean secure) {
        out.put(own.host());
        if (own.port() > 0) {
            out.put(':').putDecimal(own.port());
        }
        if (transport != Transport.UDP && !(secure && transport == Transport.TLS)) {
            out.put(";transport=").put(transport.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Is it what we print on this way? */
    boolean isOwn(String host, int port) {
        return port == own.port() && host.equalsIgnoreCase(own.host());
    }

    /** Does it lead to this server, by whatever way? */
    boolean isLocal(SipUri uri) {
        return wire.isLocal(uri.host(), uri.port());
    }

    /** Copies text with the own host in place of each one that is internal. */
    void putText(byte[] b, int from, int to, ByteWriter out) {
        int p = from;
        while (mentions.find(b, p, to)) {
            out.put(b, p, mentions.start() - p);
            putHost(out);
            p = mentions.end();
        }
        out.put(b, p, to - p);
    }

    /** Puts the own host down for the one that was found last. */
    void putHost(ByteWriter out) {
        out.put(own.host());
        if (mentions.colon()) {
            out.put(':').putDecimal(own.port() > 0 ? own.port() : transport.defaultPort());
        }
    }

    /** The peer's mark on a Call-ID of its own, see {@link HiddenCallIds}. */
    static String mark(Peer of) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < of.name().length(); i++) {
            hash = (hash ^ of.name().charAt(i)) * 0x100000001B3L;
        }
        return HiddenCallIds.MARK + Long.toString(hash >>> 33, 36) + "-";
    }

    @Nullable String open(String token) {
        return seal.open(token);
    }
}

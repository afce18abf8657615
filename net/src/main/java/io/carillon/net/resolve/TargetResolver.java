package io.carillon.net.resolve;

import io.carillon.net.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hops for a URI: RFC 3263 section 4 as far as it goes without NAPTR and SRV records.
 * Transport: the URI's {@code transport} parameter, else the caller's preference, else UDP for
 * {@code sip}. Address: {@code maddr}, else the host; digits are answered at once, names by {@link
 * HostLookup} with every address as one hop, in the resolver's order. Port: the URI's, else the
 * transport's default.
 *
 * <p>NAPTR and SRV, and with them failover between servers of one domain, come with a later issue.
 *
 * <p>Called on shard threads.
 */
public final class TargetResolver {

    private static final int RECENT = 256;

    private final HostLookup lookup;
    private final boolean secure;

    /**
     * URIs with literal addresses that were asked for lately. A direct-mapped table: it cannot
     * grow, and shards that race lose an entry at most.
     */
    private final @Nullable Found[] recent = new @Nullable Found[RECENT];

    private record Found(String uri, @Nullable Transport preferred, List<Hop> hops) {}

    /** The same by way: calls to many users of one peer share one hop. */
    private final @Nullable List<Hop>[] ways = ways();

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private static @Nullable List<Hop>[] ways() {
        return new @Nullable List[RECENT];
    }

    private List<Hop> shared(List<Hop> hops) {
        if (hops.isEmpty()) {
            return hops;
        }
        int slot = (hops.getFirst().hashCode() * 0x9E3779B9) >>> 24;
        List<Hop> known = ways[slot];
        if (known != null && known.equals(hops)) {
            return known;
        }
        ways[slot] = hops;
        return hops;
    }

    /**
     * @param secure whether TLS and WSS can be sent by
     */
    public TargetResolver(HostLookup lookup, boolean secure) {
        this.lookup = lookup;
        this.secure = secure;
    }

    /**
     * Resolves a URI.
     *
     * @param preferred transport to use where the URI names none
     * @param loop the asking shard's loop, on whose thread this is called
     * @param result gets the hops in the order to try them; empty when there is no way
     */
    public void resolve(
            Uri target, @Nullable Transport preferred, ShardLoop loop, Consumer<List<Hop>> result) {
        String text = target.toString();
        int slot = (text.hashCode() * 0x9E3779B9) >>> 24;
        Found known = recent[slot];
        if (known != null && known.preferred() == preferred && known.uri().equals(text)) {
            result.accept(known.hops());
            return;
        }
        if (!(target instanceof SipUri uri)) {
            loop.tally().count(NetworkCounter.TARGETS_UNSUPPORTED);
            result.accept(List.of());
            return;
        }
        Transport transport = transport(uri, preferred);
        if (transport == null || (transport.secure() && !secure)) {
            loop.tally().count(NetworkCounter.TARGETS_UNSUPPORTED);
            result.accept(List.of());
            return;
        }
        // RFC 3263 4: "If TARGET is the value of the maddr parameter of the URI, if present,
        // otherwise the host value"
        String maddr = uri.maddr();
        String host = maddr != null && !maddr.isEmpty() ? maddr : uri.host();
        // RFC 3263 4.2: "If the TARGET is a numeric IP address, the client uses that address. If
        // the URI also contains a port, it uses
        // that port. If no port is specified, it uses the default port for the particular transport
        // protocol."
        int port = uri.port() >= 0 ? uri.port() : transport.defaultPort();
        InetAddress literal = HostLiteral.parse(host);
        if (literal != null) {
            List<Hop> hops = shared(hop(transport, literal, port, domain(transport, uri), loop));
            if (!hops.isEmpty()) {
                recent[slot] = new Found(text, preferred, hops);
            }
            result.accept(hops);
            return;
        }
        String domain = domain(transport, uri);
        lookup.find(
                host,
                loop,
                addresses -> result.accept(hops(transport, addresses, port, domain, loop)));
    }

    /**
     * RFC 3263 4.1: "if the URI specifies a transport protocol in the transport parameter, that
     * transport protocol SHOULD be used. Otherwise, if no transport protocol is specified, but the
     * TARGET is a numeric IP address, the client SHOULD use UDP for a SIP URI, and TCP for a SIPS
     * URI" (which is TLS over TCP). A name without records gives the same (4.1, last sentence).
     */
    public static @Nullable Transport transport(SipUri uri, @Nullable Transport preferred) {
        String named = uri.transport();
        if (uri.secure()) {
            // RFC 7118 5.5: "a SIP URI using the "sips" scheme and the "ws" transport parameter".
            return named != null && (named.equalsIgnoreCase("ws") || named.equalsIgnoreCase("wss"))
                    ? Transport.WSS
                    : Transport.TLS;
        }
        if (named != null) {
            return Transport.of(named);
        }
        return preferred != null ? preferred : Transport.UDP;
    }

    // RFC 5922 4: "the SIP domain identity" that a server proves is the one "that the client used
    // to [..] locate the SIP server", whatever the address is that the look-up gave.
    /** The name that the peer's certificate must carry; null for an address in digits. */
    private static @Nullable String domain(Transport transport, SipUri uri) {
        return (transport.secure() || transport.webSocket())
                        && HostLiteral.parse(uri.host()) == null
                ? uri.host().toLowerCase(Locale.ROOT)
                : null;
    }

    private static List<Hop> hops(
            Transport transport,
            InetAddress[] addresses,
            int port,
            @Nullable String domain,
            ShardLoop loop) {
        List<Hop> hops = new ArrayList<>(addresses.length);
        for (InetAddress address : addresses) {
            hops.addAll(hop(transport, address, port, domain, loop));
        }
        if (hops.isEmpty()) {
            loop.tally().count(NetworkCounter.TARGETS_UNRESOLVED);
        }
        return hops;
    }

    private static List<Hop> hop(
            Transport transport,
            InetAddress address,
            int port,
            @Nullable String domain,
            ShardLoop loop) {
        if (refused(address, port)) {
            loop.tally().count(NetworkCounter.TARGETS_REFUSED);
            return List.of();
        }
        return List.of(Hop.to(transport, new InetSocketAddress(address, port)).withDomain(domain));
    }

    /** Where a URI out of a stranger's message must not make us send to. */
    public static boolean refused(InetAddress address, int port) {
        return port <= 0 || port > 65535 || Hop.refused(address);
    }
}

package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hops for a URI: RFC 3263 section 4. Digits are answered at once, our own names lead to
 * a listening point of ours, other names go through the DNS ({@link Resolution}).
 *
 * <p>Called on shard threads, which never wait.
 */
public final class TargetResolver {

    private static final int RECENT = 256;

    private final DnsQuestions questions;
    private final DnsConfig.Limits limits;
    private final RandomGenerator random;

    /**
     * URIs with literal addresses that were asked for lately. A direct-mapped table: it cannot
     * grow, and shards that race lose an entry at most.
     */
    private final @Nullable Found[] recent = new @Nullable Found[RECENT];

    private record Found(String uri, @Nullable Transport preferred, List<Hop> hops) {}

    /** The same by way: calls to many users of one peer share one hop. */
    private final @Nullable List<Hop>[] shared = ways();

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private static @Nullable List<Hop>[] ways() {
        return new @Nullable List[RECENT];
    }

    private List<Hop> shared(List<Hop> hops) {
        if (hops.isEmpty()) {
            return hops;
        }
        int slot = (hops.getFirst().hashCode() * 0x9E3779B9) >>> 24;
        List<Hop> known = shared[slot];
        if (known != null && known.equals(hops)) {
            return known;
        }
        shared[slot] = hops;
        return hops;
    }

    /**
     * @param random chooses between SRV records by their weights; used by all shards
     */
    public TargetResolver(DnsQuestions questions, DnsConfig.Limits limits, RandomGenerator random) {
        this.questions = questions;
        this.limits = limits;
        this.random = random;
    }

    /**
     * Resolves a URI.
     *
     * @param preferred transport to use where the URI names none
     * @param budget pays for the questions to the DNS
     * @param loop the asking shard's loop, on whose thread this is called
     * @param result gets the hops in the order to try them; empty when there is no way, {@link
     *     Wire#REFUSED} when nothing may be sent there
     */
    public void resolve(
            Uri target,
            @Nullable Transport preferred,
            LookupBudget budget,
            ShardLoop loop,
            OutboundPaths ways,
            Consumer<List<Hop>> result) {
        String text = target.toString();
        int slot = (text.hashCode() * 0x9E3779B9) >>> 24;
        Found known = recent[slot];
        if (known != null && known.preferred() == preferred && known.uri().equals(text)) {
            result.accept(known.hops());
            return;
        }
        Transport transport = target instanceof SipUri uri ? transport(uri, preferred) : null;
        if (!(target instanceof SipUri uri) || transport == null || !ways.sends().test(transport)) {
            loop.tally().count(NetworkCounter.TARGETS_UNSUPPORTED);
            result.accept(List.of());
            return;
        }
        // RFC 3263 4: "If TARGET is the value of the maddr parameter of the URI, if present,
        // otherwise the host value"
        String maddr = uri.maddr();
        String host = maddr != null && !maddr.isEmpty() ? maddr : uri.host();
        InetAddress literal = HostLiteral.parse(host);
        Listener own = own(ways, uri, host, literal, preferred);
        if (own != null) {
            InetSocketAddress inward = ways.addresses().reach(own);
            result.accept(hops(own.transport(), inward, null, ways, loop));
        } else if (literal != null) {
            // 4.2: "If the TARGET is a numeric IP address, the client uses that address. If the URI
            // also contains a port, it uses that port. If no port is specified, it uses the default
            // port for the particular transport protocol."
            int port = uri.port() >= 0 ? uri.port() : transport.defaultPort();
            InetSocketAddress remote = new InetSocketAddress(literal, port);
            List<Hop> hops = shared(hops(transport, remote, domain(uri), ways, loop));
            if (!hops.isEmpty()) {
                recent[slot] = new Found(text, preferred, hops);
            }
            result.accept(hops);
        } else if (HostLiteral.isNoName(host)) {
            // 127.1 and the like, and not our own: no name, so the DNS is not asked.
            loop.tally().count(NetworkCounter.TARGETS_UNRESOLVED);
            result.accept(List.of());
        } else {
            String domain = domain(uri);
            Resolution.Wanted wanted =
                    new Resolution.Wanted(
                            host,
                            uri.port(),
                            uri.transport() == null ? null : transport,
                            uri.secure(),
                            transport,
                            domain == null ? host : domain);
            new Resolution(
                            wanted,
                            ways,
                            limits,
                            (name, type, answer) -> questions.ask(name, type, budget, loop, answer),
                            loop,
                            random,
                            result)
                    .start();
        }
    }

    /**
     * The listening point that the target means, where it names this server by another word than
     * the address it listens on: the message stays inside, under the limits of loops and breadth.
     */
    private static @Nullable Listener own(
            OutboundPaths ways,
            SipUri uri,
            String host,
            @Nullable InetAddress literal,
            @Nullable Transport preferred) {
        LocalAddresses addresses = ways.addresses();
        if (!addresses.isLocal(host, uri.port())
                || (literal != null && addresses.isInterface(literal))) {
            return null;
        }
        if (uri.transport() != null || uri.secure()) {
            return addresses.inward(transport(uri, preferred), host, uri.port());
        }
        Listener wished = preferred == null ? null : addresses.inward(preferred, host, uri.port());
        return wished != null ? wished : addresses.inward(null, host, uri.port());
    }

    /** The name that the peer's certificate must carry; null for an address in digits. */
    private static @Nullable String domain(SipUri uri) {
        return HostLiteral.parse(uri.host()) == null ? uri.host().toLowerCase(Locale.ROOT) : null;
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
            boolean web =
                    named != null
                            && (named.equalsIgnoreCase("ws") || named.equalsIgnoreCase("wss"));
            return web ? Transport.WSS : Transport.TLS;
        }
        if (named != null) {
            return Transport.of(named);
        }
        return preferred != null ? preferred : Transport.UDP;
    }

    private static List<Hop> hops(
            Transport transport,
            InetSocketAddress remote,
            @Nullable String domain,
            OutboundPaths ways,
            ShardLoop loop) {
        EgressReason refusal = ways.filter().refusal(remote, false);
        if (refusal != null) {
            EgressFilter.refused(refusal, remote, loop.tally());
            return Wire.REFUSED;
        }
        return List.of(ways.hop(transport, remote, domain));
    }
}

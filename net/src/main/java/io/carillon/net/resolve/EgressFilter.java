package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.hop.Origin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where messages may not go, whoever wrote the address into a URI, a Route, a Via or the DNS: to a
 * whole network, to nobody, or behind our own back. Immutable, any thread.
 */
public final class EgressFilter {
    private static final Logger LOG = LoggerFactory.getLogger(EgressFilter.class);
    private static final LimitedLog REFUSALS = new LimitedLog(TimeUnit.SECONDS.toNanos(10));

    /** Addresses of clouds' metadata: no peer's, also where link-local ones may be reached. */
    private static final AddressRanges METADATA =
            AddressRanges.of(List.of("169.254.169.254", "fd00:ec2::254", "100.100.100.200"));

    /** Ranges of IPv6 that carry an IPv4 address, and where in it: RFC 4291, 6052, 3056. */
    private static final AddressRanges WITH_IPV4_LAST =
            AddressRanges.of(List.of("::/96", "64:ff9b::/96"));

    private static final AddressRanges WITH_IPV4_SECOND = AddressRanges.of(List.of("2002::/16"));

    private final EgressConfig config;
    private final Set<InetSocketAddress> own = new HashSet<>();

    /** Of those the ones that are bound to a loopback address. */
    private final Set<InetSocketAddress> ownOnLoopback = new HashSet<>();

    private final Set<InetAddress> thisMachine;
    private final Set<InetAddress> broadcasts;
    private final boolean onLoopback;
    private final boolean onLinkLocal;

    /** Do some listen where others than this machine and its link can send to? */
    private final boolean outside;

    /**
     * @param addresses what is bound
     */
    public EgressFilter(EgressConfig config, LocalAddresses addresses) {
        this.config = config;
        this.broadcasts = addresses.broadcasts();
        this.thisMachine = addresses.ofThisMachine();
        boolean loopback = false;
        boolean linkLocal = false;
        boolean wide = false;
        for (Listener listener : addresses.listeners()) {
            InetAddress bound = listener.bound().getAddress();
            loopback |= bound.isLoopbackAddress();
            linkLocal |= bound.isLinkLocalAddress();
            wide |= !bound.isLoopbackAddress() && !bound.isLinkLocalAddress();
            int port = listener.bound().getPort();
            for (InetAddress address : addresses.addressesOf(listener)) {
                own.add(new InetSocketAddress(address, port));
            }
            if (bound.isLoopbackAddress()) {
                ownOnLoopback.add(listener.bound());
            }
        }
        onLoopback = loopback;
        onLinkLocal = linkLocal;
        outside = wide;
    }

    /**
     * May a message go there?
     *
     * @param response a response goes back to where its request came from: to loopback too, since
     *     only this machine sends from there
     * @return null when it may
     */
    public @Nullable EgressReason refusal(InetSocketAddress remote, boolean response) {
        InetAddress address = remote.getAddress();
        if (remote.getPort() == 0) {
            return EgressReason.PORT;
        }
        EgressReason always = always(address);
        if (always != null) {
            return always;
        }
        if (config.deny().contains(address)) {
            return EgressReason.DENIED;
        }
        if (config.allow().contains(address)) {
            return null;
        }
        if (METADATA.contains(address)) {
            return EgressReason.METADATA;
        }
        InetAddress inner = inner(address);
        if (inner != null && (always(inner) != null || sensitive(inner, false) != null)) {
            return EgressReason.DENIED;
        }
        EgressReason reason = sensitive(address, response);
        // To ourselves it goes inward, under the limits of loops and breadth.
        return reason != null && own.contains(remote) ? null : reason;
    }

    /**
     * May a request of that origin be passed on there, where the server itself may send? Loopback
     * is open to one that came by a loopback listening point, link-local addresses to one that came
     * by either kind. Nothing of this is asked where all listening points are of one kind. Services
     * of this machine that are no listening points of ours are not for what came from elsewhere,
     * under whatever address of the machine.
     *
     * @return null when it may
     */
    public @Nullable EgressReason refusal(Origin origin, InetSocketAddress remote) {
        Origin from = origin.where();
        if (from == Origin.OWN || from == Origin.LOOPBACK) {
            return null;
        }
        InetAddress address = remote.getAddress();
        if (address == null || config.allow().contains(address)) {
            return null;
        }
        boolean mixed = onLoopback ? outside || onLinkLocal : outside && onLinkLocal;
        if (own.contains(remote)) {
            return mixed && ownOnLoopback.contains(remote) ? EgressReason.LOOPBACK_BY_ORIGIN : null;
        }
        InetAddress wrapped = inner(address);
        InetAddress meant = wrapped == null ? address : wrapped;
        if (outside && !meant.isLoopbackAddress() && thisMachine.contains(meant)) {
            return EgressReason.THIS_MACHINE;
        }
        if (!mixed) {
            return null;
        }
        if (meant.isLoopbackAddress()) {
            return EgressReason.LOOPBACK_BY_ORIGIN;
        }
        return meant.isLinkLocalAddress() && from != Origin.LINK_LOCAL
                ? EgressReason.LINK_LOCAL_BY_ORIGIN
                : null;
    }

    /** What no configuration opens: RFC 4475 3.3.10, and what stands for nobody. */
    private @Nullable EgressReason always(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean four = bytes.length == 4;
        if (address.isAnyLocalAddress() || (four && bytes[0] == 0)) {
            return EgressReason.UNSPECIFIED;
        }
        if (address.isMulticastAddress()) {
            return EgressReason.MULTICAST;
        }
        if ((four && (bytes[0] & 0xF0) == 0xF0) || broadcasts.contains(address)) {
            return EgressReason.BROADCAST;
        }
        return null;
    }

    private @Nullable EgressReason sensitive(InetAddress address, boolean response) {
        if (address.isLoopbackAddress()) {
            return onLoopback || response ? null : EgressReason.LOOPBACK;
        }
        if (address.isLinkLocalAddress()) {
            return onLinkLocal ? null : EgressReason.LINK_LOCAL;
        }
        return null;
    }

    /** The IPv4 address that an IPv6 address only wraps; null when it does not. */
    private static @Nullable InetAddress inner(InetAddress address) {
        byte[] bytes = address.getAddress();
        // ::1 looks as if it held 0.0.0.1.
        if (bytes.length == 4 || address.isLoopbackAddress()) {
            return null;
        }
        boolean last = WITH_IPV4_LAST.contains(address);
        if (!last && !WITH_IPV4_SECOND.contains(address)) {
            return null;
        }
        int from = last ? 12 : 2;
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** Counts a refusal, and says so in a line that is limited. */
    public static void refused(EgressReason reason, InetSocketAddress remote, LoopCounts tally) {
        tally.count(NetworkCounter.TARGETS_REFUSED);
        tally.count(reason.counter());
        long others = REFUSALS.admit(System.nanoTime());
        if (others >= 0) {
            LOG.warn(
                    "Nothing is sent to {}: {}:{} ({} more since the last of these lines)",
                    reason.text(),
                    HostLiteral.print(remote.getAddress()),
                    remote.getPort(),
                    others);
        }
    }

    /** The hops of these that may be used; counts the others. */
    List<InetSocketAddress> allowed(List<InetSocketAddress> remotes, LoopCounts tally) {
        List<InetSocketAddress> allowed = new ArrayList<>(remotes.size());
        for (InetSocketAddress remote : remotes) {
            EgressReason reason = refusal(remote, false);
            if (reason == null) {
                allowed.add(remote);
            } else {
                refused(reason, remote, tally);
            }
        }
        return allowed;
    }
}

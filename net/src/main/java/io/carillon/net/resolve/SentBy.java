package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.Listener;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What we print as our own address in Via, Contact and Record-Route: always a concrete one. For a
 * listener on the wildcard address the system's routes tell which of our addresses the remote will
 * see; the answer is remembered for a minute. Owner: one loop.
 */
public final class SentBy {

    static final int MAX_REMEMBERED = 4096;
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LocalAddresses addresses;
    private final ShardLoop loop;
    private final @Nullable HostPort[] fixed;
    private final Map<InetAddress, @Nullable HostPort[]> routed = new HashMap<>();
    private long routedUntilNanos;

    public SentBy(LocalAddresses addresses, ShardLoop loop) {
        this.addresses = addresses;
        this.loop = loop;
        routedUntilNanos = loop.nowNanos();
        fixed = new @Nullable HostPort[addresses.listeners().size()];
        for (Listener listener : addresses.listeners()) {
            String external = listener.point().externalHost();
            int port = listener.bound().getPort();
            if (external != null) {
                int printed = listener.point().externalPort();
                fixed[listener.index()] =
                        new HostPort(bracketed(external), printed == 0 ? port : printed);
            } else if (!listener.wildcard()) {
                fixed[listener.index()] =
                        new HostPort(HostLiteral.print(listener.bound().getAddress()), port);
            }
        }
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && host.charAt(0) != '[' ? "[" + host + "]" : host;
    }

    /**
     * What to print for a message that leaves from {@code local} (null: not said) to {@code
     * remote}.
     */
    public HostPort of(
            Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        InetAddress peer = remote.getAddress();
        Listener listener = addresses.pick(transport, local, peer);
        if (listener == null) {
            listener = addresses.any(peer);
        }
        HostPort known = fixed[listener.index()];
        if (known != null) {
            return known;
        }
        if (local != null && !local.getAddress().isAnyLocalAddress()) {
            return routed(listener, local.getAddress(), true);
        }
        return routed(listener, peer, false);
    }

    /** Addresses of peers and of ours that are remembered. */
    int remembered() {
        return routed.size();
    }

    private HostPort routed(Listener listener, InetAddress key, boolean own) {
        long now = loop.nowNanos();
        if (routed.size() >= MAX_REMEMBERED || now - routedUntilNanos >= 0) {
            routed.clear();
            routedUntilNanos = now + REMEMBERED_NANOS;
        }
        @Nullable HostPort[] row = routed.get(key);
        if (row == null) {
            row = new @Nullable HostPort[fixed.length];
            routed.put(key, row);
        }
        HostPort printed = row[listener.index()];
        if (printed == null) {
            InetAddress address = own ? key : routeTo(key);
            printed = new HostPort(HostLiteral.print(address), listener.bound().getPort());
            row[listener.index()] = printed;
        }
        return printed;
    }

    /**
     * The address of ours that the system sends from; connecting a datagram socket sends nothing.
     */
    private InetAddress routeTo(InetAddress remote) {
        StandardProtocolFamily family =
                remote instanceof Inet6Address
                        ? StandardProtocolFamily.INET6
                        : StandardProtocolFamily.INET;
        try (DatagramChannel socket = DatagramChannel.open(family)) {
            socket.connect(new InetSocketAddress(remote, 5060));
            return ((InetSocketAddress) socket.getLocalAddress()).getAddress();
        } catch (IOException unreachable) {
            // No route: the send will fail with its own report, what is printed no longer matters.
            loop.tally().count(NetworkCounter.NO_ROUTE);
            return InetAddress.getLoopbackAddress();
        }
    }
}

package io.carillon.cluster.link;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routers that a node knows: which of them has an address, has a connection, sends a message.
 */
public final class LinkRouters {
    private final LinkEndpoint endpoint;

    LinkRouters(LinkEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Did it come by a router that lives, so that another node could answer there? */
    public boolean isWayOf(Hop from, long nowNanos) {
        InetSocketAddress local = from.local();
        return local != null
                && (FlowNumber.isOne(from.connection())
                        ? alive(from.connection(), nowNanos)
                        : from.connection() == 0 && isListener(from.transport(), local));
    }

    /** May the router that has the connection still be there? */
    public boolean alive(long flow, long nowNanos) {
        LinkPeer router = endpoint.peer(FlowNumber.router(flow));
        return router != null && router.keepsConnections(nowNanos);
    }

    /** Is that the address of a router's listener, as others write to it? */
    public boolean isRouter(Transport transport, InetSocketAddress remote) {
        for (LinkPeer router : endpoint.routers()) {
            for (LinkListener each : router.listeners()) {
                if (each.is(transport, remote)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Does a router's listener send from that local address? */
    public boolean isListener(Transport transport, InetSocketAddress local) {
        for (LinkPeer router : endpoint.routers()) {
            if (owns(router, transport, local)) {
                return true;
            }
        }
        return false;
    }

    /** Is it the host of a router's listener? */
    public boolean isHost(InetAddress host) {
        for (LinkPeer router : endpoint.routers()) {
            for (LinkListener each : router.listeners()) {
                if (host.equals(each.address().getAddress())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean owns(LinkPeer router, Transport transport, InetSocketAddress local) {
        for (LinkListener each : router.listeners()) {
            if (each.covers(transport, local)) {
                return true;
            }
        }
        return false;
    }

    /** The one that has the address; else one that lives, the same for all of a partition. */
    @Nullable LinkPeer chosen(Hop to, int partition, long nowNanos) {
        if (FlowNumber.isOne(to.connection())) {
            LinkPeer holder = endpoint.peer(FlowNumber.router(to.connection()));
            return holder != null && holder.keepsConnections(nowNanos) ? holder : null;
        }
        InetSocketAddress local = to.local();
        List<LinkPeer> routers = endpoint.routers();
        int able = 0;
        for (LinkPeer each : routers) {
            if (able(each, to, nowNanos)) {
                if (local != null && owns(each, to.transport(), local)) {
                    return each;
                }
                able++;
            }
        }
        if (able == 0) {
            return null;
        }
        int left = partition % able;
        for (LinkPeer each : routers) {
            if (able(each, to, nowNanos) && left-- == 0) {
                return each;
            }
        }
        return null;
    }

    private static boolean able(LinkPeer router, Hop to, long nowNanos) {
        return router.alive(nowNanos) && listener(router, to) >= 0;
    }

    /** Which of the router's listeners it goes out by; -1 for none. */
    static int listener(LinkPeer router, Hop to) {
        boolean six = to.remote().getAddress() instanceof Inet6Address;
        InetSocketAddress local = to.local();
        int found = -1;
        List<LinkListener> listeners = router.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            LinkListener each = listeners.get(i);
            if (each.transport() != to.transport()) {
                continue;
            }
            if (local != null && each.covers(to.transport(), local)) {
                return i;
            }
            if (found < 0
                    && (to.transport().reliable()
                            || six == each.address().getAddress() instanceof Inet6Address)) {
                found = i;
            }
        }
        return found;
    }
}

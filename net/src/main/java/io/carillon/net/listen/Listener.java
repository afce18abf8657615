package io.carillon.net.listen;

import io.carillon.sip.hop.Transport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A listening point that is bound.
 *
 * @param index its place among all of them
 * @param point as configured, with the port that was chosen
 * @param bound the address; a wildcard stays one
 */
public record Listener(int index, ListeningPoint point, InetSocketAddress bound) {

    public Transport transport() {
        return point.transport();
    }

    /** True when it is bound to all addresses of its family. */
    public boolean wildcard() {
        return bound.getAddress().isAnyLocalAddress();
    }

    /** True when a message for that address can leave by it. */
    public boolean reaches(InetAddress remote) {
        boolean six = bound.getAddress() instanceof Inet6Address;
        return six == remote instanceof Inet6Address
                || (six && wildcard() && !(remote instanceof Inet6Address));
    }

    /** True when the address is one of this listener's. */
    public boolean covers(InetAddress local) {
        return wildcard() ? reaches(local) : bound.getAddress().equals(local);
    }
}

package io.carillon.net.listen;

import io.carillon.net.address.HostLiteral;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What applications see as their outbound interfaces. Stateless. */
public final class ReachableUris {
    private ReachableUris() {}

    /**
     * A SIP URI for each address that reaches us: a point on all addresses stands for every address
     * of the machine, one on {@code ::} for those of IPv4 too (the socket takes both).
     */
    public static List<String> of(List<ListeningPoint> bound) {
        Set<String> uris = new LinkedHashSet<>();
        for (ListeningPoint point : bound) {
            InetAddress address = new InetSocketAddress(point.host(), point.port()).getAddress();
            if (address == null || !address.isAnyLocalAddress()) {
                uris.add(uri(point, point.host()));
            } else {
                for (InetAddress own : ownAddresses(address)) {
                    uris.add(uri(point, HostLiteral.print(own)));
                }
            }
            String external = point.externalHost();
            if (external != null) {
                int printed = point.externalPort();
                uris.add(uri(printed == 0 ? point : point.withPort(printed), external));
            }
        }
        return List.copyOf(uris);
    }

    private static List<InetAddress> ownAddresses(InetAddress any) {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address ->
                            (any instanceof Inet6Address || address instanceof Inet4Address)
                                    && !address.isLinkLocalAddress())
                    .toList();
        } catch (SocketException e) {
            throw new IllegalArgumentException(
                    "the addresses of this machine cannot be read: " + e.getMessage(), e);
        }
    }

    private static String uri(ListeningPoint point, String host) {
        String printed = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
        return "sip:"
                + printed
                + ":"
                + point.port()
                + ";transport="
                + point.transport().parameter();
    }
}

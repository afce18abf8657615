package io.carillon.net.resolve;

import io.carillon.net.address.HostLiteral;
import io.carillon.net.listen.Listener;
import io.carillon.sip.hop.Transport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses are ours: which listener a message leaves by, and whether a URI means this
 * server. Made once all listeners are bound; immutable, any thread. Interfaces that come up later
 * are not ours to a listener on the wildcard address: give such addresses as external hosts or
 * domains.
 */
public final class LocalAddresses {

    private static final int DEFAULT_PORT = 5060;
    private static final InetAddress ANY_FOUR = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress ANY_SIX = InetAddress.ofLiteral("2001:db8::1");

    private final List<Listener> listeners;

    /** Host as a URI prints it, lower case, to the ports it is ours with. */
    private final Map<String, Set<Integer>> ours = new HashMap<>();

    /** Names that mean this server without a port too, whatever the port is that they lead to. */
    private final Set<String> names = new HashSet<>();

    private final boolean allLoopback;
    private final Set<Transport> transports = EnumSet.noneOf(Transport.class);
    private final Set<InetAddress> broadcasts = new HashSet<>();
    private final Set<InetAddress> onInterface = new HashSet<>();
    private final boolean wideSix;

    /**
     * @param listeners all of them
     * @param domains further names of ours
     */
    public LocalAddresses(List<Listener> listeners, Collection<String> domains) {
        this.listeners = List.copyOf(listeners);
        boolean loopback = false;
        for (Listener listener : listeners) {
            int port = listener.bound().getPort();
            transports.add(listener.transport());
            if (listener.wildcard()) {
                loopback = true;
                for (InetAddress address : interfaceAddresses()) {
                    if (listener.covers(address)) {
                        add(HostLiteral.print(address), port);
                    }
                }
                add("localhost", port);
            } else {
                add(HostLiteral.print(listener.bound().getAddress()), port);
                if (listener.bound().getAddress().isLoopbackAddress()) {
                    add("localhost", port);
                }
            }
            String external = listener.point().externalHost();
            if (external != null) {
                int printed = listener.point().externalPort();
                add(normal(external), printed == 0 ? port : printed);
                if (HostLiteral.parse(external) == null) {
                    names.add(normal(external));
                }
            }
            for (String domain : domains) {
                add(normal(domain), port);
                add(normal(domain), DEFAULT_PORT);
                names.add(normal(domain));
            }
        }
        allLoopback = loopback;
        boolean six = false;
        for (NetworkInterface device : devices()) {
            for (InterfaceAddress each : device.getInterfaceAddresses()) {
                InetAddress address = each.getAddress();
                six |=
                        address instanceof Inet6Address
                                && !address.isLoopbackAddress()
                                && !address.isLinkLocalAddress();
                onInterface.add(address);
                addBroadcasts(each);
            }
        }
        wideSix = six;
    }

    /** The directed broadcast of an interface's network; its first address is one to some. */
    private void addBroadcasts(InterfaceAddress each) {
        InetAddress broadcast = each.getBroadcast();
        int bits = each.getNetworkPrefixLength();
        if (broadcast == null || bits < 1 || bits > 30) {
            return;
        }
        broadcasts.add(broadcast);
        byte[] network = each.getAddress().getAddress();
        for (int bit = bits; bit < 32; bit++) {
            network[bit / 8] &= (byte) ~(0x80 >> bit % 8);
        }
        try {
            broadcasts.add(InetAddress.getByAddress(network));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static List<NetworkInterface> devices() {
        try {
            return NetworkInterface.networkInterfaces().toList();
        } catch (SocketException e) {
            throw new IllegalStateException("the system does not tell its interfaces", e);
        }
    }

    /** Broadcast addresses of the networks that this machine is in. */
    Set<InetAddress> broadcasts() {
        return Collections.unmodifiableSet(broadcasts);
    }

    /** Addresses of this machine, loopback included, as they were when the listeners were bound. */
    Set<InetAddress> ofThisMachine() {
        return Collections.unmodifiableSet(onInterface);
    }

    /** Is it an address of this machine, that a listener is bound to? */
    boolean isInterface(InetAddress address) {
        for (Listener listener : listeners) {
            if (listener.bound().getAddress().equals(address)
                    || (listener.wildcard()
                            && (address.isLoopbackAddress() || onInterface.contains(address)))) {
                return true;
            }
        }
        return false;
    }

    /** Every address that reaches a listener. */
    List<InetAddress> addressesOf(Listener listener) {
        return listener.wildcard()
                ? interfaceAddresses().stream().filter(listener::covers).toList()
                : List.of(listener.bound().getAddress());
    }

    /** Can a message for an address of that family leave by this transport? */
    boolean reaches(Transport transport, boolean six) {
        InetAddress any = six ? ANY_SIX : ANY_FOUR;
        for (Listener listener : listeners) {
            // A connection of ours is bound to no listening point.
            if ((transport.reliable() || listener.transport() == transport)
                    && listener.reaches(any)) {
                return true;
            }
        }
        return false;
    }

    /**
     * RFC 6724 prefers IPv6, where this machine has an address of it that others can answer to
     * (rule 1: "Avoid unusable destinations").
     */
    boolean prefersSix() {
        return wideSix;
    }

    /**
     * Where a message for a name of ours goes: to a listening point, not out and back.
     *
     * @param transport null when the URI leaves it open
     * @param port -1 when the URI has none
     * @return null when no point of that transport is there
     */
    @Nullable Listener inward(@Nullable Transport transport, String host, int port) {
        Listener found = null;
        boolean exact = false;
        for (Listener listener : listeners) {
            if (transport != null && listener.transport() != transport) {
                continue;
            }
            int printed =
                    listener.point().externalPort() == 0
                            ? listener.bound().getPort()
                            : listener.point().externalPort();
            boolean samePort = port == printed || port == listener.bound().getPort();
            String external = listener.point().externalHost();
            if (external != null && normal(external).equals(normal(host)) && samePort) {
                return listener;
            }
            if (found == null || (samePort && !exact)) {
                found = listener;
                exact = samePort;
            }
        }
        return found;
    }

    /** An address that leads to a listening point from here. */
    InetSocketAddress reach(Listener listener) {
        InetAddress best = listener.bound().getAddress();
        if (listener.wildcard()) {
            for (InetAddress each : addressesOf(listener)) {
                if (best.isAnyLocalAddress() || best.isLoopbackAddress()) {
                    best = each.isLinkLocalAddress() ? best : each;
                }
            }
        }
        return new InetSocketAddress(best, listener.bound().getPort());
    }

    private void add(String host, int port) {
        ours.computeIfAbsent(host, h -> new HashSet<>()).add(port);
    }

    private static List<InetAddress> interfaceAddresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException e) {
            throw new IllegalStateException("the system does not tell its interfaces", e);
        }
    }

    /**
     * True when a URI with that host and port means this server.
     *
     * @param host as the URI prints it
     * @param port -1 when the URI has none
     */
    public boolean isLocal(String host, int port) {
        Set<Integer> ports = ours.get(host);
        String text = ports == null ? own(host) : host;
        if (text == null) {
            return false;
        }
        Set<Integer> known = ports == null ? ours.get(text) : ports;
        return (port < 0 && names.contains(text))
                || (known != null && known.contains(portOr(port)));
    }

    /** True when a URI with that host means this server at one of its ports. */
    public boolean isOwnHost(String host) {
        return ours.containsKey(host) || own(host) != null;
    }

    /** The host as it stands among ours; null when it is none. */
    private @Nullable String own(String host) {
        String text = normal(host);
        if (ours.containsKey(text)) {
            return text;
        }
        InetAddress odd = HostLiteral.numbers(text);
        if (odd != null) {
            text = HostLiteral.print(odd);
            if (ours.containsKey(text)) {
                return text;
            }
        }
        boolean loopback =
                allLoopback && text.startsWith("127.") && HostLiteral.parse(text) != null;
        return loopback && ours.containsKey("127.0.0.1") ? "127.0.0.1" : null;
    }

    private static int portOr(int port) {
        return port < 0 ? DEFAULT_PORT : port;
    }

    private static String normal(String host) {
        if (host.indexOf(':') >= 0) {
            InetAddress address = HostLiteral.parse(host);
            return address == null ? host : HostLiteral.print(address);
        }
        String text = host.toLowerCase(Locale.ROOT);
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    /** All listeners. */
    public List<Listener> listeners() {
        return listeners;
    }

    /**
     * The listener that a message leaves by: the one it says, else the first that reaches the
     * remote, loopback by loopback where there is such a one.
     *
     * @param local null when it says none; of a connection: its own address
     * @return null when none of that transport can
     */
    public @Nullable Listener pick(
            Transport transport, @Nullable InetSocketAddress local, InetAddress remote) {
        Listener found = null;
        int best = -1;
        for (Listener listener : listeners) {
            if (listener.transport() != transport) {
                continue;
            }
            int points = score(listener, local, remote);
            if (points > best) {
                best = points;
                found = listener;
            }
        }
        return found;
    }

    private static int score(
            Listener listener, @Nullable InetSocketAddress local, InetAddress remote) {
        if (!listener.reaches(remote)) {
            return -1;
        }
        if (local != null) {
            if (local.equals(listener.bound())) {
                return 5;
            }
            if (listener.covers(local.getAddress())) {
                return local.getPort() == listener.bound().getPort() ? 4 : 3;
            }
        }
        if (listener.wildcard()) {
            return 1;
        }
        return listener.bound().getAddress().isLoopbackAddress() == remote.isLoopbackAddress()
                ? 2
                : 0;
    }

    /** Is there a listener of that transport? */
    public boolean listensOn(Transport transport) {
        return transports.contains(transport);
    }

    /** Of any transport: what to print for one that we send by but do not listen on. */
    public Listener any(InetAddress remote) {
        for (Listener listener : listeners) {
            if (listener.reaches(remote)) {
                return listener;
            }
        }
        return listeners.getFirst();
    }

    /** The addresses we know to be ours, for people. */
    public Set<String> hosts() {
        return Collections.unmodifiableSet(ours.keySet());
    }
}

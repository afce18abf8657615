package io.carillon.net.resolve;

import io.carillon.sip.stack.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
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

    private final List<Listener> listeners;

    /** Host as a URI prints it, lower case, to the ports it is ours with. */
    private final Map<String, Set<Integer>> ours = new HashMap<>();

    /** Names that mean this server without a port too, whatever the port is that they lead to. */
    private final Set<String> names = new HashSet<>();

    private final boolean allLoopback;
    private final Set<Transport> transports = EnumSet.noneOf(Transport.class);

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
        if (ports == null) {
            String text = normal(host);
            ports = ours.get(text);
            if (ports == null && allLoopback && text.startsWith("127.")) {
                ports = HostLiteral.parse(text) == null ? null : ours.get("127.0.0.1");
            }
            if (ports == null) {
                return false;
            }
            return (port < 0 && names.contains(text)) || ports.contains(portOr(port));
        }
        return (port < 0 && names.contains(host)) || ports.contains(portOr(port));
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

package io.carillon.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.HidingSettings;
import io.carillon.server.config.KeyLines;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.PeerSettings;
import io.carillon.sip.address.AddressRange;
import io.carillon.sip.address.PeerTermsTable;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.feedback.Neighbours;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.message.HeaderForm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers of the configuration, as the edges of the shards want them. Made at the start; a thread
 * of its own looks names of peers up again, where there are any.
 */
final class Peering implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Peering.class);
    private static final int LEAST_KEY = 32;
    private static final int RANDOM_KEY = 32;

    private volatile Configuration configuration;
    private final List<byte[]> secrets;
    private final EdgeConfig edge;
    private boolean looksUp;
    private volatile PeerTerms.Table terms = PeerTerms.Table.NOBODY;

    /** What a name led to when it was last found. */
    private final Map<String, List<AddressRange>> found = new HashMap<>();

    private final CountDownLatch closed = new CountDownLatch(1);

    private Peering(Configuration configuration) {
        this.configuration = configuration;
        this.secrets = secrets(configuration.topologyHiding());
        this.edge =
                new EdgeConfig(
                        lookedUp(),
                        secrets,
                        internal(configuration),
                        Compliance.DEFAULT,
                        new Neighbours(epochMillis()));
    }

    /**
     * Reads keys and looks names up.
     *
     * @return null where no peer is configured
     * @throws IllegalArgumentException when the settings do not fit together; the message says why
     */
    static @Nullable Peering of(Configuration configuration) {
        if (configuration.peers().isEmpty()) {
            return null;
        }
        Peering peering = new Peering(configuration);
        boolean hides =
                configuration.peers().values().stream().anyMatch(PeerSettings::hideTopology);
        if (hides && configuration.topologyHiding().keyFile() == null) {
            LOG.info(
                    "No topology-hiding.key-file: calls with peers that see no topology end with this"
                            + " run");
        }
        peering.lookUpNames();
        return peering;
    }

    /** Peers with names have them looked up again and again, by one thread. */
    private synchronized void lookUpNames() {
        if (!looksUp && named()) {
            looksUp = true;
            Thread.ofPlatform().daemon().name("peer-names").start(this::lookUpAgain);
        }
    }

    /**
     * Looks at other peers.
     *
     * @return makes them the ones that count, and is run once or not at all
     * @throws IllegalArgumentException when they do not fit together; nothing has changed then
     */
    Runnable prepare(Configuration next) {
        Peering other = new Peering(next);
        return () -> {
            configuration = next;
            edge.peers(other.edge.peers());
            terms = other.terms;
            lookUpNames();
        };
    }

    /** The time of day less the clock of the event loops. */
    private static long epochMillis() {
        return System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    EdgeConfig edge() {
        return edge;
    }

    /** The key that is used; others may be made of it. */
    byte[] secret() {
        return secrets.getFirst().clone();
    }

    // Keys

    private static List<byte[]> secrets(HidingSettings settings) {
        Path file = settings.keyFile();
        if (file == null) {
            byte[] key = new byte[RANDOM_KEY];
            new SecureRandom().nextBytes(key);
            return List.of(key);
        }
        List<byte[]> keys = new ArrayList<>();
        try {
            for (String key : KeyLines.read(file)) {
                if (key.length() < LEAST_KEY) {
                    throw new IllegalArgumentException(
                            "topology-hiding.key-file: a key in "
                                    + file
                                    + " is shorter than 32 characters");
                }
                keys.add(key.getBytes(UTF_8));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "topology-hiding.key-file: " + file + " cannot be read", e);
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("topology-hiding.key-file: no key is in " + file);
        }
        return keys;
    }

    /** Weights and refusals of the peers, by their addresses as they are now. */
    static PeerTerms.Table terms(@Nullable Peering peering) {
        return peering == null ? PeerTerms.Table.NOBODY : source -> peering.terms.of(source);
    }

    // Peers

    /** The peers by the addresses that they have now; their terms too. */
    private PeerTable lookedUp() {
        PeerTable table = table();
        Map<AddressRange, PeerTerms> byAddress = new HashMap<>();
        configuration
                .peers()
                .forEach((name, settings) -> {
                    PeerTerms agreed = new PeerTerms(settings.weight(), settings.overloadStatus());
                    addresses(name, settings).forEach(range -> byAddress.put(range, agreed));
                });
        terms = new PeerTermsTable(byAddress);
        return table;
    }

    private PeerTable table() {
        PeerTable.Builder table = PeerTable.builder();
        configuration
                .peers()
                .forEach((name, settings) ->
                        table.add(
                                peer(name, settings),
                                addresses(name, settings),
                                settings.listeners()));
        return table.build();
    }

    private Peer peer(String name, PeerSettings settings) {
        List<AddressRange> networks =
                new ArrayList<>(settings.networks().stream().map(AddressRange::parse).toList());
        networks.addAll(addresses(name, settings));
        if (settings.addresses().isEmpty() && settings.listeners().isEmpty()) {
            throw new IllegalArgumentException(
                    "peers." + name + " has neither addresses nor listeners: nobody is this peer");
        }
        String local = settings.localAddress();
        if (local != null && !listened(local)) {
            throw new IllegalArgumentException(
                    "peers." + name + ".local-address: nothing listens at " + local);
        }
        return new Peer(
                name,
                settings.hideTopology(),
                settings.maxLine().characters(),
                switch (settings.headerNames()) {
                    case AS_IS -> HeaderForm.DEFAULT;
                    case LONG -> HeaderForm.LONG;
                    case COMPACT -> HeaderForm.COMPACT;
                },
                settings.lists(),
                Set.copyOf(settings.tolerate()),
                Set.copyOf(settings.refuse()),
                local == null ? null : new InetSocketAddress(InetAddress.ofLiteral(local), 0),
                settings.mediaAddress(),
                settings.overload(),
                networks);
    }

    private boolean listened(String local) {
        InetAddress address = InetAddress.ofLiteral(local);
        return listenHosts(configuration).stream()
                .anyMatch(own -> own.equals(address) || own.isAnyLocalAddress());
    }

    private List<AddressRange> addresses(String peer, PeerSettings settings) {
        List<AddressRange> all = new ArrayList<>();
        for (String text : settings.addresses()) {
            if (AddressRange.looksLike(text)) {
                all.add(AddressRange.parse(text));
            } else {
                all.addAll(looked(peer, text));
            }
        }
        return all;
    }

    /** What the name leads to now; while nobody can tell, what it led to before. */
    private List<AddressRange> looked(String peer, String name) {
        try {
            List<AddressRange> now = new ArrayList<>();
            for (InetAddress address : InetAddress.getAllByName(name)) {
                now.add(AddressRange.of(address));
            }
            found.put(name, now);
        } catch (UnknownHostException e) {
            LOG.warn("The address {} of the peer {} is not found", name, peer);
        }
        return found.getOrDefault(name, List.of());
    }

    private boolean named() {
        return configuration.peers().values().stream()
                .flatMap(settings -> settings.addresses().stream())
                .anyMatch(text -> !AddressRange.looksLike(text));
    }

    private void lookUpAgain() {
        try {
            while (!closed.await(1, TimeUnit.MINUTES)) {
                edge.peers(lookedUp());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("The names of peers are not looked up any more", e);
        }
    }

    // What is inside

    private static InternalHosts internal(Configuration configuration) {
        Set<AddressRange> networks = new HashSet<>(InternalHosts.UNREACHABLE);
        Set<String> names = new HashSet<>();
        for (String text : configuration.topologyHiding().internal()) {
            add(text, networks, names);
        }
        for (InetAddress own : listenHosts(configuration)) {
            if (own.isAnyLocalAddress()) {
                addInterfaces(networks);
            } else {
                networks.add(AddressRange.of(own));
            }
        }
        for (ListenAddress listen : configuration.sip().listen()) {
            String external = listen.externalHost();
            if (external != null) {
                addOwn(external, networks, names);
            }
        }
        String machine = machineName();
        // A word such as "proxy" or "voice" would be found where nobody means the machine.
        if (machine.chars().anyMatch(c -> c == '.' || c == '-' || (c >= '0' && c <= '9'))) {
            addOwn(machine, networks, names);
        }
        return new InternalHosts(networks, names);
    }

    private static void addOwn(String host, Set<AddressRange> networks, Set<String> names) {
        if (AddressRange.looksLike(host) || InternalHosts.searchable(host)) {
            add(host, networks, names);
        }
    }

    private static void add(String text, Set<AddressRange> networks, Set<String> names) {
        if (AddressRange.looksLike(text)) {
            networks.add(AddressRange.parse(text));
        } else {
            names.add(text);
        }
    }

    private static void addInterfaces(Set<AddressRange> networks) {
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> networks.add(AddressRange.of(address)));
        } catch (SocketException e) {
            throw new IllegalArgumentException(
                    "the addresses of this machine cannot be read: " + e.getMessage(), e);
        }
    }

    /** Addresses that are listened at; names among them are looked up when they are bound. */
    private static List<InetAddress> listenHosts(Configuration configuration) {
        List<InetAddress> hosts = new ArrayList<>();
        for (ListenAddress listen : configuration.sip().listen()) {
            try {
                hosts.add(InetAddress.getByName(listen.address().bareHost()));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(
                        "sip.listen: the host " + listen.address().bareHost() + " is not known", e);
            }
        }
        return hosts;
    }

    private static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return ""; // a machine without a name tells none
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

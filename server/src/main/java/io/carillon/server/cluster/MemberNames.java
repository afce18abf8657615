package io.carillon.server.cluster;

import io.carillon.server.config.ClusterSettings;
import io.carillon.server.start.StartException;
import io.carillon.sip.hop.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of a cluster at the addresses that their names have now: containers come and go, with
 * another address each time, and one that is not there has none. Names are looked up again every
 * {@value #SECONDS} s; how long an answer counts is the JVM's {@code networkaddress.cache.ttl}. A
 * name that is not known any more keeps its last address.
 *
 * <p>One thread, where there are names at all; {@link #get} and {@link #first} any. Owner: who
 * composes the member.
 */
final class MemberNames implements Supplier<ClusterMembers>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemberNames.class);
    static final int SECONDS = 5;

    private final ClusterSettings settings;
    private final Function<HostPort, InetSocketAddress> names;
    private final Map<HostPort, InetSocketAddress> last = new HashMap<>();
    private final @Nullable ScheduledExecutorService thread;
    private final ClusterMembers first;
    private volatile @Nullable ClusterMembers later;

    private MemberNames(
            ClusterSettings settings,
            Map<HostPort, InetSocketAddress> known,
            Function<HostPort, InetSocketAddress> names,
            @Nullable ScheduledExecutorService thread) {
        this.settings = settings;
        this.names = names;
        this.thread = thread;
        this.last.putAll(known);
        this.first = ClusterMembers.of(settings, this::address);
    }

    /**
     * For a node of the list.
     *
     * @throws StartException where its own name is not known
     */
    static MemberNames ofNode(ClusterSettings settings) throws StartException {
        return of(settings, "cluster.nodes", Objects.requireNonNull(settings.listen()));
    }

    /**
     * For the witness.
     *
     * @throws StartException where its own name is not known
     */
    static MemberNames ofWitness(ClusterSettings settings) throws StartException {
        return of(settings, "cluster.witness", Objects.requireNonNull(settings.witness()));
    }

    private static MemberNames of(ClusterSettings settings, String key, HostPort own)
            throws StartException {
        return of(settings, Map.of(own, OwnPlace.address(key, own)));
    }

    /** For who is no member: looks them up now, and again and again until it is closed. */
    static MemberNames ofOthers(ClusterSettings settings) {
        return of(settings, Map.of());
    }

    private static MemberNames of(
            ClusterSettings settings, Map<HostPort, InetSocketAddress> known) {
        MemberNames all =
                new MemberNames(
                        settings,
                        known,
                        ClusterMembers::lookUp,
                        digitsAlone(settings)
                                ? null
                                : Executors.newSingleThreadScheduledExecutor(
                                        Thread.ofPlatform()
                                                .daemon()
                                                .name("cluster-names")
                                                .factory()));
        all.tellUnknown();
        ScheduledExecutorService each = all.thread;
        if (each != null) {
            var _ = each.scheduleWithFixedDelay(all::lookUp, SECONDS, SECONDS, TimeUnit.SECONDS);
        }
        return all;
    }

    /** Looked up when {@link #lookUp} is called. */
    static MemberNames by(ClusterSettings settings, Function<HostPort, InetSocketAddress> names) {
        return new MemberNames(settings, Map.of(), names, null);
    }

    private static boolean digitsAlone(ClusterSettings settings) {
        List<HostPort> all = new ArrayList<>(settings.nodes());
        all.addAll(settings.routers());
        HostPort witness = settings.witness();
        if (witness != null) {
            all.add(witness);
        }
        return all.stream().allMatch(MemberNames::inDigits);
    }

    private static boolean inDigits(HostPort of) {
        try {
            InetAddress.ofLiteral(of.bareHost());
            return true;
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    @Override
    public ClusterMembers get() {
        ClusterMembers now = later;
        return now == null ? first : now;
    }

    /** As they were known at the start: the own address, numbers and voters stay. */
    ClusterMembers first() {
        return first;
    }

    /** Again. */
    void lookUp() {
        try {
            later = ClusterMembers.of(settings, this::address);
        } catch (RuntimeException e) {
            LOG.warn("The names of the cluster's members cannot be looked up: {}", e.toString());
        }
    }

    private InetSocketAddress address(HostPort of) {
        InetSocketAddress now = names.apply(of);
        InetSocketAddress before = last.get(of);
        if (now.isUnresolved()) {
            return before == null ? now : before;
        }
        if (!now.equals(before)) {
            last.put(of, now);
            LOG.debug("cluster: {} is at {}", of, now.getAddress().getHostAddress());
        }
        return now;
    }

    private void tellUnknown() {
        List<String> unknown =
                first.all().stream()
                        .filter(InetSocketAddress::isUnresolved)
                        .map(ClusterMembers::printed)
                        .toList();
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "cluster: no address is known of {}; it is looked up every {} s",
                    String.join(", ", unknown),
                    SECONDS);
        }
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}

package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.net.NetworkChange;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReachableUris;
import io.carillon.protection.Protection;
import io.carillon.server.config.Configuration;
import io.carillon.server.reload.LivePart;
import io.carillon.server.start.SettingException;
import io.carillon.server.start.StartException;
import io.carillon.server.tls.TlsSide;
import io.carillon.servlet.SipContainer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of the SIP side changes while it runs. {@link #prepare} by one thread, the rest by any. */
final class LiveSip implements LivePart, AutoCloseable {
    private final Network network;
    private final SipContainer container;
    private final Guard guard;
    private final Protection protection;
    private final @Nullable Peering peering;
    private final TlsSide tls;
    private final Configuration started;
    private volatile Configuration current;

    LiveSip(
            Network network,
            SipContainer container,
            Guard guard,
            Protection protection,
            @Nullable Peering peering,
            TlsSide tls,
            Configuration started) {
        this.network = network;
        this.container = container;
        this.guard = guard;
        this.protection = protection;
        this.peering = peering;
        this.tls = tls;
        this.started = started;
        this.current = started;
    }

    Guard guard() {
        return guard;
    }

    /** A handler is slow when it runs for longer. */
    long slowNanos() {
        return current.sessions().slowHandler().toNanos();
    }

    /** How long calls of a version that was replaced may go on. */
    Duration retireLimit() {
        return current.deploy().retireLimit();
    }

    @Override
    public Change prepare(Configuration before, Configuration after) throws StartException {
        // Keys that need a restart are as they were at the start.
        Configuration listening = started.withSipListen(after.sip().listen());
        List<ListeningPoint> points = SipTranslation.listeningPoints(listening);
        Runnable secured = tls.prepare(after.tls(), points);
        Runnable peers = peers(after);
        GuardConfig guarded = ProtectionTranslation.guard(after.guard());
        NetworkChange moved = network(before, after, points);
        return new Change(
                () -> {
                    secured.run();
                    moved.apply().run();
                    guard.change(guarded, System.nanoTime());
                    protection.trust(guarded.trusted());
                    protection.change(
                            container,
                            after.sessions().max(),
                            after.sessions().maxOfOne(),
                            after.sessions().maxSubscriptions(),
                            after.overload().handlerDelay());
                    peers.run();
                    ContainerTerms.timeLimits(container, after);
                    ContainerTerms.secure(container, after);
                    container
                            .settings()
                            .listeningPoints(ReachableUris.of(ContainerTerms.reachable(network)));
                    current = after;
                },
                moved.cancel());
    }

    private Runnable peers(Configuration after) throws StartException {
        if (peering != null) {
            try {
                return peering.prepare(after);
            } catch (IllegalArgumentException e) {
                throw new SettingException("peers", String.valueOf(e.getMessage()), e);
            }
        }
        if (!after.peers().isEmpty()) {
            throw new SettingException(
                    "peers",
                    "the first peer needs a restart",
                    new IllegalStateException("no edge"));
        }
        return () -> {};
    }

    private NetworkChange network(
            Configuration before, Configuration after, List<ListeningPoint> points)
            throws StartException {
        boolean same =
                before.sip().listen().equals(after.sip().listen())
                        && before.sip().domains().equals(after.sip().domains())
                        && before.egress().equals(after.egress());
        if (same) {
            return new NetworkChange(() -> {}, () -> {});
        }
        if (started.sip().listen().isEmpty() != after.sip().listen().isEmpty()) {
            throw new SettingException(
                    "sip.listen",
                    "a node of a cluster that listens for nothing itself begins and ends with"
                            + " that by a restart",
                    new IllegalStateException("no listening point"));
        }
        try {
            return network.prepare(
                    points, after.sip().domains(), SendingTranslation.egress(after.egress()));
        } catch (BindFailure e) {
            throw new SettingException("sip.listen", String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        if (peering != null) {
            peering.close();
        }
    }
}

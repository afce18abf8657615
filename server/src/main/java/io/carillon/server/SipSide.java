package io.carillon.server;

import io.carillon.server.apps.Deployer;
import io.carillon.server.config.DrainSettings;
import io.carillon.server.health.HealthSource;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.start.StartException;
import io.carillon.servlet.feature.http.WebSide;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SIP half of the server as its life cycle sees it: network, shards and container together. Any
 * thread.
 */
interface SipSide extends AutoCloseable, Deployer {
    /** Where it listens, with the real ports. */
    List<String> listening();

    /** The bound addresses of UDP sockets. */
    List<InetSocketAddress> udpAddresses();

    /** Who serves the HTTP parts of applications; before the first deployment. */
    void web(WebSide side);

    /**
     * Deploys applications in order; one that is broken leaves the others alone.
     *
     * @return a sentence for each that could not be deployed
     * @throws StartException when the router cannot be used
     */
    List<String> deploy(List<Path> archives) throws StartException;

    /** Begins to warn of what {@code ./carillon check} calls errors; returns at once. */
    void checkDeployed();

    /** Begins to receive; after the deployment. */
    void receive();

    /** Names of deployed applications. */
    List<String> applications();

    /** Answers new calls with 503 from now on. */
    void refuseNewCalls();

    /** Calls held now. */
    long callsHeld();

    /** Transactions that still wait for something; lingering ones do not count. */
    long openTransactions();

    /** Ends or leaves the calls that are held; {@code done} runs when every end was told. */
    void endCalls(DrainSettings.EndCalls policy, Runnable done);

    /** Calls started since the start. */
    long callsStarted();

    /** Everything the status shows of this side, read one after the other while it works. */
    Figures figures();

    /**
     * Everything that is counted below, by name, without the bans: those are looked at one by one,
     * and stand in the figures alone. In no order; the caller's, to add to.
     */
    Map<String, Long> counters();

    /** Handlers that run for too long, now. */
    List<ServerStatus.SlowHandler> slowHandlers();

    /** How loaded it is, and what it refuses for that. */
    default ServerStatus.Overload overload() {
        return ServerStatus.Overload.NONE;
    }

    /** What probes ask of it. */
    default HealthSource health() {
        return HealthSource.NONE;
    }

    /** Why the database is of no use now, in a sentence; null while all is well. */
    default @Nullable String databaseFailure() {
        return null;
    }

    /** What TLS does; null while nothing needed it. */
    default ServerStatus.@Nullable Tls tls() {
        return null;
    }

    /** Ends applications and sockets. */
    @Override
    void close();

    /**
     * The SIP side's part of the status; the parts are described there.
     *
     * @param callsHeld now
     * @param callsByState now
     * @param callsStarted since the start
     * @param messages since the start
     * @param transactions now, lingering ones too
     * @param applicationSessions now
     * @param connections now
     * @param slowHandlers now
     * @param counters everything that is counted below, by name
     */
    record Figures(
            long callsHeld,
            Map<String, Long> callsByState,
            long callsStarted,
            ServerStatus.Messages messages,
            long transactions,
            long applicationSessions,
            ServerStatus.Connections connections,
            List<ServerStatus.SlowHandler> slowHandlers,
            Map<String, Long> counters) {}
}

package io.carillon.server;

import io.carillon.server.config.DrainSettings;
import io.carillon.server.measure.ServerStatus;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The SIP half of the server as its life cycle sees it: network, shards and container together. Any
 * thread.
 */
interface SipSide extends AutoCloseable {
    /** Where it listens, with the real ports. */
    List<String> listening();

    /** The bound addresses of UDP sockets. */
    List<InetSocketAddress> udpAddresses();

    /**
     * Deploys applications in order; one that is broken leaves the others alone.
     *
     * @return a sentence for each that could not be deployed
     */
    List<String> deploy(List<Path> archives);

    /** Names of deployed applications. */
    List<String> applications();

    /** Lets new calls in, or answers them with 503. */
    void refuseNewCalls(boolean refuse);

    /** Calls held now. */
    long callsHeld();

    /** Transactions that still wait for something; lingering ones do not count. */
    long openTransactions();

    /** All transactions, lingering ones too. */
    long transactions();

    /** Ends or leaves the calls that are held; {@code done} runs when every end was told. */
    void endCalls(DrainSettings.EndCalls policy, Runnable done);

    /** Calls started since the start. */
    long callsStarted();

    /** Calls now, by state. */
    Map<String, Long> callsByState();

    /** Application sessions now. */
    long applicationSessions();

    /** Messages since the start. */
    ServerStatus.Messages messages();

    /** Connections now. */
    ServerStatus.Connections connections();

    /** Handlers that hold a thread for too long, now. */
    List<ServerStatus.SlowHandler> slowHandlers();

    /** Ends applications and sockets. */
    @Override
    void close();
}

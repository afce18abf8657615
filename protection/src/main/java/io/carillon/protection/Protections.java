package io.carillon.protection;

import io.carillon.net.guard.GuardConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.codec.MessageLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Every limit that keeps strangers from taking a server, as a user sets them. {@link Protection}
 * gives them to network, stack and container. Immutable.
 *
 * @param guard who is trusted, rates, bans
 * @param requests what open requests may hold
 * @param sessions what calls may hold
 * @param connections what connections may hold
 * @param users what digest remembers
 * @param applicationLog lines per second of one application; 0 for no limit
 * @param overload when new work is shed
 */
public record Protections(
        GuardConfig guard,
        Requests requests,
        Sessions sessions,
        Connections connections,
        Users users,
        int applicationLog,
        Overload overload) {

    /**
     * Requests and their transactions.
     *
     * @param requestHeap percent of the heap for open requests
     * @param sharePerSource percent of that and of the transactions that one source may hold; 100
     *     for no limit
     * @param maxTransactions most of all shards; never more than the heap has room for
     * @param forks of one request
     * @param ringingWithin until an INVITE of ours that only rings is cancelled
     * @param limits of one message
     */
    public record Requests(
            int requestHeap,
            int sharePerSource,
            int maxTransactions,
            int forks,
            Duration ringingWithin,
            MessageLimits limits) {}

    /**
     * Application sessions.
     *
     * @param max at a time; 0: as many as the heap has room for
     * @param maxOfOne SIP sessions of an application session
     * @param maxSubscriptions of all applications
     * @param sharePerSource percent that one source may hold; 100 for no limit
     * @param shareOfPages percent that all visitors of pages may hold; 100 for no limit
     * @param addressHeap percent of the heap for long addresses and further sessions
     * @param mailbox what may wait for one busy application session
     */
    public record Sessions(
            int max,
            int maxOfOne,
            int maxSubscriptions,
            int sharePerSource,
            int shareOfPages,
            int addressHeap,
            MailboxLimits mailbox) {}

    /**
     * Connections.
     *
     * @param maxConnections at a time; never more than a part of the heap has room for
     * @param connectTimeout of those that we open
     * @param firstMessageWithin from the beginning of a connection to its first whole message
     * @param messageWithin from the first byte of a message to its last
     * @param idleTimeout without a byte
     * @param handshakeWithin for TLS and WebSocket together
     * @param writeQueue bytes that may wait to be written on one
     * @param unfinishedMessages bytes of messages whose rest has not come, of all; never more than
     *     a part of the heap
     * @param unsentMessages bytes that may wait to be written on all
     */
    public record Connections(
            int maxConnections,
            Duration connectTimeout,
            Duration firstMessageWithin,
            Duration messageWithin,
            Duration idleTimeout,
            Duration handshakeWithin,
            int writeQueue,
            long unfinishedMessages,
            long unsentMessages) {}

    /**
     * Users of applications that ask for credentials.
     *
     * @param nonces that are remembered
     * @param usersRemembered users, and names of nobody
     * @param lookups that may be under way
     */
    public record Users(int nonces, int usersRemembered, int lookups) {}

    /**
     * New work while not everything can be served.
     *
     * @param shed whether it is ever refused
     * @param delay that messages may wait
     * @param handlerDelay that the handlers of one application may take for new calls, at least
     * @param retryAfter the longest that a phone is told, in whole seconds; zero for none
     */
    public record Overload(
            boolean shed, Duration delay, Duration handlerDelay, Duration retryAfter) {}

    /** What holds where nothing is set. */
    public static Protections standard() {
        return new Protections(
                standardGuard(),
                new Requests(
                        10,
                        25,
                        2_000_000,
                        64,
                        Duration.ofMinutes(15),
                        new MessageLimits(65_535, 65_535, 512, 16 << 10)),
                new Sessions(0, 10_000, 200_000, 25, 50, 5, MailboxLimits.DEFAULT),
                new Connections(
                        20_000,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofHours(2),
                        Duration.ofSeconds(10),
                        1 << 20,
                        64L << 20,
                        128L << 20),
                new Users(200_000, 50_000, 1000),
                1000,
                new Overload(
                        true,
                        Duration.ofMillis(10),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(10)));
    }

    private static GuardConfig standardGuard() {
        return new GuardConfig(
                AddressRanges.of(List.of("127.0.0.0/8", "::1")),
                new GuardConfig.Rate(5_000, 2_500),
                new GuardConfig.Rate(5_000, 2_500),
                new GuardConfig.Rate(100, 1_000),
                1_000,
                new GuardConfig.BanRule(
                        60,
                        TimeUnit.MINUTES.toNanos(1),
                        TimeUnit.MINUTES.toNanos(10),
                        TimeUnit.MINUTES.toNanos(1)),
                List.of(
                        "friendly-scanner",
                        "sipvicious",
                        "sip-scan",
                        "sipcli",
                        "sundayddr",
                        "iwar",
                        "vaxsipuseragent",
                        "pplsip",
                        "smap"));
    }
}

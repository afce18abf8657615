package io.carillon.boot;

import io.carillon.net.guard.GuardConfig;
import io.carillon.protection.Protections;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.codec.MessageLimits;
import java.time.Duration;
import java.util.List;
import java.util.function.LongPredicate;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What keeps strangers from taking an application: the keys of the server's configuration and its
 * defaults, with {@code carillon} before them.
 *
 * @param guard who is trusted; rates and bans of everybody else
 * @param sip open requests
 * @param sessions calls
 * @param tcp connections
 * @param tls handshakes
 * @param overload new work while not everything can be served
 */
@ConfigurationProperties("carillon")
public record ProtectionProperties(
        @DefaultValue Guard guard,
        @DefaultValue Sip sip,
        @DefaultValue Sessions sessions,
        @DefaultValue Tcp tcp,
        @DefaultValue Tls tls,
        @DefaultValue Overload overload) {

    /**
     * Sources.
     *
     * @param trusted sources that are neither limited nor banned: addresses in digits, or ranges
     * @param datagramRate datagrams per second of one source; 0: no limit
     * @param datagramBurst datagrams of one source at once
     * @param streamRate messages per second of one source on all its connections; 0: no limit
     * @param streamBurst messages of one source on all its connections at once
     * @param connectionRate connections per second that one source may open; 0: no limit
     * @param connectionBurst connections that one source may open at once
     * @param connectionsPerAddress connections that one source may have open; 0: no limit
     * @param unfinishedMessages bytes of messages whose rest has not come, of all connections; at
     *     most a 32nd of half of the heap
     * @param unsentMessages bytes that may wait for slow readers on all connections together
     * @param banAfter failures within banWindow that lead to a ban; 0: no bans
     * @param banWindow the time in which failures add up
     * @param banTime of a source whose address is certain
     * @param datagramBanTime of a source whose address may be forged
     * @param scanners beginnings of the User-Agent of programs that look for victims
     * @param forks of one INVITE or SUBSCRIBE
     * @param applicationLog lines per second that the application may write with
     *     ServletContext.log; 0: no limit
     */
    public record Guard(
            @DefaultValue({"127.0.0.0/8", "::1"}) List<String> trusted,
            @DefaultValue("5000") int datagramRate,
            @DefaultValue("2500") int datagramBurst,
            @DefaultValue("5000") int streamRate,
            @DefaultValue("2500") int streamBurst,
            @DefaultValue("100") int connectionRate,
            @DefaultValue("1000") int connectionBurst,
            @DefaultValue("1000") int connectionsPerAddress,
            @DefaultValue("64MB") DataSize unfinishedMessages,
            @DefaultValue("128MB") DataSize unsentMessages,
            @DefaultValue("60") int banAfter,
            @DefaultValue("1m") Duration banWindow,
            @DefaultValue("10m") Duration banTime,
            @DefaultValue("1m") Duration datagramBanTime,
            @DefaultValue({
                        "friendly-scanner",
                        "sipvicious",
                        "sip-scan",
                        "sipcli",
                        "sundayddr",
                        "iwar",
                        "vaxsipuseragent",
                        "pplsip",
                        "smap"
                    })
                    List<String> scanners,
            @DefaultValue("64") int forks,
            @DefaultValue("1000") int applicationLog) {

        private GuardConfig config() {
            return new GuardConfig(
                    AddressRanges.of(trusted),
                    new GuardConfig.Rate(datagramRate, datagramBurst),
                    new GuardConfig.Rate(streamRate, streamBurst),
                    new GuardConfig.Rate(connectionRate, connectionBurst),
                    connectionsPerAddress,
                    new GuardConfig.BanRule(
                            banAfter,
                            banWindow.toNanos(),
                            banTime.toNanos(),
                            datagramBanTime.toNanos()),
                    scanners);
        }
    }

    /**
     * Requests.
     *
     * @param requestHeap percent of half of the heap for open requests
     * @param sharePerSource percent that one source may hold of what others leave of that and of
     *     the transactions
     * @param maxTransactions at a time; never more than half of the heap has room for
     * @param ringingWithin until an INVITE of ours that only rings is cancelled
     * @param maxMessage longest message
     * @param maxHeaders headers in a message
     * @param maxHeader longest header
     */
    public record Sip(
            @DefaultValue("10") int requestHeap,
            @DefaultValue("25") int sharePerSource,
            @DefaultValue("2000000") int maxTransactions,
            @DefaultValue("15m") Duration ringingWithin,
            @DefaultValue("65535B") DataSize maxMessage,
            @DefaultValue("512") int maxHeaders,
            @DefaultValue("16KB") DataSize maxHeader) {

        private Protections.Requests requests(int forks) {
            int longest = bytes("sip.max-message", maxMessage);
            return new Protections.Requests(
                    percent("sip.request-heap", requestHeap, 45),
                    percent("sip.share-per-source", sharePerSource, 100),
                    positive("sip.max-transactions", maxTransactions),
                    positive("guard.forks", forks),
                    ringingWithin,
                    new MessageLimits(
                            longest, longest, maxHeaders, bytes("sip.max-header", maxHeader)));
        }
    }

    /**
     * Calls; how many there may be says {@code carillon.max-sessions}.
     *
     * @param maxOfOne SIP sessions of one application session
     * @param maxSubscriptions of the application
     * @param sharePerSource percent that one source may hold of what others leave of the
     *     application sessions
     * @param shareOfPages percent of the application sessions that all visitors of pages may hold
     * @param addressHeap percent of half of the heap for long addresses and further sessions
     * @param waitingMessages messages that may wait while one application session is busy
     * @param waitingBytes bytes of those
     */
    public record Sessions(
            @DefaultValue("10000") int maxOfOne,
            @DefaultValue("200000") int maxSubscriptions,
            @DefaultValue("25") int sharePerSource,
            @DefaultValue("50") int shareOfPages,
            @DefaultValue("5") int addressHeap,
            @DefaultValue("1000") int waitingMessages,
            @DefaultValue("1MB") DataSize waitingBytes) {

        private Protections.Sessions limits(int max) {
            return new Protections.Sessions(
                    max,
                    positive("sessions.max-of-one", maxOfOne),
                    positive("sessions.max-subscriptions", maxSubscriptions),
                    percent("sessions.share-per-source", sharePerSource, 100),
                    percent("sessions.share-of-pages", shareOfPages, 100),
                    percent("sessions.address-heap", addressHeap, 45),
                    new MailboxLimits(
                            waitingMessages, bytes("sessions.waiting-bytes", waitingBytes)));
        }
    }

    /**
     * Connections.
     *
     * @param maxConnections at a time; never more than a sixteenth of half of the heap has room for
     * @param firstMessageWithin until a new connection has brought a whole message
     * @param messageWithin from the first byte of a message to its last
     * @param idleTimeout without a byte
     * @param connectTimeout of connections that we open
     * @param writeQueue bytes that may wait for a slow reader
     */
    public record Tcp(
            @DefaultValue("20000") int maxConnections,
            @DefaultValue("10s") Duration firstMessageWithin,
            @DefaultValue("10s") Duration messageWithin,
            @DefaultValue("2h") Duration idleTimeout,
            @DefaultValue("5s") Duration connectTimeout,
            @DefaultValue("1MB") DataSize writeQueue) {}

    /**
     * Handshakes.
     *
     * @param handshakeWithin until TLS and the WebSocket upgrade of a connection are done
     */
    public record Tls(@DefaultValue("10s") Duration handshakeWithin) {}

    /**
     * Overload.
     *
     * @param shed whether new calls are refused while messages wait for longer than delay
     * @param delay queueing delay above which new work is refused
     * @param handlerDelay time of an application's handlers for new calls above which it may be
     *     late
     * @param retryAfter longest Retry-After that a phone is told, in whole seconds; 0s: none
     */
    public record Overload(
            @DefaultValue("true") boolean shed,
            @DefaultValue("10ms") Duration delay,
            @DefaultValue("500ms") Duration handlerDelay,
            @DefaultValue("10s") Duration retryAfter) {
        private Protections.Overload limits() {
            return new Protections.Overload(shed, delay, handlerDelay, retryAfter);
        }
    }

    /**
     * Which sources have no shares, by their {@link io.carillon.sip.guard.SourceKey}.
     *
     * @throws SipStartException naming what is no address
     */
    public LongPredicate trustedSources() {
        try {
            return AddressRanges.of(guard.trusted())::containsSource;
        } catch (IllegalArgumentException e) {
            throw new SipStartException("The carillon properties: " + e.getMessage(), e);
        }
    }

    /**
     * The limits that these properties set.
     *
     * @param maxSessions application sessions; 0: as many as there is room for
     * @throws IllegalArgumentException with a sentence that names what is wrong
     */
    Protections limits(int maxSessions) {
        return new Protections(
                guard.config(),
                sip.requests(guard.forks()),
                sessions.limits(maxSessions),
                new Protections.Connections(
                        positive("tcp.max-connections", tcp.maxConnections()),
                        tcp.connectTimeout(),
                        tcp.firstMessageWithin(),
                        tcp.messageWithin(),
                        tcp.idleTimeout(),
                        tls.handshakeWithin(),
                        bytes("tcp.write-queue", tcp.writeQueue()),
                        guard.unfinishedMessages().toBytes(),
                        guard.unsentMessages().toBytes()),
                // Beans have no constraints, so nobody fills these.
                Protections.standard().users(),
                guard.applicationLog(),
                overload.limits());
    }

    private static int percent(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "carillon." + name + ": a percentage from 1 to " + most + ", not " + value);
        }
        return value;
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("carillon." + name + ": above 0, not " + value);
        }
        return value;
    }

    private static int bytes(String name, DataSize size) {
        long bytes = size.toBytes();
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("carillon." + name + ": " + size + " is no size");
        }
        return (int) bytes;
    }
}

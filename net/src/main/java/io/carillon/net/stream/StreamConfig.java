package io.carillon.net.stream;

import io.carillon.net.config.NumberChecks;
import io.carillon.sip.address.AddressRanges;
import java.util.function.Consumer;

/**
 * Connections.
 *
 * @param backlog connections that the kernel completes before we accept them
 * @param maxConnections connections in all
 * @param maxPerAddress connections with one remote address; by default as many as in all, because
 *     behind an address translator, a load balancer or on loopback thousands share one
 * @param connectTimeoutMillis time to open a connection
 * @param firstMessageWithinMillis time in which an accepted connection must have completed its
 *     first message
 * @param messageWithinMillis time from the first byte of a message to its last; bytes that trickle
 *     do not extend it
 * @param idleTimeoutMillis time without a byte in either direction after which a connection is
 *     closed; long, because a registered client is reached only by its connection (RFC 5626)
 * @param writeQueueBytes bytes that may wait to be written on one connection, also before it is
 *     open; over it the message fails and the connection is closed
 * @param unfinishedMessagesBytes bytes of messages whose rest has not come, of all connections
 * @param unsentMessagesBytes bytes that may wait to be written on all connections together
 * @param handshakeWithinMillis time for TLS and WebSocket together to begin on a connection
 * @param proxies whose connections begin with a header of the PROXY protocol, which says who is
 *     behind them; nobody else's may
 */
public record StreamConfig(
        int backlog,
        int maxConnections,
        int maxPerAddress,
        int connectTimeoutMillis,
        int firstMessageWithinMillis,
        int messageWithinMillis,
        int idleTimeoutMillis,
        int writeQueueBytes,
        long unfinishedMessagesBytes,
        long unsentMessagesBytes,
        int handshakeWithinMillis,
        AddressRanges proxies) {

    public StreamConfig {
        NumberChecks.positive("backlog", backlog);
        NumberChecks.positive("connections", maxConnections);
        NumberChecks.positive("connections per address", maxPerAddress);
        NumberChecks.positive("connect time-out", connectTimeoutMillis);
        NumberChecks.positive("first message time-out", firstMessageWithinMillis);
        NumberChecks.positive("message time-out", messageWithinMillis);
        NumberChecks.positive("idle time-out", idleTimeoutMillis);
        NumberChecks.positive("waiting bytes", writeQueueBytes);
        if (unfinishedMessagesBytes < 1) {
            throw new IllegalArgumentException("bytes of unfinished messages: above 0");
        }
        if (unsentMessagesBytes < 1) {
            throw new IllegalArgumentException("unsent bytes: above 0");
        }
        NumberChecks.positive("handshake time-out", handshakeWithinMillis);
    }

    public static StreamConfig defaults() {
        return new StreamConfig(
                4096,
                20_000,
                20_000,
                5_000,
                20_000,
                20_000,
                7_200_000,
                1 << 20,
                64L << 20,
                128L << 20,
                10_000,
                AddressRanges.NONE);
    }

    /** The same with other time-outs, in milliseconds. */
    public StreamConfig withTimeouts(int connect, int firstMessage, int message, int idle) {
        return with(copy -> {
            copy.connectTimeoutMillis = connect;
            copy.firstMessageWithinMillis = firstMessage;
            copy.messageWithinMillis = message;
            copy.idleTimeoutMillis = idle;
        });
    }

    /** The same with other limits. */
    public StreamConfig withLimits(int connections, int perAddress, int waitingBytes) {
        return with(copy -> {
            copy.maxConnections = connections;
            copy.maxPerAddress = perAddress;
            copy.writeQueueBytes = waitingBytes;
        });
    }

    /** The same with another time for handshakes, in milliseconds. */
    public StreamConfig withHandshakeTimeout(int millis) {
        return with(copy -> copy.handshakeWithinMillis = millis);
    }

    /** The same behind those who say by the PROXY protocol whom they connect. */
    public StreamConfig withProxies(AddressRanges trusted) {
        return with(copy -> copy.proxies = trusted);
    }

    /** The same with another limit of unfinished messages. */
    public StreamConfig withUnfinished(long bytes) {
        return with(copy -> copy.unfinishedMessagesBytes = bytes);
    }

    /** The same with another limit of what waits for slow readers. */
    public StreamConfig withUnsent(long bytes) {
        return with(copy -> copy.unsentMessagesBytes = bytes);
    }

    private StreamConfig with(Consumer<CopyBuilder> change) {
        CopyBuilder copy = new CopyBuilder(this);
        change.accept(copy);
        return copy.made();
    }

    /** The components while some are changed (docs/decisions/0020-copies-of-records.md). */
    private static final class CopyBuilder {
        int backlog;
        int maxConnections;
        int maxPerAddress;
        int connectTimeoutMillis;
        int firstMessageWithinMillis;
        int messageWithinMillis;
        int idleTimeoutMillis;
        int writeQueueBytes;
        long unfinishedMessagesBytes;
        long unsentMessagesBytes;
        int handshakeWithinMillis;
        AddressRanges proxies;

        CopyBuilder(StreamConfig of) {
            backlog = of.backlog;
            maxConnections = of.maxConnections;
            maxPerAddress = of.maxPerAddress;
            connectTimeoutMillis = of.connectTimeoutMillis;
            firstMessageWithinMillis = of.firstMessageWithinMillis;
            messageWithinMillis = of.messageWithinMillis;
            idleTimeoutMillis = of.idleTimeoutMillis;
            writeQueueBytes = of.writeQueueBytes;
            unfinishedMessagesBytes = of.unfinishedMessagesBytes;
            unsentMessagesBytes = of.unsentMessagesBytes;
            handshakeWithinMillis = of.handshakeWithinMillis;
            proxies = of.proxies;
        }

        StreamConfig made() {
            return new StreamConfig(
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    connectTimeoutMillis,
                    firstMessageWithinMillis,
                    messageWithinMillis,
                    idleTimeoutMillis,
                    writeQueueBytes,
                    unfinishedMessagesBytes,
                    unsentMessagesBytes,
                    handshakeWithinMillis,
                    proxies);
        }
    }
}

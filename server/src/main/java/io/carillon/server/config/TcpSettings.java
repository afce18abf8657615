package io.carillon.server.config;

import java.time.Duration;

/**
 * Connections that carry SIP.
 *
 * @param maxConnections cap of a server
 * @param firstMessageWithin until a new connection has to prove useful
 * @param messageWithin from a message's first byte to its last
 * @param idleTimeout without a byte
 * @param connectTimeout of our own connections
 * @param writeQueue bytes that may wait
 */
public record TcpSettings(
        @Setting(
                        value =
                                "Connections that may be open at once; beyond that, the source"
                                        + " that holds most loses one.",
                        more =
                                "Connections of registered phones and of calls are closed last. A"
                                        + " sixteenth of the places is for accepted connections"
                                        + " alone, and a sixteenth for connections that the server"
                                        + " opens.",
                        standard = "20000",
                        min = "1",
                        max = "1000000",
                        common = true,
                        metrics = {
                            "net.connections_open",
                            "net.not_opened_too_many",
                            "net.closed_too_many"
                        })
                int maxConnections,
        @Setting(
                        value = "A new connection that brought no whole message by then is closed.",
                        standard = "10 s",
                        min = "1 s",
                        max = "10 min",
                        metrics = "net.closed_no_first_message")
                Duration firstMessageWithin,
        @Setting(
                        value =
                                "A message has to be whole this long after its first byte, else its connection is closed.",
                        standard = "10 s",
                        min = "1 s",
                        max = "10 min",
                        metrics = "net.closed_slow_message")
                Duration messageWithin,
        @Setting(
                        value =
                                "A connection that carried a message of its peer and then no byte"
                                        + " for so long is closed.",
                        more =
                                "Let it be longer than the registrations of clients that keep"
                                        + " their connections open.",
                        standard = "2 h",
                        min = "10 s",
                        max = "240 h",
                        metrics = "net.closed_idle")
                Duration idleTimeout,
        @Setting(
                        value = "How long our own connection attempts may take.",
                        standard = "5 s",
                        min = "100 ms",
                        max = "60 s")
                Duration connectTimeout,
        @Setting(
                        value =
                                "Bytes that may wait for a slow reader before its connection is closed.",
                        standard = "1 MiB",
                        min = "64 KiB",
                        max = "64 MiB",
                        metrics = "net.closed_write_queue_full")
                ByteSize writeQueue) {}

package io.carillon.server.config;

import java.time.Duration;

/**
 * Calls and the applications that handle them.
 *
 * @param max cap of application sessions
 * @param maxOfOne cap of the SIP sessions of an application session
 * @param addressHeap percent of the heap for long addresses
 * @param maxSubscriptions cap of subscriptions
 * @param slowHandler from when the status names a handler
 */
public record SessionSettings(
        @Setting(
                        value =
                                "Application sessions (calls, as a rule) that may exist at once; a call beyond gets 503.",
                        standard = "200000",
                        min = "1",
                        max = "50000000")
                int max,
        @Setting(
                        value =
                                "SIP sessions (legs of calls, as a rule) that one application session may have; an initial request beyond gets 503. An application with a key has the calls of many callers in one.",
                        standard = "10000",
                        min = "1",
                        max = "10000")
                int maxOfOne,
        @Setting(
                        value =
                                "Percent of the heap that sessions may keep of addresses, routes and Call-IDs that are longer than 2 KiB together. Above it a request with such is refused with 503, a response dropped.",
                        standard = "5",
                        min = "1",
                        max = "45")
                int addressHeap,
        @Setting(
                        value =
                                "Subscriptions (RFC 6665) of applications that may exist at once; a SUBSCRIBE or REFER beyond gets 503.",
                        standard = "200000",
                        min = "1",
                        max = "50000000")
                int maxSubscriptions,
        @Setting(
                        value = "The status names a handler that runs longer than this.",
                        standard = "1 s",
                        min = "10 ms",
                        max = "1 h")
                Duration slowHandler) {}

package io.carillon.server.config;

import java.time.Duration;

/**
 * Calls and the applications that handle them.
 *
 * @param max cap of application sessions
 * @param maxSubscriptions cap of subscriptions
 * @param waitingMessages cap of an application session
 * @param waitingBytes cap of an application session
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
                                "Subscriptions (RFC 6665) of applications that may exist at once; a SUBSCRIBE or REFER beyond gets 503.",
                        standard = "200000",
                        min = "1",
                        max = "50000000")
                int maxSubscriptions,
        @Setting(
                        value =
                                "Messages that may wait while one application session is busy; half of it for requests that begin"
                                        + " something. Beyond, ACKs and responses that come again are dropped, requests get 500"
                                        + " with Retry-After; a BYE, a CANCEL and the last response to a request always get in.",
                        standard = "1000",
                        min = "10",
                        max = "1000000")
                int waitingMessages,
        @Setting(
                        value =
                                "Bytes that those messages may hold; all that wait together count with sip.request-heap.",
                        standard = "1 MiB",
                        min = "64 KiB",
                        max = "256 MiB")
                ByteSize waitingBytes,
        @Setting(
                        value = "The status names a handler that runs longer than this.",
                        standard = "1 s",
                        min = "10 ms",
                        max = "1 h")
                Duration slowHandler) {}

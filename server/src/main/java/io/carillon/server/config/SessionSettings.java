package io.carillon.server.config;

import java.time.Duration;

/**
 * Calls and the applications that handle them.
 *
 * @param max cap of application sessions
 * @param maxSubscriptions cap of subscriptions
 * @param sharePerSource of the application sessions, in percent
 * @param shareOfPages of the application sessions, in percent
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
                                "Percent of max that one source may hold while more than half of it is taken: its"
                                        + " calls and pages beyond get 503. 100: no limit. Sources in guard.trusted"
                                        + " have none.",
                        standard = "25",
                        min = "1",
                        max = "100")
                int sharePerSource,
        @Setting(
                        value =
                                "Percent of max that the visitors of pages may hold together while more than half of"
                                        + " it is taken: pages beyond get 503. 100: no limit.",
                        standard = "50",
                        min = "1",
                        max = "100")
                int shareOfPages,
        @Setting(
                        value = "The status names a handler that runs longer than this.",
                        standard = "1 s",
                        min = "10 ms",
                        max = "1 h")
                Duration slowHandler) {}

package io.carillon.server.config;

import java.time.Duration;

/**
 * New work that is refused while not everything can be served.
 *
 * @param shed whether it ever is
 * @param delay from when on
 * @param handlerDelay from when on, of one application
 * @param retryAfter what phones are told
 */
public record OverloadSettings(
        @Setting(
                        value =
                                "Whether new calls and other new work are refused while messages"
                                        + " wait for longer than `delay`.",
                        more = "Calls that are up, responses, and what ends a call always go on.",
                        standard = "true",
                        metrics = {"sip.shed", "sip.shed_unanswered"})
                boolean shed,
        @Setting(
                        value =
                                "Queueing delay above which new work is refused. 0 ms: all new"
                                        + " work is refused.",
                        more =
                                "The delay is how long messages wait at the socket, in the event"
                                        + " loop, and for a thread that runs the application's"
                                        + " handler.",
                        standard = "10 ms",
                        min = "0 ms",
                        max = "10 s",
                        metrics = {"sip.shed", "sip.shed_unanswered"})
                Duration delay,
        @Setting(
                        value =
                                "An application whose handlers for new calls take longer than this"
                                        + " is late: its new calls are refused with 503.",
                        more =
                                "An application is late only where its handlers also take three"
                                        + " times as long as before. New calls of other"
                                        + " applications are not refused.",
                        reload = true,
                        standard = "500 ms",
                        min = "10 ms",
                        max = "10 min",
                        metrics = "applications.refused_handler_delay")
                Duration handlerDelay,
        @Setting(
                        value =
                                "Longest Retry-After that a phone is told with a refusal, in whole"
                                        + " seconds. 0 s: none.",
                        more =
                                "Each phone is told another value. Proxies and trunks are told"
                                        + " none, as they would send nothing at all then (RFC 3261"
                                        + " 21.5.4).",
                        standard = "10 s",
                        min = "0 s",
                        max = "1 h")
                Duration retryAfter) {}

package io.carillon.server.config;

import java.time.Duration;

/**
 * Calls and the applications that handle them.
 *
 * @param max cap of application sessions
 * @param maxOfOne cap of the SIP sessions of an application session
 * @param addressHeap percent of the heap for long addresses
 * @param maxSubscriptions cap of subscriptions
 * @param waitingMessages cap of an application session
 * @param waitingBytes cap of an application session
 * @param sharePerSource of the application sessions, in percent
 * @param shareOfPages of the application sessions, in percent
 * @param expiredCalls what becomes of calls whose application session expires
 * @param slowHandler from when the status names a handler
 */
public record SessionSettings(
        @Setting(
                        value =
                                "Application sessions (calls, as a rule) that may exist at once; a"
                                        + " call beyond gets 503. 0: the heap decides.",
                        more =
                                "0 allows as many as the heap has room for at 3 KiB each, and no"
                                        + " more than 200000.",
                        reload = true,
                        standard = "0",
                        min = "0",
                        max = "50000000",
                        common = true,
                        metrics = {
                            "application.sessions",
                            "applications.refused",
                            "applications.refused_share"
                        })
                int max,
        @Setting(
                        value =
                                "SIP sessions (legs of calls, as a rule) that one application"
                                        + " session may have; an initial request beyond gets 503.",
                        more =
                                "An application with a key has the calls of many callers in one"
                                        + " application session.",
                        reload = true,
                        standard = "10000",
                        min = "1",
                        max = "10000",
                        metrics = "applications.refused_of_one")
                int maxOfOne,
        @Setting(
                        value =
                                "Percent of the heap that sessions may keep beyond what is usual,"
                                        + " as of long addresses; requests beyond it get 503.",
                        more =
                                "Beyond what is usual are: addresses, routes and Call-IDs longer"
                                        + " than 640 bytes together; more than four routes;"
                                        + " descriptions longer than the one that session timers"
                                        + " offer again; the third and further SIP sessions of one"
                                        + " application session, 1536 bytes each. Above the bound,"
                                        + " a request that has or needs any of these is refused"
                                        + " with 503. Such a response is dropped, and such a"
                                        + " description is not kept.",
                        standard = "5",
                        min = "1",
                        max = "45",
                        unit = "%",
                        metrics = {"applications.refused_addresses", "applications.address_bytes"})
                int addressHeap,
        @Setting(
                        value =
                                "Subscriptions (RFC 6665) of applications that may exist at once; a SUBSCRIBE or REFER beyond gets 503.",
                        reload = true,
                        standard = "200000",
                        min = "1",
                        max = "50000000",
                        metrics = {
                            "applications.subscriptions_refused",
                            "applications.subscriptions"
                        })
                int maxSubscriptions,
        @Setting(
                        value =
                                "Messages that may wait while one application session is busy;"
                                        + " requests beyond get 500 with Retry-After.",
                        more =
                                "Requests that begin something have half of it. Beyond the bound,"
                                        + " ACKs and responses that come again are dropped. A BYE,"
                                        + " a CANCEL and the last response to a request always get"
                                        + " in.",
                        standard = "1000",
                        min = "10",
                        max = "1000000",
                        metrics = {"sip.messages_not_queued", "sip.requests_not_queued"})
                int waitingMessages,
        @Setting(
                        value =
                                "Bytes that those messages may hold; all that wait together count"
                                        + " with sip.request-heap.",
                        standard = "1 MiB",
                        min = "64 KiB",
                        max = "256 MiB",
                        metrics = {
                            "sip.bytes_waiting",
                            "sip.messages_not_queued",
                            "sip.requests_not_queued"
                        })
                ByteSize waitingBytes,
        @Setting(
                        value =
                                "Percent that one source may hold of what others leave of `max`;"
                                        + " its calls and pages beyond get 503. 100: no limit.",
                        more =
                                "The limit holds while more than half of `max` is taken. Sources"
                                        + " in `guard.trusted` have no limit.",
                        standard = "25",
                        min = "1",
                        max = "100",
                        unit = "%",
                        metrics = {
                            "applications.refused_share",
                            "applications.refused_pages",
                            "applications.refused_of_one",
                            "applications.subscriptions_refused"
                        })
                int sharePerSource,
        @Setting(
                        value =
                                "Percent of `max` that the visitors of pages may hold together;"
                                        + " pages beyond get 503. 100: no limit.",
                        more = "The limit holds while more than half of `max` is taken.",
                        standard = "50",
                        min = "1",
                        max = "100",
                        unit = "%",
                        metrics = {"applications.refused_pages", "applications.sessions_of_pages"})
                int shareOfPages,
        @Setting(
                        reload = true,
                        value =
                                "What becomes of a call that is up when its application session"
                                        + " expires (session-timeout): BYE to both ends, or"
                                        + " nothing. A proxy can send none.",
                        standard = "bye")
                ExpiredCalls expiredCalls,
        @Setting(
                        reload = true,
                        value = "The status names a handler that runs longer than this.",
                        standard = "1 s",
                        min = "10 ms",
                        max = "1 h")
                Duration slowHandler) {

    /** What becomes of calls whose application session expires. */
    public enum ExpiredCalls {
        /** BYE to the legs of user agents and B2BUAs. */
        BYE,
        /** They stay as they are at their ends. */
        LEAVE
    }
}

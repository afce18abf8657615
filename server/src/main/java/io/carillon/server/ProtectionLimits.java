package io.carillon.server;

import io.carillon.net.count.NetworkCounter;
import io.carillon.server.config.ByteSize;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.GuardSettings;
import io.carillon.server.config.SipSettings;
import io.carillon.server.config.TcpSettings;
import io.carillon.server.guard.Limit;
import io.carillon.server.guard.Limit.Setting;
import io.carillon.servlet.HeapBounds;
import io.carillon.sip.observe.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The limits whose refusals are counted where they happen and told by a {@link
 * io.carillon.server.guard.LimitWatch}: one row each. Rates, bans, handshakes and refused
 * connections of strangers write lines of their own, which name the source.
 */
final class ProtectionLimits {
    private ProtectionLimits() {}

    static List<Limit> of(Configuration all) {
        return of(all, () -> "");
    }

    /**
     * As {@link #of(Configuration)}.
     *
     * @param lastOverShare whose call or page was refused last as he held his share
     */
    static List<Limit> of(Configuration all, Supplier<String> lastOverShare) {
        SipSettings sip = all.sip();
        TcpSettings tcp = all.tcp();
        GuardSettings guard = all.guard();
        Setting maxMessage = setting("sip.max-message", sip.maxMessage());
        Setting maxHeader = setting("sip.max-header", sip.maxHeader());
        Setting maxHeaders = setting("sip.max-headers", sip.maxHeaders());
        Setting requestHeap = percent("sip.request-heap", sip.requestHeap());
        Setting shareOfRequests = percent("sip.share-per-source", sip.sharePerSource());
        Setting shareOfSessions =
                percent("sessions.share-per-source", all.sessions().sharePerSource());
        HeapBounds bounds = SipTranslation.bounds(all);
        Setting sessions = new Setting("sessions.max", sessions(all, bounds));
        Setting transactions = new Setting("sip.max-transactions", transactions(sip, bounds));
        Setting waitingMessages =
                setting("sessions.waiting-messages", all.sessions().waitingMessages());
        Setting waitingBytes = setting("sessions.waiting-bytes", all.sessions().waitingBytes());
        return List.of(
                limit(Counter.REFUSED_FULL, "Refused {} requests with 503", transactions),
                limit(
                        Counter.UNSENT_FULL,
                        "Failed {} requests of applications with 503",
                        transactions,
                        requestHeap),
                limit(Counter.REFUSED_BYTES, "Refused {} requests with 503", requestHeap),
                limit(Counter.REFUSED_LARGE, "Refused {} large requests with 503", requestHeap),
                limit(
                        Counter.FINALS_NOT_KEPT,
                        "Kept {} large final responses or ACKs not to be sent again",
                        requestHeap),
                limit(
                        Counter.REFUSED_SHARE,
                        "Refused {} requests with 503 to who holds his share",
                        shareOfRequests,
                        requestHeap,
                        transactions),
                limit(
                        Counter.MESSAGES_NOT_QUEUED,
                        "Dropped {} ACKs and responses for busy calls, which come again",
                        waitingMessages,
                        waitingBytes,
                        requestHeap),
                limit(
                        Counter.REQUESTS_NOT_QUEUED,
                        "Refused {} requests for busy calls with 500",
                        waitingMessages,
                        waitingBytes,
                        requestHeap,
                        shareOfRequests),
                limit(
                        Counter.FINALS_NOT_QUEUED,
                        "Told applications 503 in place of {} final responses",
                        requestHeap),
                limit(
                        NetworkCounter.HOPS_DROPPED,
                        "Dropped {} messages on their way to another shard",
                        requestHeap),
                limit(
                        Counter.MALFORMED_ANSWERED,
                        "Refused {} malformed or too large requests with 400, 413 or 513",
                        maxMessage,
                        maxHeader,
                        maxHeaders),
                limit(
                        Counter.FORKS_REFUSED,
                        "Dropped {} messages of further forks, or passed on a 2xx without a session",
                        setting("guard.forks", guard.forks())),
                limit(
                        Counter.RANG_TOO_LONG,
                        "Cancelled {} INVITEs that only rang",
                        setting("sip.ringing-within", sip.ringingWithin())),
                limit(Counter.REDIRECTS_REFUSED, "Left {} targets of redirects untried"),
                limit(
                        "applications.returns_forgotten",
                        "Forgot {} requests that were sent away by ROUTE_BACK"),
                limit(
                        "applications.late_answers_left",
                        "Did not confirm and end {} late answers to INVITEs of ours"),
                limit("applications.refused", "Refused {} requests with 503", sessions),
                limit(
                                "applications.refused_share",
                                "Refused {} requests with 503 to who holds his share",
                                sessions,
                                shareOfSessions)
                        .naming(lastOverShare),
                limit(
                                "applications.refused_pages",
                                "Refused {} pages a session",
                                percent("sessions.share-of-pages", all.sessions().shareOfPages()),
                                shareOfSessions)
                        .naming(lastOverShare),
                limit(
                        "applications.refused_addresses",
                        "Refused {} messages with long addresses or for further sessions with 503, or dropped them",
                        setting("sessions.address-heap", all.sessions().addressHeap())),
                limit(
                        "applications.refused_of_one",
                        "Refused {} requests for an application session that is full with 503",
                        setting("sessions.max-of-one", all.sessions().maxOfOne()),
                        shareOfSessions),
                limit(
                        "applications.subscriptions_refused",
                        "Refused {} requests for subscriptions with 503",
                        setting("sessions.max-subscriptions", all.sessions().maxSubscriptions()),
                        shareOfSessions),
                limit(
                        "applications.log_lines_left_out",
                        "Left out {} lines of applications",
                        setting("guard.application-log", guard.applicationLog())),
                limit(
                        "security.lookups_refused",
                        "Refused {} requests with 503, as the database is asked for too many users",
                        setting("security.lookups", all.security().lookups())),
                limit(
                        "security.nonces_forgotten",
                        "Forgot {} nonces, which are asked for anew,",
                        setting("security.nonces", all.security().nonces())),
                limit(
                        "security.users_forgotten",
                        "Forgot {} users or names of nobody",
                        setting("security.users-remembered", all.security().usersRemembered())),
                limit(
                        "security.uris_refused",
                        "Refused {} requests with credentials for another URI with 400",
                        new Setting(
                                "security.digest-uri",
                                all.security().digestUri().name().toLowerCase(Locale.ROOT))),
                limit(
                        "identity.certificate_fetches_refused",
                        "Did not fetch {} certificates",
                        setting("identity.verify.fetches", all.identity().verify().fetches())),
                limit(
                        "identity.certificates_forgotten",
                        "Forgot {} certificates",
                        setting(
                                "identity.verify.certificates",
                                all.identity().verify().certificates())),
                limit(
                        "identity.passports_forgotten",
                        "Forgot {} PASSporTs that were still fresh",
                        setting(
                                "identity.verify.remembered",
                                all.identity().verify().remembered())),
                limit(
                        NetworkCounter.CLOSED_SILENT,
                        "Closed {} connections without a first message",
                        setting("tcp.first-message-within", tcp.firstMessageWithin())),
                limit(
                        NetworkCounter.CLOSED_SLOW_MESSAGE,
                        "Closed {} connections for a message that took too long",
                        setting("tcp.message-within", tcp.messageWithin())),
                limit(
                        NetworkCounter.CLOSED_MALFORMED,
                        "Closed {} connections for bytes that are no SIP or a message too large",
                        maxMessage,
                        maxHeader,
                        maxHeaders),
                limit(
                        NetworkCounter.CLOSED_WRITE_QUEUE_FULL,
                        "Closed {} connections for a peer that does not read",
                        setting("tcp.write-queue", tcp.writeQueue()),
                        setting("guard.unsent-messages", guard.unsentMessages())),
                limit(
                        NetworkCounter.CLOSED_BUFFERS_FULL,
                        "Closed {} connections as unfinished messages hold too much",
                        setting("guard.unfinished-messages", guard.unfinishedMessages())),
                limit(
                        NetworkCounter.CLOSED_PING_FLOOD,
                        "Closed {} connections for too many WebSocket pings",
                        setting("ws.max-pings", all.ws().maxPings())),
                limit(
                        NetworkCounter.CLOSED_FRAGMENT_FLOOD,
                        "Closed {} connections for too many fragments of WebSocket messages",
                        setting("ws.max-fragments", all.ws().maxFragments())),
                limit(
                        NetworkCounter.NOT_OPENED_TOO_MANY,
                        "Did not open {} connections of ours",
                        setting("tcp.max-connections", tcp.maxConnections())),
                limit(
                        NetworkCounter.LOOKUPS_REJECTED,
                        "Did not ask the DNS {} questions",
                        setting("dns.max-waiting", all.dns().maxWaiting())),
                limit(
                        NetworkCounter.LOOKUPS_OVER_BUDGET,
                        "Did not ask the DNS {} questions beyond those of one request",
                        setting("dns.max-questions", all.dns().maxQuestions())),
                limit(
                        NetworkCounter.DATAGRAMS_UNSENT,
                        "Dropped {} datagrams that the kernel did not take"),
                limit(
                        NetworkCounter.STUN_DROPPED,
                        "Dropped {} STUN messages, malformed or too many in a second"),
                limit(
                        "database.refused",
                        "Got no connection to the database {} times",
                        setting("database.connections", all.database().connections()),
                        setting("database.max-waiting", all.database().maxWaiting())),
                limit(
                        "trace.hep_dropped",
                        "Dropped {} messages for the collector",
                        setting("trace.hep-queue", all.trace().hepQueue())),
                limit("log.suppressed", "Left out {} warnings of libraries that were like others"),
                limit("log.lines_left_out", "Left out {} lines of this log as its queue was full"),
                limit(
                        "http.closed_slow_head",
                        "Closed {} HTTP connections for a head that took too long",
                        setting("http.head-within", all.http().headWithin())),
                limit(
                        "http.connections_full",
                        "Let HTTP connections wait {} times",
                        setting("http.max-connections", all.http().maxConnections())),
                limit(
                        "http.closed_too_many",
                        "Closed {} HTTP connections for others, of the sources with most",
                        setting("http.max-connections", all.http().maxConnections())),
                limit(
                        "http.slow_bodies",
                        "Gave up {} HTTP requests whose body came too slowly",
                        setting("http.min-data-rate", all.http().minDataRate())),
                limit(
                        "http.closed_slow_reader",
                        "Closed {} HTTP connections whose reader was too slow",
                        setting("http.min-data-rate", all.http().minDataRate())),
                limit(
                        "http.refused_no_thread",
                        "Refused {} HTTP requests with 503",
                        setting("http.max-threads", all.http().maxThreads())),
                limit(
                        "http.refused_no_room",
                        "Gave up {} HTTP requests whose bodies were coming with 503"),
                limit(
                        "http.refused_host",
                        "Refused {} HTTP requests to a name that is not ours with 421",
                        new Setting("http.hosts", String.valueOf(all.http().hosts()))));
    }

    private static Limit limit(Counter counter, String words, Setting... settings) {
        return limit(SipCounters.name(counter), words, settings);
    }

    private static Limit limit(NetworkCounter counter, String words, Setting... settings) {
        return limit(SipCounters.name(counter), words, settings);
    }

    private static Limit limit(String counter, String words, Setting... settings) {
        return new Limit(counter, words, List.of(settings));
    }

    private static Setting setting(String key, int value) {
        return new Setting(key, Integer.toString(value));
    }

    private static Setting percent(String key, int value) {
        return new Setting(key, value + " %");
    }

    private static Setting setting(String key, ByteSize value) {
        return new Setting(key, value.toString());
    }

    private static Setting setting(String key, Duration value) {
        boolean whole = value.toMillisPart() == 0;
        return new Setting(key, whole ? value.toSeconds() + " s" : value.toMillis() + " ms");
    }

    /** The heap may hold fewer than the setting says. */
    private static String transactions(SipSettings sip, HeapBounds bounds) {
        return bounds.transactions() < sip.maxTransactions()
                ? sip.maxTransactions() + " and the heap has room for " + bounds.transactions()
                : Integer.toString(sip.maxTransactions());
    }

    private static String sessions(Configuration all, HeapBounds bounds) {
        return all.sessions().max() == 0
                ? bounds.sessions() + " by the size of the heap"
                : Integer.toString(bounds.sessions());
    }
}

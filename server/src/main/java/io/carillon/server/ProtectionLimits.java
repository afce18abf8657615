package io.carillon.server;

import io.carillon.net.count.NetworkCounter;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationKey;
import io.carillon.server.config.ConfigurationKeys;
import io.carillon.server.config.SipSettings;
import io.carillon.server.guard.Limit;
import io.carillon.server.guard.Limit.Setting;
import io.carillon.servlet.HeapBounds;
import io.carillon.sip.observe.Counter;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The limits whose refusals are counted where they happen and told by a {@link
 * io.carillon.server.guard.LimitWatch}: one row each. Rates, bans, handshakes and refused
 * connections of strangers write lines of their own, which name the source. Which keys move a
 * limit, the keys say ({@link ConfigurationKey#metrics}).
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
        HeapBounds bounds = SipTranslation.bounds(all);
        return rows(lastOverShare)
                .map(row -> row.moved(settings(row.counter(), all, bounds)))
                .toList();
    }

    private static Stream<Limit> rows(Supplier<String> lastOverShare) {
        return Stream.of(stack(), applications(lastOverShare), people(), network(), pages())
                .flatMap(List::stream);
    }

    /** Requests, and what waits for busy calls. */
    private static List<Limit> stack() {
        return List.of(
                limit(Counter.SHED, "Refused {} requests before they were parsed"),
                limit(Counter.SHED_UNANSWERED, "Dropped {} requests without an answer"),
                limit(Counter.REFUSED_FULL, "Refused {} requests with 503"),
                limit(Counter.UNSENT_FULL, "Failed {} requests of applications with 503"),
                limit(Counter.REFUSED_REQUEST_HEAP, "Refused {} requests with 503"),
                limit(Counter.REFUSED_LARGE, "Refused {} large requests with 503"),
                limit(
                        Counter.FINALS_NOT_KEPT,
                        "Kept {} large final responses or ACKs not to be sent again"),
                limit(Counter.REFUSED_SHARE, "Refused {} requests with 503 to who holds his share"),
                limit(
                        Counter.MESSAGES_NOT_QUEUED,
                        "Dropped {} ACKs and responses for busy calls, which come again"),
                limit(Counter.REQUESTS_NOT_QUEUED, "Refused {} requests for busy calls with 500"),
                limit(
                        Counter.FINALS_NOT_QUEUED,
                        "Told applications 503 in place of {} final responses"),
                limit(
                        Counter.MALFORMED_ANSWERED,
                        "Refused {} malformed or too large requests with 400, 413 or 513"),
                limit(
                        Counter.FORKS_REFUSED,
                        "Dropped {} messages of further forks, or passed on a 2xx without a session"),
                limit(Counter.RINGING_TOO_LONG, "Cancelled {} INVITEs that only rang"),
                limit(Counter.REDIRECTS_REFUSED, "Left {} targets of redirects untried"));
    }

    /** Sessions and what applications make. */
    private static List<Limit> applications(Supplier<String> lastOverShare) {
        return List.of(
                limit(
                        "applications.returns_forgotten",
                        "Forgot {} requests that were sent away by ROUTE_BACK"),
                limit(
                        "applications.late_answers_left",
                        "Did not confirm and end {} late answers to INVITEs of ours"),
                limit("applications.refused", "Refused {} requests with 503"),
                limit(
                                "applications.refused_share",
                                "Refused {} requests with 503 to who holds his share")
                        .naming(lastOverShare),
                limit(
                        "applications.refused_handler_delay",
                        "Refused {} requests with 503 as their application is late"),
                limit("applications.refused_pages", "Refused {} pages a session")
                        .naming(lastOverShare),
                limit(
                        "applications.refused_addresses",
                        "Refused {} messages with long addresses or for further sessions with 503, or dropped them"),
                limit(
                        "applications.refused_of_one",
                        "Refused {} requests for an application session that is full with 503"),
                limit(
                        "applications.subscriptions_refused",
                        "Refused {} requests for subscriptions with 503"),
                limit("applications.log_lines_left_out", "Left out {} lines of applications"));
    }

    /** Who a caller is, and the database that knows. */
    private static List<Limit> people() {
        return List.of(
                limit(
                        "security.lookups_refused",
                        "Refused {} requests with 503, as the database is asked for too many users"),
                limit("security.nonces_forgotten", "Forgot {} nonces, which are asked for anew,"),
                limit("security.users_forgotten", "Forgot {} users or names of nobody"),
                limit(
                        "security.uris_refused",
                        "Refused {} requests with credentials for another URI with 400"),
                limit("identity.certificate_fetches_refused", "Did not fetch {} certificates"),
                limit("identity.certificates_forgotten", "Forgot {} certificates"),
                limit(
                        "identity.remembered_passports_forgotten",
                        "Forgot {} PASSporTs that were still fresh"),
                limit("database.refused", "Got no connection to the database {} times"));
    }

    /** Connections, datagrams and the DNS. */
    private static List<Limit> network() {
        return List.of(
                limit(
                        NetworkCounter.HOPS_DROPPED,
                        "Dropped {} messages on their way to another shard"),
                limit(
                        NetworkCounter.CLOSED_NO_FIRST_MESSAGE,
                        "Closed {} connections without a first message"),
                limit(
                        NetworkCounter.CLOSED_SLOW_MESSAGE,
                        "Closed {} connections for a message that took too long"),
                limit(
                        NetworkCounter.CLOSED_MALFORMED,
                        "Closed {} connections for bytes that are no SIP or a message too large"),
                limit(
                        NetworkCounter.CLOSED_WRITE_QUEUE_FULL,
                        "Closed {} connections for a peer that does not read"),
                limit(
                        NetworkCounter.CLOSED_UNFINISHED_MESSAGES,
                        "Closed {} connections as unfinished messages hold too much"),
                limit(
                        NetworkCounter.CLOSED_PING_FLOOD,
                        "Closed {} connections for too many WebSocket pings"),
                limit(
                        NetworkCounter.CLOSED_FRAGMENT_FLOOD,
                        "Closed {} connections for too many fragments of WebSocket messages"),
                limit(NetworkCounter.NOT_OPENED_TOO_MANY, "Did not open {} connections of ours"),
                limit(NetworkCounter.LOOKUPS_TOO_MANY_WAITING, "Did not ask the DNS {} questions"),
                limit(
                        NetworkCounter.LOOKUPS_TOO_MANY_QUESTIONS,
                        "Did not ask the DNS {} questions beyond those of one request"),
                limit(
                        NetworkCounter.DATAGRAMS_UNSENT,
                        "Dropped {} datagrams that the kernel did not take"),
                limit(
                        NetworkCounter.STUN_DROPPED,
                        "Dropped {} STUN messages, malformed or too many in a second"));
    }

    /** HTTP, traces and the log. */
    private static List<Limit> pages() {
        return List.of(
                limit("trace.hep_dropped", "Dropped {} messages for the collector"),
                limit("cdr.legs_not_followed", "Kept no call record of {} legs"),
                limit("cdr.records_dropped_queue", "Dropped {} call records of applications' own"),
                limit(
                        "cdr.records_dropped_spool",
                        "Dropped {} call records as a sink is away and its spool is full"),
                limit(
                        "cdr.files_deleted_keep_size",
                        "Deleted {} files of call records to make room"),
                limit("telemetry.calls_not_followed", "Followed {} calls without a trace"),
                limit("telemetry.spans_given_up", "Gave up {} spans of calls to make room"),
                limit("log.suppressed", "Left out {} warnings of libraries that were like others"),
                limit("log.lines_left_out", "Left out {} lines of this log as its queue was full"),
                limit(
                        "http.closed_slow_head",
                        "Closed {} HTTP connections for a head that took too long"),
                limit("http.connections_full", "Let HTTP connections wait {} times"),
                limit(
                        "http.closed_too_many",
                        "Closed {} HTTP connections for others, of the sources with most"),
                limit(
                        "http.refused_data_rate",
                        "Gave up {} HTTP requests whose body came too slowly"),
                limit(
                        "http.closed_data_rate",
                        "Closed {} HTTP connections whose reader was too slow"),
                limit("http.refused_no_thread", "Refused {} HTTP requests with 503"),
                limit(
                        "http.refused_no_room",
                        "Gave up {} HTTP requests whose bodies were coming with 503"),
                limit(
                        "http.refused_host",
                        "Refused {} HTTP requests to a name that is not ours with 421"));
    }

    private static Limit limit(Counter counter, String words) {
        return limit(SipCounters.name(counter), words);
    }

    private static Limit limit(NetworkCounter counter, String words) {
        return limit(SipCounters.name(counter), words);
    }

    private static Limit limit(String counter, String words) {
        return new Limit(counter, words, List.of());
    }

    /** The keys that move a limit, with their values now. */
    private static List<Setting> settings(String counter, Configuration all, HeapBounds bounds) {
        return ConfigurationKeys.shownBy(counter).stream()
                .map(key -> new Setting(key.name(), value(key, all, bounds)))
                .toList();
    }

    private static String value(ConfigurationKey key, Configuration all, HeapBounds bounds) {
        return switch (key.name()) {
            case "sip.max-transactions" -> transactions(all.sip(), bounds);
            case "sessions.max" -> sessions(all, bounds);
            default -> ConfigurationKeys.written(key, all);
        };
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

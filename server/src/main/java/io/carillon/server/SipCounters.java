package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.net.count.NetworkCounter;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.tls.TlsSide;
import io.carillon.servlet.ContainerStatus;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.security.Security;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** What network, shards and container count, added up. Any thread. */
final class SipCounters {
    /** They are there where nobody verifies too, so that a board finds what it is made for. */
    private static final List<String> IDENTITY =
            List.of(
                    "certificate_fetches_refused",
                    "certificates_forgotten",
                    "remembered_passports_forgotten",
                    "passports_replayed");

    /** Connections that a limit of ours closed, or did not let begin. */
    private static final List<NetworkCounter> LIMITS =
            List.of(
                    NetworkCounter.CLOSED_HANDSHAKE_TIMEOUT,
                    NetworkCounter.CLOSED_UPGRADE_TIMEOUT,
                    NetworkCounter.CLOSED_PING_FLOOD,
                    NetworkCounter.CLOSED_FRAGMENT_FLOOD,
                    NetworkCounter.CLOSED_NO_FIRST_MESSAGE,
                    NetworkCounter.CLOSED_UNANSWERED,
                    NetworkCounter.CLOSED_SLOW_MESSAGE,
                    NetworkCounter.CLOSED_IDLE,
                    NetworkCounter.CLOSED_MALFORMED,
                    NetworkCounter.CLOSED_WRITE_QUEUE_FULL,
                    NetworkCounter.CLOSED_TOO_MANY,
                    NetworkCounter.NOT_OPENED_TOO_MANY,
                    NetworkCounter.CLOSED_TOO_FAST,
                    NetworkCounter.CLOSED_BANNED,
                    NetworkCounter.CLOSED_UNFINISHED_MESSAGES);

    /** About so many there are. */
    private static final int MANY = 400;

    // Made once: somebody looks every second, of a server that has nothing else to do.
    private static final Map<Counter, String> NAMES = new EnumMap<>(Counter.class);
    private static final Map<NetworkCounter, String> NETWORK_NAMES =
            new EnumMap<>(NetworkCounter.class);

    static {
        for (Counter counter : Counter.values()) {
            NAMES.put(counter, "sip." + counter.name().toLowerCase(Locale.ROOT));
        }
        for (NetworkCounter counter : NetworkCounter.values()) {
            NETWORK_NAMES.put(counter, "net." + counter.text());
        }
    }

    private final Network network;
    private final SipContainer container;
    private final TlsSide tls;
    private final Tracing tracing;

    SipCounters(Network network, SipContainer container, TlsSide tls, Tracing tracing) {
        this.network = network;
        this.container = container;
        this.tls = tls;
        this.tracing = tracing;
    }

    /** Its name among {@link #all}. */
    static String name(Counter counter) {
        return Objects.requireNonNull(NAMES.get(counter));
    }

    /** Its name among {@link #all}. */
    static String name(NetworkCounter counter) {
        return Objects.requireNonNull(NETWORK_NAMES.get(counter));
    }

    /**
     * Everything that is counted below, under one name each: {@code sip.}, {@code net.}, {@code
     * applications.}, {@code security.} and {@code identity.}. In no order; the caller's.
     */
    Map<String, Long> all() {
        Map<String, Long> all = HashMap.newHashMap(MANY);
        NAMES.forEach((counter, name) -> all.put(name, sum(counter)));
        all.put("sip.bytes_held", bytes(Shard::heldBytes));
        all.put("sip.bytes_waiting", bytes(shard -> shard.waiting().bytes()));
        NETWORK_NAMES.forEach((counter, name) -> all.put(name, network.counters().get(counter)));
        tls.counts().forEach((name, value) -> all.put("tls." + name, value));
        all.putAll(tracing.counters());
        ContainerStatus status = container.status();
        all.put("applications.initial_requests", status.initialRequests());
        all.put("applications.sessions_expired", status.sessionsExpired());
        all.put("applications.calls_outlived", container.counters().outlived.sum());
        all.put("applications.errors", status.applicationErrors());
        all.put("applications.container_errors", status.containerErrors());
        all.put("applications.strays", status.strays());
        refusals(all, status);
        all.put("applications.no_application", status.noApplication());
        all.put("applications.screened", status.screened());
        all.put("applications.acks_missing", status.acksMissing());
        all.put("applications.late_answers", status.lateAnswers());
        all.put("applications.late_answers_left", container.counters().lateAnswersLeft.sum());
        all.put("applications.subscriptions", container.counters().subscriptions.sum());
        all.put(
                "applications.subscriptions_refused",
                container.counters().subscriptionsRefused.sum());
        all.put(
                "applications.session_timers_expired",
                container.counters().sessionTimersExpired.sum());
        all.put("applications.returns_forgotten", container.counters().returnsForgotten.sum());
        all.put("applications.log_lines_left_out", container.counters().logLinesLeftOut.sum());
        all.put("applications.rescued", status.rescued());
        Security security = container.security();
        all.put("security.nonces_forgotten", security.noncesForgotten());
        all.put("security.users_forgotten", security.users().forgotten());
        all.put("security.lookups_refused", security.users().refused());
        all.put("security.uris_refused", security.urisRefused());
        all.put("security.credentials_consumed", security.consumed());
        IDENTITY.forEach(name -> all.put("identity." + name, 0L));
        VerificationPolicy verification = container.settings().verification();
        if (verification != null) {
            verification
                    .verifier()
                    .counters()
                    .forEach((name, value) -> all.put("identity." + name, value));
        }
        all.put("applications.callbacks_too_long", container.counters().callbacksTooLong.sum());
        all.put("applications.threads_left_behind", (long) container.callbacksLeftBehind().size());
        return all;
    }

    /** Initial requests and pages that applications did not get. */
    private void refusals(Map<String, Long> all, ContainerStatus status) {
        all.put("applications.refused", status.refused());
        all.put("applications.refused_share", container.counters().refusedShare.sum());
        all.put("applications.refused_pages", container.counters().refusedPages.sum());
        all.put("applications.sessions_of_pages", (long) container.sessions().shares().pages());
        all.put(
                "applications.refused_handler_delay",
                container.features().handlerLoads().refused().sum());
        all.put("applications.refused_of_one", container.counters().refusedOfOne.sum());
        all.put("applications.refused_addresses", container.counters().refusedAddresses.sum());
        all.put("applications.address_bytes", container.keptAddresses().bytes());
        all.put("applications.refused_stopping", container.counters().refusedStopping.sum());
    }

    ServerStatus.Messages messages() {
        return new ServerStatus.Messages(
                sum(Counter.REQUESTS_IN, Counter.REQUESTS_IN),
                sum(Counter.REQUESTS_OUT, Counter.REQUESTS_OUT),
                sum(Counter.RESPONSES_IN_1XX, Counter.RESPONSES_IN_6XX),
                sum(Counter.RESPONSES_OUT_1XX, Counter.RESPONSES_OUT_6XX),
                sum(Counter.REQUEST_RETRANSMISSIONS_SEEN, Counter.RESPONSE_RETRANSMISSIONS_SEEN),
                sum(Counter.REQUEST_RETRANSMISSIONS_SENT, Counter.RESPONSE_RETRANSMISSIONS_SENT),
                sum(Counter.MALFORMED_ANSWERED, Counter.MALFORMED_ANSWERED),
                sum(Counter.MALFORMED_DROPPED, Counter.DROPPED_SEVERAL_VIAS)
                        + network.counters().get(NetworkCounter.HOPS_DROPPED)
                        + network.counters().get(NetworkCounter.DATAGRAMS_OVER_RATE)
                        + network.counters().get(NetworkCounter.DATAGRAMS_BANNED)
                        + network.counters().get(NetworkCounter.DATAGRAMS_UNSENT));
    }

    ServerStatus.Connections connections() {
        long limited = 0;
        for (NetworkCounter counter : LIMITS) {
            limited += network.counters().get(counter);
        }
        return new ServerStatus.Connections(
                network.counters().get(NetworkCounter.CONNECTIONS_OPEN), limited);
    }

    private long bytes(ToLongFunction<Shard> ofShard) {
        return network.shards().stream().mapToLong(ofShard).sum();
    }

    /** The sum of a range of counters over all shards. */
    private long sum(Counter first, Counter last) {
        long sum = 0;
        for (Counter counter : EnumSet.range(first, last)) {
            sum += sum(counter);
        }
        return sum;
    }

    private long sum(Counter counter) {
        long sum = 0;
        for (Shard shard : network.shards()) {
            sum += shard.counters().get(counter);
        }
        return sum;
    }
}

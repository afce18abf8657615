package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.HandshakeOutcome;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.telemetry.records.CallListener.Kind;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Histograms of calls and handlers: their buckets in seconds, their labels, and how many. */
class CallMetersTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final PrometheusMeterRegistry registry = Meters.registry();
    private final CallMeters meters =
            new CallMeters(
                    registry,
                    new ListenerNames(() -> List.of(ListeningPoint.parse("udp:127.0.0.1:5060"))));

    @Test
    void timesAreInSecondsByDirectionApplicationListenerAndPeer() {
        meters.rang(new Kind(true, "b2bua", "udp:127.0.0.1:5060", "trunk"), 30 * MILLI);
        assertThat(registry.scrape())
                .contains(
                        "carillon_call_ring_seconds_bucket{application=\"b2bua\",direction=\"in\",listener=\"udp:127.0.0.1:5060\",peer=\"trunk\",le=\"0.01\"} 0")
                .contains(
                        "carillon_call_ring_seconds_bucket{application=\"b2bua\",direction=\"in\",listener=\"udp:127.0.0.1:5060\",peer=\"trunk\",le=\"0.05\"} 1");
    }

    @Test
    void anUnansweredCallHasNoLengthAndAStatus() {
        meters.ended(new Kind(false, "b2bua", "", ""), 486, "callee", -1);
        meters.ended(new Kind(false, "b2bua", "", ""), 0, "network", -1);
        assertThat(registry.scrape())
                .contains("status=\"4xx\"")
                .contains("status=\"none\"")
                .contains("ended_by=\"network\"")
                .doesNotContain("carillon_call_length");
    }

    @Test
    void whatAStrangerSendsMakesNoSeries() {
        for (int i = 0; i < 1000; i++) {
            meters.handled("app", "METHOD" + i, MILLI, false);
            meters.handled("app", "200 METHOD" + i, MILLI, false);
        }
        meters.handled("app", "INVITE", MILLI, true);
        meters.handled("app", "timeout", MILLI, false);
        String page = registry.scrape();
        assertThat(page.lines().filter(l -> l.startsWith("carillon_handler_seconds_count")))
                .hasSize(4);
        assertThat(page).contains("kind=\"listener\"").contains("outcome=\"threw\"");
    }

    @Test
    void namesThatWereLookedUpAreTimedByWhatWasFound() {
        meters.resolved(true, 30 * MILLI);
        meters.resolved(true, 3 * MILLI);
        meters.resolved(false, 5_000 * MILLI);
        assertThat(registry.scrape())
                .contains("carillon_dns_lookup_seconds_bucket{outcome=\"found\",le=\"0.005\"} 1")
                .contains("carillon_dns_lookup_seconds_bucket{outcome=\"found\",le=\"0.05\"} 2")
                .contains("carillon_dns_lookup_seconds_count{outcome=\"nothing\"} 1");
    }

    @Test
    void aLegIsOfTheListeningPointThatItsInviteCameTo() {
        assertThat(meters.listeningPoint(hop("127.0.0.1", 5060))).isEqualTo("udp:127.0.0.1:5060");
        assertThat(meters.listeningPoint(hop("127.0.0.1", 49152))).isEmpty();
    }

    private static Hop hop(String local, int port) {
        return new Hop(
                Transport.UDP,
                new InetSocketAddress(local, port),
                new InetSocketAddress("127.0.0.9", 5060),
                0);
    }

    @Test
    void tenThousandListenersDoNotMakeTenThousandSeries() {
        HandshakeMeters handshakes = new HandshakeMeters(registry);
        for (int i = 0; i < 10_000; i++) {
            meters.rang(new Kind(true, "app", "udp:127.0.0.1:" + i, ""), MILLI);
            handshakes.took("tls:127.0.0.1:" + i, HandshakeOutcome.OK, MILLI);
        }
        String page = registry.scrape();
        assertThat(page.lines().filter(l -> l.startsWith("carillon_call_ring_seconds_count")))
                .hasSize(CallMeters.MOST_SERIES + 1)
                .anyMatch(l -> l.contains("listener=\"other\"") && l.endsWith(" 9800"));
        assertThat(page.lines().filter(l -> l.startsWith("carillon_tls_handshake_seconds_count")))
                .hasSize(CallMeters.MOST_SERIES + 1)
                .anyMatch(l -> l.contains("listener=\"other\"") && l.endsWith(" 9800"));
    }

    @Test
    void handshakesAreTimedByListenerAndOutcome() {
        HandshakeMeters handshakes = new HandshakeMeters(registry);
        handshakes.took("tls:127.0.0.1:5061", HandshakeOutcome.OK, 3 * MILLI);
        handshakes.took("", HandshakeOutcome.TIMEOUT, 5_000 * MILLI);
        assertThat(registry.scrape())
                .contains(
                        "carillon_tls_handshake_seconds_bucket{listener=\"tls:127.0.0.1:5061\",outcome=\"ok\",le=\"0.005\"} 1")
                .contains(
                        "carillon_tls_handshake_seconds_count{listener=\"\",outcome=\"timeout\"} 1");
    }

    @Test
    void tenThousandPeersDoNotMakeTenThousandSeries() {
        for (int i = 0; i < 10_000; i++) {
            meters.answered(new Kind(true, "app", "", "peer" + i), MILLI);
        }
        String page = registry.scrape();
        assertThat(page.lines().filter(l -> l.startsWith("carillon_call_answer_seconds_count")))
                .hasSize(CallMeters.MOST_SERIES + 1)
                .anyMatch(l -> l.contains("peer=\"other\"") && l.endsWith(" 9800"));
    }
}

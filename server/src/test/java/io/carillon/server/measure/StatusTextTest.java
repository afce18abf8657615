package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusTextTest {
    static final ServerStatus STATUS =
            new ServerStatus(
                    "1.0",
                    42,
                    "running",
                    3700,
                    List.of("udp:127.0.0.1:5060"),
                    "127.0.0.1:8080",
                    List.of("http://127.0.0.1:8080/uas"),
                    List.of("uas"),
                    new ServerStatus.Calls(3, Map.of("CONFIRMED", 5L, "EARLY", 1L), 1000, 99.95),
                    new ServerStatus.Messages(1, 2, 3, 4, 5, 6, 7, 8),
                    9,
                    10,
                    new ServerStatus.Connections(11, 12),
                    13,
                    new ServerStatus.Pauses(14, 15.5, 1.5),
                    new ServerStatus.Heap(104857600, 209715200, 157286400, 314572800, 419430400),
                    List.of(
                            new ServerStatus.SlowHandler(
                                    "uas",
                                    "UasServlet",
                                    "INVITE",
                                    "a@b",
                                    2.5,
                                    true,
                                    "shop.Cart.add(Cart.java:7)",
                                    "uas, UasServlet, INVITE of call c@d")),
                    Map.of("net.faults", 17L, "applications.refused_share", 21L),
                    new ServerStatus.Tls(
                            "BoringSSL",
                            List.of(
                                    new ServerStatus.TlsCertificate(
                                            List.of("sip.example.com"),
                                            "CN=sip.example.com",
                                            "CN=Authority",
                                            "EC 256",
                                            "2026-01-01T00:00:00Z",
                                            "2026-04-01T00:00:00Z",
                                            864_000,
                                            "/etc/sip.pem",
                                            true,
                                            List.of("tls:127.0.0.1:5061"))),
                            "2026-01-02T00:00:00Z",
                            2,
                            1,
                            "tls.certificates[0].key: there is no such file"),
                    "the database jdbc:h2:file:/data/carillon has failed: no space",
                    new ServerStatus.Overload(
                            true,
                            1240,
                            9,
                            100,
                            "2026-01-31T12:00:00Z",
                            "handlers of uas wait",
                            List.of(
                                    new ServerStatus.LateApplication(
                                            "slow", 50, 640, "2026-01-31T12:00:00Z"))),
                    List.of(
                            new ServerStatus.RaisedLog(
                                    2, "user alice@example.com", "debug", 540, "operator")),
                    "Java has no --add-opens");

    @Test
    void jsonIsReadBack() {
        assertThat(StatusText.parse(StatusText.json(STATUS))).isEqualTo(STATUS);
        assertThatThrownBy(() -> StatusText.parse("{"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theTerminalShowsWhatOperatorsAskFor() {
        assertThat(StatusText.terminal(STATUS))
                .contains("1.0, running for 1 h 1 min, process 42")
                .contains("3 (sessions: confirmed 5, early 1)")
                .contains("5 seen, 6 sent")
                .contains("Guard            0 bans, 0 datagrams dropped unread")
                .contains(
                        "App. sessions    10, 0 refused as full, 21 calls and 0 pages over a share")
                .contains(
                        "Overload         shedding new calls: 1,240/s, queueing delay 9.0 ms, since"
                                + " 2026-01-31")
                .contains("\n                 shedding new calls of slow: 50/s")
                .contains("Kernel drops     13")
                .contains("Handlers         on threads of their own: Java has no --add-opens")
                .contains("Database         the database jdbc:h2:file:/data/carillon has failed")
                .contains("14, max 15.5 ms, p99 1.5 ms")
                .contains("100 MiB used, 200 of 400 MiB; touched 150 of 300 MiB")
                .contains("by BoringSSL, files read at 2026-01-02T00:00:00Z, 2 reloads, 1 failed")
                .contains("NOT IN USE, the newest files are wrong: tls.certificates[0].key")
                .contains(
                        "sip.example.com (default), EC 256, 10 days left, until"
                                + " 2026-04-01T00:00:00Z, from /etc/sip.pem, at tls:127.0.0.1:5061")
                .contains(
                        "Log              debug of user alice@example.com, ends in 9 min 0 s (number"
                                + " 2, by operator)")
                .contains("uas, UasServlet, INVITE of call a@b for 2.5 s, holds its thread");
    }

    @Test
    void everyNumberIsAMetric() {
        String page = new Meters(() -> STATUS, Meters.registry()).scrape();

        assertThat(page)
                .contains("carillon_calls_held 3.0")
                .contains("carillon_calls_started_total 1000.0")
                .contains(
                        "carillon_tls_certificate_expiry_seconds{file=\"/etc/sip.pem\",names=\"sip.example.com\"} 864000.0")
                .contains("carillon_retransmissions_total{direction=\"out\"} 6.0")
                .contains("carillon_kernel_drops_total 13.0")
                .contains("carillon_net_faults_total 17.0")
                .contains("carillon_queueing_delay_seconds 0.009", "carillon_load 100.0")
                .contains("carillon_shedding 1.0", "carillon_applications_late 1.0")
                .contains("carillon_database_failed 1.0")
                .contains("carillon_slow_handlers 1.0");
    }

    /** As on a full disk: its thread has limits to watch as well. */
    @Test
    void aRecorderThatFailsEndsNothing(@TempDir Path folder) {
        try (GcPauses pauses =
                new GcPauses(() -> {
                    throw new IllegalStateException("No space left on device");
                })) {
            pauses.start(folder.resolve("recorder"));
            assertThat(pauses.pauses().count()).isZero();
        }
    }

    @Test
    void pausesAreCountedWithTheirTail() {
        try (GcPauses pauses = new GcPauses()) {
            for (int i = 0; i < 99; i++) {
                pauses.record(Duration.ofMillis(1));
            }
            pauses.record(Duration.ofMillis(50));

            assertThat(pauses.pauses().count()).isEqualTo(100);
            assertThat(pauses.pauses().p99Millis()).isBetween(0.99, 1.01);
            assertThat(pauses.pauses().maxMillis()).isBetween(49.9, 50.1);
        }
    }
}

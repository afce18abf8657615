package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.guard.Guard;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Phones that come to a router by way of a balancer with the PROXY protocol. */
class BehindABalancerTest {
    private static final String PHONE = "198.51.100.7";
    private static final String NEIGHBOUR = "198.51.100.8";

    private final Guard guard = SmallCluster.bansAfter(3);
    private SmallCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster =
                new SmallCluster(
                        StreamConfig.defaults().withProxies(AddressRanges.of(List.of("127.0.0.1"))),
                        1,
                        guard);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Connects as the balancer does for a client there. */
    private StreamPhone phone(String source) throws Exception {
        StreamPhone phone = cluster.phone();
        phone.says("PROXY TCP4 " + source + " 127.0.0.1 40000 5060\r\n");
        return phone;
    }

    @Test
    void theGuardBansThePhoneAndNotTheBalancer() throws Exception {
        Hop from = new Hop(Transport.TCP, null, new InetSocketAddress(PHONE, 40_000), 0);
        for (int i = 0; i < 3; i++) {
            guard.failed(Failure.MALFORMED, from, true, System.nanoTime());
        }
        try (StreamPhone banned = phone(PHONE);
                StreamPhone other = phone(NEIGHBOUR)) {
            banned.says(StreamPhone.request("OPTIONS", "TCP", "b1", "banned"));
            assertThat(banned.ended()).isTrue();
            other.says(StreamPhone.request("OPTIONS", "TCP", "b2", "welcome"));
            assertThat(cluster.node.next().request().callId()).isEqualTo("welcome");
            assertThat(other.hears()).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void whoMisbehavesBehindTheBalancerIsBannedAlone() throws Exception {
        try (StreamPhone rude = phone(PHONE);
                StreamPhone other = phone(NEIGHBOUR)) {
            for (int i = 0; i < 4; i++) {
                // No From, no To: a stack can only refuse it.
                rude.says(
                        "OPTIONS sip:bob@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 192.0.2.50:5099"
                                + ";branch=z9hG4bKrude"
                                + i
                                + "\r\nCall-ID: rude\r\nCSeq: 1 OPTIONS\r\n"
                                + "Content-Length: 0\r\n\r\n");
            }
            boolean ended = false;
            while (!ended) {
                ended = rude.ended(); // behind some 400s
            }
            other.says(StreamPhone.request("OPTIONS", "TCP", "b3", "welcome"));
            assertThat(other.hears()).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void aTraceShowsThePhonesAddress() throws Exception {
        SourceTap tap = new SourceTap();
        cluster.node.tap(tap);
        try (StreamPhone phone = phone(PHONE)) {
            phone.says(StreamPhone.request("OPTIONS", "TCP", "b4", "traced"));
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
        }
        InetSocketAddress source = new InetSocketAddress(PHONE, 40_000);
        assertThat(tap.from).containsExactly(source);
        assertThat(tap.to).containsExactly(source);
    }
}

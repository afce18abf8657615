package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The ACK to a 2xx of ours has its tag (RFC 3261 13.2.2.4), which nobody can guess: that shows that
 * somebody is at the address that the tag was sent to, and nothing of the address that stands on
 * the ACK's datagram.
 */
class ProvenAddressTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private final List<String> proven = new ArrayList<>();

    private final PeerConduct conduct =
            new PeerConduct() {
                @Override
                public boolean admits(SipRequest initial, Hop from, long nowNanos) {
                    return true;
                }

                @Override
                public void failed(Failure how, Hop from, boolean proven, long nowNanos) {}

                @Override
                public void proven(Hop from, long nowNanos) {
                    proven.add(from.remoteHost());
                }
            };

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 1),
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.builder().conduct(conduct).build(),
                    ContainerConfig.defaults());

    private final Manual phone = new Manual();
    private final RawPeer caller = server.peer("10.0.0.8");

    /** What it sends is forged. */
    private final RawPeer victim = server.peer("10.0.0.9");

    ProvenAddressTest() {
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
    }

    private String called(RawPeer by) throws IOException {
        by.request(
                "INVITE sip:u@10.0.0.1",
                FROM,
                "<sip:u@y>",
                "c",
                1,
                "Contact: <sip:a@10.0.0.8:5060>");
        by.response(180);
        phone.answer(200);
        SipResponse ok = by.response(200);
        return ok.to().toString();
    }

    private void ack(RawPeer by, String to) {
        by.request("ACK sip:u@10.0.0.1", FROM, to, "c", 1);
        server.run(Duration.ofMillis(50));
    }

    @Test
    void whoCalledAndGotThe2xxIsAtHisAddress() throws IOException {
        String to = called(caller);
        ack(caller, "<sip:u@y>;tag=guess");
        assertThat(proven).isEmpty();
        ack(caller, to);
        assertThat(proven).containsExactly("10.0.0.8");
    }

    @Test
    void overAConnectionLikewise() throws IOException {
        caller.over(Transport.TCP);
        ack(caller, called(caller));
        assertThat(proven).containsExactly("10.0.0.8");
    }

    @Test
    void theAckOfWhoCalledProvesNothingOfAnAddressThatHeWroteOnIt() throws IOException {
        ack(victim, called(caller));
        assertThat(phone.events).contains("ACK");
        assertThat(proven).isEmpty();
    }

    /** The INVITE has the victim's source, and the caller's Contact. */
    @Test
    void norDoesATagThatARequestOfOursHadTold() throws IOException {
        called(victim);
        Objects.requireNonNull(phone.invite).getSession().createRequest("INFO").send();
        String told = "<sip:u@y>;tag=" + caller.request("INFO").fromTag();
        ack(victim, told);
        assertThat(phone.events).contains("ACK");
        assertThat(proven).isEmpty();
    }
}

package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;

/**
 * What a user agent behind a proxy of the same server sends in its dialog is repeated to nobody who
 * was not heard, by the proxy either.
 */
class UnheardBehindProxyTest {
    private static final String CALLER = "<sip:a@x>;tag=a";

    /** Trusts this machine, as a server does. */
    private static final PeerConduct CONDUCT =
            new PeerConduct() {
                @Override
                public boolean admits(SipRequest request, Hop from, long nowNanos) {
                    return true;
                }

                @Override
                public void failed(Failure how, Hop from, boolean proven, long nowNanos) {}

                @Override
                public void proven(Hop from, long nowNanos) {}

                @Override
                public boolean trusts(Hop from) {
                    return from.remote().getAddress().isLoopbackAddress();
                }
            };

    private final Manual phone = new Manual();
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 1),
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.builder().conduct(CONDUCT).build(),
                    ContainerConfig.defaults());

    private final RawPeer caller = server.peer("10.0.0.2");
    private final RawPeer victim = server.peer("10.0.0.9");

    private SipResponse called(String contact) throws DeploymentException {
        deploy("one", new Relay("one", new ArrayList<>()));
        deploy("two", phone);
        caller.request("INVITE sip:u@10.0.0.1", CALLER, "<sip:u@y>", "c", 1, contact);
        caller.response(180);
        phone.answer(200);
        return caller.response(200);
    }

    private void deploy(String name, SipServlet servlet) throws DeploymentException {
        server.container.deploy(
                ApplicationDescription.builder(name)
                        .servlet("main", () -> servlet)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
    }

    private void acknowledged(SipResponse ok) {
        caller.request(
                "ACK sip:u@10.0.0.1", CALLER, ok.to().toString(), "c", 1, Stage.fromCaller(ok));
        server.run(Duration.ofMillis(100));
        assertThat(phone.events).contains("ACK");
    }

    private void hangsUp() throws IOException {
        Objects.requireNonNull(phone.invite).getSession().createRequest("BYE").send();
        server.run(Duration.ofSeconds(100));
    }

    @Test
    void whoOnlyWroteAContactGetsTheByeOnce() throws Exception {
        acknowledged(called("Contact: <sip:v@10.0.0.9:5060>"));
        hangsUp();
        assertThat(victim.all).hasSize(1);
    }

    @Test
    void whoseAddressStandsOnADatagramThatNothingFollowedGetsTheByeOnce() throws Exception {
        called("Contact: <sip:a@10.0.0.2:5060>");
        server.run(Duration.ofSeconds(100));
        assertThat(caller.requests("BYE")).isEqualTo(1);
    }

    /** The tags prove nothing of him: who called and who answers may be one. An answer does. */
    @Test
    void whoWasHeardGetsItUntilItAnswers() throws Exception {
        acknowledged(called("Contact: <sip:a@10.0.0.2:5060>"));
        Objects.requireNonNull(phone.invite).getSession().createRequest("INFO").send();
        caller.respond(caller.request("INFO"), 200, "");
        server.run(Duration.ofMillis(100));
        hangsUp();
        assertThat(caller.requests("BYE")).isEqualTo(11);
    }
}

package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JSR 289, 15.2: requests between applications of ours look as if they had been on the wire. */
class InternalHopsTest {
    @TempDir Path folder;

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 5);
    private final List<String> toOurselves = new ArrayList<>();
    private Server server;
    private RawPeer alice;
    private RawPeer bob;

    private void start(String... listeningPoints) {
        Path dar = folder.resolve("carillon.dar");
        Stage.write(dar, Stage.invite("one", "two"));
        InetAddress own = InetAddress.ofLiteral("10.0.0.1");
        network.tap((at, fate, transport, from, to, bytes) -> {
            if (from.getAddress().equals(own) && to.getAddress().equals(own)) {
                toOurselves.add(transport + " " + to);
            }
        });
        server =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        5,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults()
                                .withRouter(new RouterConfig(dar, null))
                                .withListeningPoints(List.of(listeningPoints)));
        server.node.listen("10.0.0.1", 5063);
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    private void deploy(String name, SipServlet servlet, ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder(name)
                        .servlet("main", () -> servlet)
                        .sessionTimeoutMinutes(0)
                        .execution(mode)
                        .build());
    }

    private SipRequest call() {
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                Stage.CALLER,
                Stage.CALLEE,
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        return bob.request("INVITE");
    }

    private void answer(SipRequest invite) {
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        alice.request("ACK " + ok.contact().uri(), Stage.CALLER, ok.to().toString(), "c1", 1);
        bob.request("ACK");
        server.run(Duration.ofMillis(50));
    }

    /** RFC 3261 18.1.1, 20.42: transport and sent-by of a Via are of one listening point. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_20_42_theViaNamesTheTransportOfItsPort(ExecutionMode mode) throws Exception {
        start("sip:10.0.0.1:5063;transport=wss", "sip:10.0.0.1:5060");
        List<String> events = new ArrayList<>();
        Relay two = new Relay("two", events);
        deploy("one", new Bridge("sip:bob@10.0.0.3:5060"), mode);
        deploy("two", two, mode);
        SipRequest invite = call();
        Via internal = invite.vias().get(1);
        assertThat(internal.port()).isEqualTo(5063);
        assertThat(internal.transport()).isEqualToIgnoringCase("WSS");
        bob.respond(invite, 486, "b");
        alice.response(486);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** An application whose neighbour has ended its sessions sends its BYE to nobody. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aByeToAnApplicationWhoseSessionEndedIsAnsweredInside(ExecutionMode mode) throws Exception {
        start("sip:10.0.0.1:5063;transport=wss", "sip:10.0.0.1:5060");
        Bridge one = new Bridge("sip:bob@10.0.0.3:5060");
        deploy("one", one, mode);
        deploy("two", new Bridge("sip:bob@10.0.0.3:5060"), mode);
        answer(call());
        one.events.clear();
        for (ApplicationSession session : List.copyOf(server.container.sessions().all())) {
            if (session.application().name().equals("two")) {
                session.invalidate();
            }
        }
        server.run(Duration.ofMillis(50));
        server.container.endCalls(EndPolicy.BYE, () -> {});
        alice.respond(alice.request("BYE"), 200, "");
        server.run(Duration.ofMillis(100));
        assertThat(toOurselves).isEmpty();
        assertThat(server.container.callsHeld()).isZero();
        assertThat(one.events).as("answers to requests of the container").isEmpty();
        server.assertClean();
    }

    /** JSR 289: an application gets answers to its own requests, not to BYEs of the container. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void answersToTheContainersByesReachNoApplication(ExecutionMode mode) throws Exception {
        start("sip:10.0.0.1:5060");
        Bridge one = new Bridge("sip:bob@10.0.0.3:5060");
        deploy("one", one, mode);
        answer(call());
        one.events.clear();
        server.container.endCalls(EndPolicy.BYE, () -> {});
        alice.respond(alice.request("BYE"), 200, "");
        SipRequest bye = bob.request("BYE");
        bob.respond(bye, 401, "", "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\"");
        server.run(Duration.ofMillis(100));
        assertThat(one.events).isEmpty();
        assertThat(server.container.callsHeld()).as("RFC 3261 15.1.1").isZero();
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of our addresses a request leaves by (SIP Servlet 1.1, 14.2). */
class MultihomingTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String OTHER = "10.0.9.1";
    private static final InetSocketAddress OTHER_ADDRESS =
            new InetSocketAddress(InetAddress.ofLiteral(OTHER), 5060);

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 41),
                    "10.0.0.1",
                    1,
                    41,
                    new RoundTripStore(),
                    StackConfig.DEFAULT,
                    ContainerConfig.defaults()
                            .withListeningPoints(
                                    List.of("sip:10.0.0.1:5060", "sip:" + OTHER + ":5060")));

    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    MultihomingTest() {
        server.node.listen(OTHER, 5060);
    }

    private void leftByTheOther(RawPeer peer, SipRequest request) {
        assertThat(request.topVia().host()).isEqualTo(OTHER);
        assertThat(Objects.requireNonNull(peer.lastFrom).getAddress())
                .isEqualTo(OTHER_ADDRESS.getAddress());
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipSession#setOutboundInterface(InetAddress)")
    void theSessionsInterfaceIsInViaContactAndOnTheWire(ExecutionMode mode) throws Exception {
        callsByTheOther(mode, session -> session.setOutboundInterface(OTHER_ADDRESS.getAddress()));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves("SipSession#setOutboundInterface(InetSocketAddress)")
    void theSessionsInterfaceMayBeGivenWithItsPort(ExecutionMode mode) throws Exception {
        callsByTheOther(mode, session -> session.setOutboundInterface(OTHER_ADDRESS));
    }

    private void callsByTheOther(ExecutionMode mode, Consumer<SipSession> choose) throws Exception {
        Manual phone = new Manual();
        server.deploy(phone, mode);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipServletRequest request =
                factory.createRequest(
                        factory.createApplicationSession(),
                        "INVITE",
                        "sip:server@10.0.0.1",
                        "sip:bob@10.0.0.3:5060");
        SipSession session = request.getSession();
        choose.accept(session);
        request.send();
        SipRequest invite = bob.request("INVITE");
        leftByTheOther(bob, invite);
        assertThat(invite.contacts().getFirst().toString()).contains(OTHER);
        bob.respond(invite, 200, "b");
        leftByTheOther(bob, bob.request("ACK"));
        session.createRequest("BYE").send();
        SipRequest bye = bob.request("BYE");
        leftByTheOther(bob, bye);
        bob.respond(bye, 200, "");
        server.run(Duration.ofMillis(50));
        server.assertEmpty();
    }

    @Test
    void aTransportThatWasChosenWithTheInterfaceIsTakenWhereTheTargetLeavesItOpen()
            throws Exception {
        Manual phone = new Manual();
        server.deploy(phone, ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        for (Transport transport : List.of(Transport.UDP, Transport.TCP)) {
            SipServletRequest request =
                    factory.createRequest(
                            factory.createApplicationSession(),
                            "MESSAGE",
                            "sip:server@10.0.0.1",
                            "sip:bob@10.0.0.3:5060");
            ((ServletSession) request.getSession()).setOutboundInterface(OTHER_ADDRESS, transport);
            request.send();
            SipRequest message = bob.request("MESSAGE");
            assertThat(message.topVia().transport()).isEqualTo(transport.name());
            bob.respond(message, 200, "b");
        }
    }

    /** Proxies to bob, the whole proxy or only its branch on the other interface. */
    private static final class Forwarder extends SipServlet {
        boolean branchOnly;
        boolean withPort;
        @Nullable Proxy proxy;

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy made = request.getProxy();
            proxy = made;
            made.setRecordRoute(true);
            List<ProxyBranch> branches;
            if (branchOnly) {
                branches =
                        made.createProxyBranches(
                                List.of(factory.createURI("sip:bob@10.0.0.3:5060")));
                if (withPort) {
                    branches.getFirst().setOutboundInterface(OTHER_ADDRESS);
                } else {
                    branches.getFirst().setOutboundInterface(OTHER_ADDRESS.getAddress());
                }
                made.startProxy();
            } else {
                if (withPort) {
                    made.setOutboundInterface(OTHER_ADDRESS);
                } else {
                    made.setOutboundInterface(OTHER_ADDRESS.getAddress());
                }
                made.proxyTo(factory.createURI("sip:bob@10.0.0.3:5060"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "Proxy#setOutboundInterface(InetAddress)",
        "Proxy#setOutboundInterface(InetSocketAddress)",
        "ProxyBranch#setOutboundInterface(InetAddress)",
        "ProxyBranch#setOutboundInterface(InetSocketAddress)",
    })
    void theProxysAndTheBranchsInterfaceIsInViaAndRecordRoute(ExecutionMode mode) {
        Forwarder forwarder = new Forwarder();
        server.deploy(forwarder, mode);
        for (int i = 0; i < 4; i++) {
            forwarder.branchOnly = i % 2 == 1;
            forwarder.withPort = i > 1;
            alice.request(
                    "INVITE sip:uas@10.0.0.1",
                    FROM,
                    "<sip:uas@y>",
                    "c" + i,
                    1,
                    "Contact: <sip:10.0.0.2:5060>");
            SipRequest invite = bob.request("INVITE");
            leftByTheOther(bob, invite);
            assertThat(invite.recordRoutes()).hasSize(2);
            assertThat(invite.recordRoutes().getFirst().toString()).contains(OTHER);
            assertThat(invite.recordRoutes().getLast().toString()).contains("10.0.0.1");
            bob.respond(invite, 486, "b");
            bob.request("ACK");
            alice.response(486);
        }
        server.run(Duration.ofMillis(50));
        server.assertEmpty();
    }

    @Test
    void onlyAddressesOfOursAreTakenThePortIsAdvice() throws Exception {
        Forwarder forwarder = new Forwarder();
        server.deploy(forwarder, ExecutionMode.NON_BLOCKING);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1);
        SipRequest invite = bob.request("INVITE");
        Proxy proxy = Objects.requireNonNull(forwarder.proxy);
        SipSession session = proxy.getOriginalRequest().getSession();
        ProxyBranch branch = proxy.getProxyBranches().getFirst();
        InetAddress stranger = InetAddress.ofLiteral("10.0.7.7");
        InetSocketAddress strange = new InetSocketAddress(stranger, 5060);
        assertThatThrownBy(() -> session.setOutboundInterface(stranger))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proxy.setOutboundInterface(strange))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> branch.setOutboundInterface(strange))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proxy.setOutboundInterface((InetAddress) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> session.setOutboundInterface((InetSocketAddress) null))
                .isInstanceOf(NullPointerException.class);
        session.setOutboundInterface(new InetSocketAddress(OTHER_ADDRESS.getAddress(), 0));
        bob.respond(invite, 486, "b");
        alice.response(486);
        server.run(Duration.ofMillis(50));
        assertThatThrownBy(() -> session.setOutboundInterface(OTHER_ADDRESS))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> proxy.setOutboundInterface(OTHER_ADDRESS))
                .isInstanceOf(IllegalStateException.class);
    }
}

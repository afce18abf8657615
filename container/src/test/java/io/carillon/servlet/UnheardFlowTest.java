package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A flow over UDP is the source of one datagram (RFC 5626 5.3), which anybody can write: what goes
 * by it on its sender's wish leaves as often as it came, until somebody there has answered.
 */
class UnheardFlowTest {
    private static final String CONTACT = "sip:v@10.0.0.2:5060;ob";
    private static final String VICTIM = "<sip:v@x>;tag=v";
    private static final String OTHER = "<sip:c@x>;tag=c";

    private static final class EdgeProxy extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial() || request.getMethod().equals("ACK")) {
                return;
            }
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setAddToPath(true);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            proxy.proxyTo(
                    request.getMethod().equals("REGISTER")
                            ? factory.createURI("sip:10.0.0.9:5060")
                            : request.getRequestURI());
        }
    }

    /** As the guard of a server is: knows who was proven, and trusts one address. */
    private static final class Conduct implements PeerConduct {
        private final Set<String> proven = new HashSet<>();
        private String trusted = "";

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

        @Override
        public boolean provenLately(Hop peer, long nowNanos) {
            return proven.contains(peer.remoteHost());
        }

        @Override
        public boolean trusts(Hop from) {
            return from.remoteHost().equals(trusted);
        }
    }

    private final Conduct conduct = new Conduct();
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 1),
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.builder().conduct(conduct).build(),
                    ContainerConfig.defaults());

    /** What is sent from there somebody else has written. */
    private final RawPeer victim = server.peer("10.0.0.2");

    private final RawPeer attacker = server.peer("10.0.0.9");

    UnheardFlowTest() {
        server.deploy(new EdgeProxy(), ExecutionMode.NON_BLOCKING);
    }

    private void settle() {
        server.run(Duration.ofSeconds(70));
    }

    /** One datagram in the victim's name; the route to him, as whoever is called sees it. */
    private String recorded(int answer) {
        victim.request(
                "INVITE sip:c@10.0.0.9:5060",
                VICTIM,
                "<sip:c@x>",
                "call",
                1,
                "Contact: <" + CONTACT + ">");
        SipRequest invite = attacker.request("INVITE");
        attacker.respond(invite, answer, "c");
        if (answer < 300) {
            server.run(Duration.ofSeconds(30)); // without an ACK there is no call for longer
        } else {
            settle();
        }
        forget();
        List<NameAddress> recorded = invite.recordRoutes();
        return "Route: " + recorded.get(0) + ", " + recorded.get(1);
    }

    private String path() {
        victim.request(
                "REGISTER sip:10.0.0.1",
                VICTIM,
                "<sip:v@x>",
                "r",
                1,
                "Supported: path, outbound",
                "Contact: <" + CONTACT + ">;reg-id=1");
        SipRequest register = attacker.request("REGISTER");
        attacker.respond(register, 200, "r");
        settle();
        forget();
        return "Route: " + register.header(HeaderName.PATH);
    }

    private void forget() {
        victim.all.clear();
        victim.forget();
        attacker.forget();
    }

    private static String flowOf(String route) {
        int at = route.lastIndexOf("sip:flow-");
        return "Route: <" + route.substring(at, route.indexOf('@', at)) + "@10.0.0.1:5060;lr>";
    }

    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "INVITE", "OPTIONS"})
    void rfc5626_5_3_1_theTokenOfACallIsOfNoUseOutsideOfIt(String method) {
        String flow = flowOf(recorded(486));
        attacker.request(method + " sip:any@192.0.2.7", OTHER, "<sip:v@x>", "other", 1, flow);
        attacker.response(403);
        settle();
        assertThat(victim.all).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "INFO", "OPTIONS"})
    void withTheCallIdOfItsCallItCarriesOneForOne(String method) {
        String flow = flowOf(recorded(486));
        attacker.request(method + " sip:any@192.0.2.7", OTHER, "<sip:v@x>", "call", 5, flow);
        attacker.request(method + " " + CONTACT, OTHER, "<sip:v@x>", "call", 6, flow);
        settle();
        assertThat(victim.all).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "INVITE", "BYE"})
    void inTheDialogItCarriesOneForOne(String method) {
        String routes = recorded(200);
        attacker.request(method + " " + CONTACT, OTHER, VICTIM, "call", 5, routes);
        settle();
        assertThat(victim.all).hasSize(1);
    }

    @Test
    void soDoesTheTokenOfARegistrationAsLongAsNobodyAnsweredByIt() {
        String path = path();
        attacker.request("MESSAGE " + CONTACT, OTHER, "<sip:v@x>", "m1", 1, path);
        settle();
        assertThat(victim.all).hasSize(1);
        assertThat(conduct.proven).isEmpty();
    }

    @Test
    void whereSomebodyAnsweredByItOurTimersRepeat() {
        String path = path();
        attacker.request("MESSAGE " + CONTACT, OTHER, "<sip:v@x>", "m1", 1, path);
        victim.respond(victim.request("MESSAGE"), 200, "");
        SipResponse ok = attacker.response(200);
        assertThat(ok.status()).isEqualTo(200);
        victim.all.clear();
        attacker.request("MESSAGE " + CONTACT, OTHER, "<sip:v@x>", "m2", 1, path);
        settle();
        assertThat(victim.requests("MESSAGE")).isEqualTo(11);
    }

    @Test
    void forARegistrarThatTheOperatorTrustsOurTimersRepeat() {
        conduct.trusted = "10.0.0.9";
        String path = path();
        attacker.request("MESSAGE " + CONTACT, OTHER, "<sip:v@x>", "m1", 1, path);
        settle();
        assertThat(victim.requests("MESSAGE")).isEqualTo(11);
    }
}

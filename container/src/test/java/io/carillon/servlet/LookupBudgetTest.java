package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one request that came in may ask of the DNS, and whom that is counted for. */
class LookupBudgetTest {
    /** As {@code dns.max-questions} is by default. */
    private static final int MOST = 48;

    private static final Sources SOURCES = new Sources(source -> false, 77);
    private static final int ALICE = SOURCES.place(SourceKey.of(InetAddress.ofLiteral("10.0.0.2")));

    /** Forwards to those URIs, with their recursion; on a second time round to others. */
    private static final class Fork extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final List<String> first;
        private final List<String> second;

        Fork(List<String> first, List<String> second) {
            this.first = first;
            this.second = second;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws IOException, ServletException {
            if (!request.isInitial()) {
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            boolean again = request.getRequestURI().toString().contains("again");
            List<URI> targets = new ArrayList<>();
            for (String target : again ? second : first) {
                targets.add(factory.createURI(target + request.getMethod().charAt(0)));
            }
            request.getProxy().setParallel(true);
            request.getProxy().setRecordRoute(true);
            request.getProxy().proxyTo(targets);
        }
    }

    private final Server server = server();
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer them = server.peer("10.0.0.3");
    private final Set<Integer> places = new HashSet<>();
    private int asked;

    private static Server server() {
        Server made =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 5),
                        "10.0.0.1",
                        1,
                        5,
                        new RoundTripStore(),
                        StackConfig.builder().shares(SOURCES, 25).build(),
                        ContainerConfig.defaults());
        made.container.sessions().shares(new SessionShares(1000, 25, 100, SOURCES));
        return made;
    }

    /** A name server at which each name has 30 SRV records, and each of those an address. */
    private List<InetSocketAddress> lookup(String host, LookupBudget budget) {
        places.add(budget.countedAt());
        for (int i = 0; i < 31; i++) {
            if (!budget.takeQuestion(MOST)) {
                return List.of();
            }
            asked++;
        }
        return List.of(SimulatedNetwork.address("10.0.0.3", 5060));
    }

    private void send(String method, String callId) {
        server.network.names(this::lookup);
        alice.request(
                method + " sip:them@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=a",
                "<sip:them@10.0.0.1>",
                callId,
                1,
                "Contact: <sip:a@10.0.0.2>");
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "sip:u@d" + i + ".example;m=").toList();
    }

    private List<Integer> finals(String callId) {
        List<Integer> finals = new ArrayList<>();
        for (SipMessage message : alice.all) {
            if (message instanceof SipResponse response
                    && response.status() >= 200
                    && response.callId().equals(callId)) {
                finals.add(response.status());
            }
        }
        return finals;
    }

    /** Without a bound that is 64 names with 31 questions each. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "OPTIONS", "MESSAGE"})
    void aRedirectToManyNamesAsksNoMoreThanOneRequestMay(String method) {
        server.deploy(
                new Fork(List.of("sip:them@10.0.0.3;m="), List.of()), ExecutionMode.NON_BLOCKING);
        send(method, "c1");
        SipRequest first = them.request(method);
        them.respond(
                first,
                302,
                "redirect",
                IntStream.range(0, 64)
                        .mapToObj(i -> "Contact: <sip:u@d" + i + ".example>")
                        .toArray(String[]::new));
        server.run(Duration.ofMinutes(10));
        assertThat(asked).isEqualTo(MOST);
        server.assertEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "OPTIONS"})
    void aForkOverManyNamesAsksNoMoreAndTheNextRequestAsMuch(String method) {
        server.deploy(new Fork(names(50), List.of()), ExecutionMode.NON_BLOCKING);
        send(method, "c1");
        server.run(Duration.ofMinutes(10));
        assertThat(asked).isEqualTo(MOST);
        send(method, "c2");
        server.run(Duration.ofMinutes(10));
        assertThat(asked).isEqualTo(2 * MOST);
        server.assertEmpty();
    }

    /** RFC 3261 21.4.18: 480 where nobody is known to be reached. */
    @Test
    void aBranchBeyondTheBoundFailsAsANameWithoutAddress() {
        server.deploy(new Fork(names(1), List.of()), ExecutionMode.NON_BLOCKING);
        server.network.names((host, budget) -> {
            while (budget.takeQuestion(MOST)) {
                asked++;
            }
            return List.of();
        });
        alice.request(
                "OPTIONS sip:them@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=a",
                "<sip:them@10.0.0.1>",
                "c1",
                1);
        server.run(Duration.ofSeconds(1));
        assertThat(asked).isEqualTo(MOST);
        assertThat(finals("c1")).containsExactly(480);
    }

    @Test
    void copiesThatComeBackToUsAskNoMoreTogether() {
        List<String> again =
                IntStream.range(0, 6).mapToObj(i -> "sip:again" + i + "@10.0.0.1:5060;m=").toList();
        server.deploy(new Fork(again, names(3)), ExecutionMode.NON_BLOCKING);
        send("OPTIONS", "c1");
        server.run(Duration.ofMinutes(10));
        assertThat(asked).isEqualTo(MOST);
        server.assertEmpty();
    }

    @Test
    void whatACallAsksIsCountedForTheCaller() {
        server.deploy(new Fork(names(1), List.of()), ExecutionMode.NON_BLOCKING);
        send("INVITE", "c1");
        SipRequest invite = them.request("INVITE");
        them.respond(invite, 200, "b", "Contact: <sip:them@away.example>");
        String route = alice.response(200).recordRoutes().getFirst().toString();
        asked = 0;
        for (String method : List.of("ACK", "BYE")) {
            alice.request(
                    method + " sip:them@away.example",
                    "<sip:a@10.0.0.2>;tag=a",
                    "<sip:them@10.0.0.1>;tag=b",
                    "c1",
                    method.equals("ACK") ? 1 : 2,
                    "Route: " + route);
        }
        them.request("ACK");
        them.respond(them.request("BYE"), 200, "b");
        assertThat(asked).as("for ACK and BYE").isEqualTo(2 * 31);
        assertThat(places).containsExactly(ALICE);
    }
}

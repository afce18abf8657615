package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.testkit.MiddleNode;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.Simulation;
import io.carillon.testkit.SimulationRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The phones of the test kit, which know nothing of servlets, call each other through proxy and
 * B2BUA applications under many seeds ({@code -Dcarillon.seeds}, {@code -Dcarillon.seed}).
 */
class PhonesThroughContainerTest {
    @Test
    void callsThroughAForkingProxyApplicationEndAndLeaveNothing() {
        Simulation.Summary summary =
                Simulation.through((network, host, targets) ->
                                new Middle(network, host, targets, false))
                        .expiry(Duration.ofMinutes(3))
                        .runSeeds(300);
        assertThat(summary.answered()).as(summary.toString()).isGreaterThan(summary.calls() / 4);
    }

    @Test
    void callsThroughABridgeApplicationEndAndLeaveNothing() {
        Simulation.Summary summary =
                Simulation.through((network, host, targets) ->
                                new Middle(network, host, targets, true))
                        .expiry(Duration.ofMinutes(3))
                        .runSeeds(300);
        assertThat(summary.answered()).as(summary.toString()).isGreaterThan(summary.calls() / 4);
    }

    /** What each found beyond the seeds of every build. Their rules have tests of their own. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "923, a 200 waits for its turn while a CANCEL is answered with 487",
        "2359, a re-INVITE is accepted between a BYE and its answer",
        "7050, a re-INVITE is accepted behind the BYEs of both ends",
    })
    void seedsThatFailedThroughABridgeApplication(long seed, String as) {
        SimulationRun run =
                Simulation.through((network, host, targets) ->
                                new Middle(network, host, targets, true))
                        .expiry(Duration.ofMinutes(3))
                        .run(seed);
        assertThat(run.calls()).as(as).isNotEmpty();
    }

    /** RFC 3261 15: one end's BYE ends the session at the other; a B2BUA has to pass it on. */
    @Test
    void aBridgeThatKeepsTheByesIsFound() {
        found(Misled.KEEPS, "one after the other");
    }

    /** A B2BUA that ends a call at both sides, which nobody asked for. */
    @Test
    void aBridgeThatReleasesByItselfIsFound() {
        found(Misled.RELEASES, "released by nobody");
    }

    private static void found(Misled how, String as) {
        Simulation simulation =
                Simulation.through((network, host, targets) ->
                                new Middle(network, host, targets, new Wayward(targets, how)))
                        .expiry(Duration.ofMinutes(3));
        List<String> failures = new ArrayList<>();
        for (long seed = 1; seed <= 60; seed++) {
            try {
                simulation.run(seed);
            } catch (AssertionError e) {
                failures.add(e.getMessage());
            }
        }
        assertThat(failures).anyMatch(text -> text.contains(as));
    }

    private enum Misled {
        KEEPS,
        RELEASES
    }

    /** A bridge that breaks the rule. */
    private static final class Wayward extends Relay {
        private final Misled how;

        Wayward(MiddleNode.Targets targets, Misled how) {
            super(targets);
            this.how = how;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (how == Misled.KEEPS && request.getMethod().equals("BYE")) {
                request.createResponse(200).send();
                return;
            }
            super.doRequest(request);
            SipSession here = request.getSession();
            SipSession there = request.getB2buaHelper().getLinkedSession(here);
            boolean confirmed = request.getMethod().equals("ACK") && there != null;
            if (how == Misled.RELEASES && confirmed) {
                there.createRequest("BYE").send();
                here.createRequest("BYE").send();
            }
        }
    }

    /** A container of one to three shards with one application. */
    private static final class Middle implements MiddleNode {
        private final Server server;
        private final String host;
        private final boolean bridge;

        Middle(SimulatedNetwork network, String host, Targets targets, boolean bridge) {
            this(network, host, targets, bridge ? new Relay(targets) : null);
        }

        /** With a bridge, or without one a proxy. */
        Middle(SimulatedNetwork network, String host, Targets targets, @Nullable Relay relay) {
            this.host = host;
            this.bridge = relay != null;
            SplittableRandom random = network.random().split();
            SessionStore store =
                    random.nextInt(4) == 0 ? new RoundTripStore() : SessionStores.inMemory();
            server = new Server(network, host, 1 + random.nextInt(3), random.nextLong(), store);
            SipServlet application =
                    relay != null
                            ? relay
                            : new Forwarder(targets, random.nextBoolean(), random.nextInt(4) != 0);
            server.deploy(
                    application,
                    random.nextBoolean() ? ExecutionMode.BLOCKING : ExecutionMode.NON_BLOCKING);
        }

        @Override
        public String uri() {
            return "sip:" + host;
        }

        @Override
        public boolean backToBack() {
            return bridge;
        }

        @Override
        public String leftovers() {
            try {
                server.assertEmpty();
                return server.node.leftovers();
            } catch (AssertionError e) {
                return e.getMessage() + "; " + server.node.leftovers();
            }
        }

        @Override
        public List<String> faults() {
            try {
                server.assertClean();
                return List.of();
            } catch (AssertionError e) {
                return List.of(e + " " + e.getCause());
            }
        }
    }

    private static String user(SipServletRequest request) {
        return ((SipURI) request.getRequestURI()).getUser();
    }

    private static final class Forwarder extends SipServlet {
        private final MiddleNode.Targets targets;
        private final boolean parallel;
        private final boolean recordRoute;

        Forwarder(MiddleNode.Targets targets, boolean parallel, boolean recordRoute) {
            this.targets = targets;
            this.parallel = parallel;
            this.recordRoute = recordRoute;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial()) {
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> uris = new ArrayList<>();
            for (String target : targets.of(user(request))) {
                uris.add(factory.createURI(target));
            }
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(recordRoute);
            proxy.setParallel(parallel);
            proxy.proxyTo(uris);
        }
    }

    private static class Relay extends Bridge {
        private final MiddleNode.Targets targets;

        Relay(MiddleNode.Targets targets) {
            super("sip:nobody@invalid");
            this.targets = targets;
        }

        @Override
        protected String target(SipServletRequest request) {
            return targets.of(user(request)).getFirst();
        }

        @Override
        protected void doResponse(SipServletResponse response)
                throws ServletException, IOException {
            if (response.getStatus() < 200 && response.getHeader("RSeq") != null) {
                try {
                    response.createPrack().send();
                } catch (Rel100Exception e) {
                    throw new ServletException(e);
                }
            }
            boolean over = response.getSession().getState() == SipSession.State.TERMINATED;
            boolean success =
                    response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
            if (over && success) {
                // A re-INVITE that was accepted while its session ended: nothing is left to change.
                response.createAck().send();
                SipServletRequest answered = response.getRequest();
                SipServletRequest original =
                        answered.getB2buaHelper().getLinkedSipServletRequest(answered);
                if (original != null && !original.isCommitted()) {
                    // RFC 3261 15.1.2: "RECOMMENDED that a 487 (Request Terminated) response be
                    // generated to those pending requests."
                    original.createResponse(487).send();
                }
                return;
            }
            super.doResponse(response);
        }
    }
}

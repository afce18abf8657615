package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A callee behind a proxy of ours that answers one INVITE with ever new tags. */
class ProxiedForksTest {
    private static final int FORKS = 5;
    private static final int TAGS = 100;
    private static final String FROM = "<sip:a@x>;tag=a";

    private static final class Forwarder extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final String[] targets;
        int responses;

        Forwarder(String... targets) {
            this.targets = targets;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial()) {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                List<URI> uris = new ArrayList<>();
                for (String target : targets) {
                    uris.add(factory.createURI(target));
                }
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.proxyTo(uris);
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            responses++;
        }
    }

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 3),
                    "10.0.0.1",
                    1,
                    3,
                    new RoundTripStore(),
                    StackConfig.builder().forks(FORKS).build(),
                    ContainerConfig.defaults());
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    private Forwarder deploy(ExecutionMode mode, String... targets) {
        Forwarder forwarder = new Forwarder(targets);
        server.deploy(forwarder, mode);
        return forwarder;
    }

    private SipRequest invite() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        return bob.request("INVITE");
    }

    private void answer(SipRequest invite, int status, String tag) {
        bob.respond(invite, status, tag);
        server.run(Duration.ofMillis(20));
    }

    private int sessions() {
        int all = 0;
        for (ApplicationSession session : server.container.sessions().all()) {
            all += session.sessions().size();
        }
        return all;
    }

    private long refused() {
        return server.node.shards().getFirst().counters().get(Counter.FORKS_REFUSED);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void ringingWithEverNewTagsIsDroppedBeyondTheLimit(ExecutionMode mode) {
        Forwarder forwarder = deploy(mode, "sip:b@10.0.0.3:5060");
        SipRequest invite = invite();
        for (int i = 0; i < TAGS; i++) {
            answer(invite, 180, "made-up-" + i);
        }
        assertThat(alice.responses(180)).isEqualTo(1 + FORKS);
        assertThat(forwarder.responses).isEqualTo(1 + FORKS);
        assertThat(server.container.sessions().dialogs()).isLessThanOrEqualTo(1 + FORKS);
        assertThat(refused()).isEqualTo(TAGS - 1 - FORKS);
        // A tag that was heard before is heard again.
        answer(invite, 180, "made-up-0");
        assertThat(forwarder.responses).isEqualTo(2 + FORKS);
        answer(invite, 486, "made-up-0");
        alice.response(180);
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }

    /** The call is answered, however many tags rang before. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theFirst2xxIsTheAnswerWhateverItsTag(ExecutionMode mode) {
        deploy(mode, "sip:b@10.0.0.3:5060");
        SipRequest invite = invite();
        for (int i = 0; i < TAGS; i++) {
            answer(invite, 180, "made-up-" + i);
        }
        alice.forget();
        answer(invite, 200, "the-last");
        SipResponse ok = alice.response(200);
        String route = "Route: " + ok.recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=the-last";
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        bob.request("ACK");
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        alice.request("BYE sip:10.0.0.3:5060", FROM, to, "c1", 2, route);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /**
     * RFC 3261 16.7 step 5: "After a final response has been sent on the server transaction, the
     * following responses MUST be forwarded immediately: Any 2xx response to an INVITE request."
     */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_7_every2xxIsForwardedButNotEachHasASession(ExecutionMode mode) {
        Forwarder forwarder = deploy(mode, "sip:b@10.0.0.3:5060");
        SipRequest invite = invite();
        for (int i = 0; i < TAGS; i++) {
            answer(invite, 200, "made-up-" + i);
        }
        assertThat(alice.responses(200)).isEqualTo(TAGS);
        assertThat(alice.all.getLast().vias()).hasSize(1);
        // One more than may ring, so that who answers last is not without a session.
        assertThat(sessions()).isEqualTo(2 + FORKS);
        assertThat(forwarder.responses).isEqualTo(2 + FORKS);
        assertThat(refused()).isEqualTo(TAGS - 2 - FORKS);
        server.assertClean();
        // The ACK of such a 2xx passes, as it comes by a route of ours.
        String route = "Route: " + ((SipResponse) alice.all.getLast()).recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", FROM, "<sip:uas@y>;tag=made-up-99", "c1", 1, route);
        bob.request("ACK");
    }

    /** The application chose the targets: each of them has a tag that counts for nothing. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void targetsOfTheApplicationAreNoForks(ExecutionMode mode) {
        String[] targets = new String[4 * FORKS];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = "sip:b" + i + "@10.0.0.3:5060";
        }
        Forwarder forwarder = deploy(mode, targets);
        SipRequest next = invite();
        for (int i = 0; i < targets.length; i++) {
            answer(next, 180, "phone-" + i);
            next = i + 1 < targets.length ? bob.request("INVITE") : next;
        }
        assertThat(forwarder.responses).isEqualTo(targets.length);
        assertThat(refused()).isZero();
    }

    /** Each of them is kept while it rings, and who answers makes it as long as he likes. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void longTagsOfForksThatRingAreNotKept(ExecutionMode mode) {
        Forwarder forwarder = deploy(mode, "sip:b@10.0.0.3:5060");
        SipRequest invite = invite();
        for (int i = 0; i < FORKS; i++) {
            answer(invite, 180, "x".repeat(7_000) + i);
        }
        assertThat(forwarder.responses).isEqualTo(FORKS);
        assertThat(alice.responses(180)).isEqualTo(FORKS);
        assertThat(server.container.sessions().dialogs()).isEqualTo(1); // of the last
        answer(invite, 486, "x");
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }

    /**
     * RFC 3261 16.6: each branch may ring again whenever it likes. Who answers has its dialog, also
     * when another rang between two of its rings, and its BYE passes.
     */
    @ParameterizedTest
    @CsvSource({
        "phone phone other phone phone",
        "phone other phone",
        "other phone other phone",
        "phone other phone other",
        "phone other third phone other third phone"
    })
    void theOneOfSeveralThatRangByTurnsAndAnswersIsReleased(String rings) {
        // In memory: who is read back from bytes stands in the tables again.
        Server kept =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 3),
                        "10.0.0.1",
                        1,
                        3,
                        SessionStores.inMemory());
        RawPeer caller = kept.peer("10.0.0.2");
        RawPeer bob = kept.peer("10.0.0.3");
        RawPeer carol = kept.peer("10.0.0.4");
        RawPeer dave = kept.peer("10.0.0.5");
        kept.deploy(
                new Forwarder(
                        "sip:phone@10.0.0.3:5060",
                        "sip:other@10.0.0.4:5060",
                        "sip:third@10.0.0.5:5060"),
                ExecutionMode.NON_BLOCKING);
        caller.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest phone = bob.request("INVITE");
        SipRequest other = carol.request("INVITE");
        SipRequest third = dave.request("INVITE");
        for (String ring : rings.split(" ")) {
            switch (ring) {
                case "phone" -> bob.respond(phone, 180, ring);
                case "other" -> carol.respond(other, 180, ring);
                default -> dave.respond(third, 180, ring);
            }
            kept.run(Duration.ofMillis(20));
        }
        caller.forget();
        bob.respond(phone, 200, "phone");
        String route = "Route: " + caller.response(200).recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=phone";
        caller.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        bob.request("ACK");
        caller.request("BYE sip:10.0.0.3:5060", FROM, to, "c1", 2, route);
        bob.respond(bob.request("BYE"), 200, "");
        caller.response(200);
        carol.respond(other, 487, "other");
        dave.respond(third, 487, "third");
        kept.run(Duration.ofSeconds(70));
        kept.assertEmpty();
    }
}

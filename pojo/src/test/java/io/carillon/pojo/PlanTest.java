package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/** What handlers give back, and what becomes of it. */
@SipTest(roundTrip = true)
class PlanTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @SipHandler
    static class Answers {
        @Message
        @RequestUri("sip:status@*")
        int status() {
            return 486;
        }

        @Message
        @RequestUri("sip:response@*")
        SipServletResponse response(SipServletRequest request) {
            SipServletResponse response = request.createResponse(480);
            response.setHeader("Retry-After", "7");
            return response;
        }

        @Message
        @RequestUri("sip:plan@*")
        Plan plan() {
            return Plan.respond(503)
                    .reason("Not Now")
                    .header("Retry-After", "9")
                    .body("later", "text/plain");
        }

        @Message
        @RequestUri("sip:moved@*")
        Plan moved() {
            return Plan.redirect("<sip:new@10.0.9.9>");
        }

        @Message
        @RequestUri("sip:thrown@*")
        void thrown() {
            throw new SipStatusException(433, "Anonymity Disallowed");
        }
    }

    @Test
    void statusResponseAndPlanAreAnswers(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "answers", new Answers());
        Wire wire = new Wire(server);
        assertThat(wire.status("MESSAGE", "sip:status@h")).isEqualTo(486);
        var response = wire.ask("MESSAGE", "sip:response@h");
        assertThat(response.response().status()).isEqualTo(480);
        assertThat(response.header("Retry-After")).isEqualTo("7");
        var plan = wire.ask("MESSAGE", "sip:plan@h");
        assertThat(plan.response().status() + " " + plan.response().reason())
                .isEqualTo("503 Not Now");
        assertThat(plan.header("Retry-After")).isEqualTo("9");
        assertThat(plan.header("Content-Type")).isEqualTo("text/plain");
        var moved = wire.ask("MESSAGE", "sip:moved@h");
        assertThat(moved.response().status()).isEqualTo(302);
        assertThat(moved.header("Contact")).contains("sip:new@10.0.9.9");
        assertThat(wire.ask("MESSAGE", "sip:thrown@h").response().reason())
                .isEqualTo("Anonymity Disallowed");
    }

    @SipHandler
    static class Proxies {
        final List<String> seen = new ArrayList<>();

        @Invite
        @Initial
        Plan invite() {
            return Plan.proxy("sip:bob@10.0.1.2").recordingRoute();
        }

        @SuccessResponse
        void success(SipServletResponse response) {
            seen.add("success " + response.getMethod());
        }

        @Invite
        @SuccessResponse
        void answered(SipServletResponse response) {
            seen.add("answered");
        }

        @Bye
        void bye() {
            seen.add("bye");
        }
    }

    @Test
    void aProxiedCallStaysInThePathAndItsResponsesAreSeen(SipTestServer server) throws Exception {
        Proxies handler = new Proxies();
        PlainHandlers.deploy(server, "proxies", handler);
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call call = alice.call(server.uri("bob"));
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        bob.lastCall().bye();
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ENDED);
        assertThat(handler.seen).containsExactly("answered", "bye", "success BYE");
        server.assertNothingLeft();
    }

    @SipHandler
    static class Bridges {
        final List<String> seen = new ArrayList<>();

        @Invite
        @Initial
        Plan invite(SipServletRequest request) {
            return Plan.bridge("sip:bob@10.0.1.2").header("X-Bridged", "yes");
        }

        @Invite
        @ErrorResponse
        Plan failed(SipServletResponse response) {
            seen.add("failed " + response.getStatus());
            return Plan.relay();
        }
    }

    @Test
    void aBridgedCallGoesBothWaysAndEndsFromEitherSide(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "bridges", new Bridges());
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        for (boolean byCaller : new boolean[] {true, false}) {
            Call call = alice.call(server.uri("bob"));
            server.advance(SECOND);
            assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
            assertThat(bob.lastCall().invite().header(HeaderName.of("X-Bridged"))).isEqualTo("yes");
            call.reinvite();
            server.advance(SECOND);
            bob.lastCall().info();
            server.advance(SECOND);
            assertThat(bob.lastCall().changes()).isEqualTo(1);
            (byCaller ? call : bob.lastCall()).bye();
            server.advance(SECOND);
            assertThat(call.state()).isEqualTo(Call.State.ENDED);
            assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
        }
        server.assertNothingLeft();
    }

    @Test
    void aLateOfferIsAnsweredInTheAck(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "bridges", new Bridges());
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::answer);
        Call call = alice.invite(server.uri("bob")).withoutOffer().send();
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        server.assertNothingLeft();
    }

    @Test
    void aRefusalPassesItsHandlerAndTheCallerHearsIt(SipTestServer server) throws Exception {
        Bridges handler = new Bridges();
        PlainHandlers.deploy(server, "bridges", handler);
        UserAgent alice = server.phone("alice");
        server.phone("bob").onCall(call -> call.reject(486));
        Call call = alice.call(server.uri("bob"));
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(486);
        assertThat(handler.seen).containsExactly("failed 486");
        server.assertNothingLeft();
    }

    @Test
    void aRedirectionReachesTheCallerWithItsContact(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "bridges", new Bridges());
        server.phone("unused");
        server.phone("bob").onCall(call -> call.redirect("sip:elsewhere@10.0.9.9"));
        var answer = new Wire(server).ask("INVITE", "sip:bob@10.0.0.1");
        assertThat(answer.response().status()).isEqualTo(302);
        assertThat(answer.header("Contact")).contains("sip:elsewhere@10.0.9.9");
    }

    @Test
    void aCancelledCallIsCancelledOnTheOtherLeg(SipTestServer server) throws Exception {
        Bridges handler = new Bridges();
        PlainHandlers.deploy(server, "bridges", handler);
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::ring);
        Call call = alice.call(server.uri("bob"));
        server.advance(SECOND);
        call.cancel();
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
        server.assertNothingLeft();
    }

    /**
     * The callee's 200 waits for its turn while the CANCEL is answered. RFC 3261 13.2.2.4: "if
     * [...] the UAC does not want to continue with that dialog, then the UAC MUST terminate the
     * dialog by sending a BYE".
     */
    @Test
    void aCalleeWhoAnswersAsTheCallIsCancelledIsReleased(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "bridges", new Bridges());
        UserAgent alice = server.phone("alice");
        UserAgent bob = server.phone("bob").onCall(Call::ring);
        Call call = alice.call(server.uri("bob"));
        server.advance(SECOND);
        bob.lastCall().answer();
        call.cancel();
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ENDED);
        server.assertNothingLeft();
    }

    @SipHandler
    static class AsksForMore {
        @Invite
        @Initial
        Plan invite(SipFactory factory) throws Exception {
            return Plan.proxy(
                            factory.createURI("sip:busy@10.0.1.2"),
                            factory.createURI("sip:free@10.0.1.3"))
                    .inSequence()
                    .timeout(10);
        }
    }

    @Test
    void targetsInSequenceAreTriedOneAfterTheOther(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "hunts", new AsksForMore());
        UserAgent alice = server.phone("alice");
        UserAgent busy = server.phone("busy").onCall(call -> call.reject(486));
        UserAgent free = server.phone("free").onCall(Call::answer);
        Call call = alice.call(server.uri("x"));
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(busy.calls()).hasSize(1);
        assertThat(free.calls()).hasSize(1);
    }
}

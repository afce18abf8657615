package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import java.util.List;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which handler a request reaches, and with which arguments. */
@SipTest
class DispatchTest {
    @SipHandler
    static class BySpecificity {
        @AnyMethod
        int any() {
            return 480;
        }

        @AnyMethod
        @Initial
        @RequestUri("sip:initial@*")
        int anyInitial() {
            return 481;
        }

        @Message
        int message() {
            return 482;
        }

        @Message
        @RequestUri("sip:echo@*")
        int echo() {
            return 483;
        }

        @Message
        @RequestUri("sip:echo@10.0.0.1")
        int echoHere() {
            return 484;
        }

        @Message
        @WithHeader("X-Tenant")
        int tenant() {
            return 485;
        }

        @Message
        @WithHeader("X-Tenant: gold*")
        int gold() {
            return 486;
        }

        @Message
        @WithHeader("Event: message-summary")
        @WithHeader("!X-Tenant")
        int summary() {
            return 487;
        }

        @Methods({"PUBLISH", "FOO"})
        int several() {
            return 488;
        }
    }

    @Test
    void theMostSpecificHandlerIsCalled(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "specific", new BySpecificity());
        Wire wire = new Wire(server);
        assertThat(wire.status("OPTIONS", "sip:x@10.0.0.1")).isEqualTo(480);
        assertThat(wire.status("OPTIONS", "sip:initial@10.0.0.1")).isEqualTo(481);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(482);
        assertThat(wire.status("MESSAGE", "sip:initial@10.0.0.1"))
                .as("a method that is named comes before any other condition")
                .isEqualTo(482);
        assertThat(wire.status("MESSAGE", "sip:echo@10.0.0.1:5060;lr")).isEqualTo(484);
        assertThat(wire.status("MESSAGE", "sip:echo@10.0.0.1", "X-Tenant: gold-1"))
                .as("a URI comes before headers")
                .isEqualTo(484);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Tenant: silver")).isEqualTo(485);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "X-Tenant: Gold-1;a=b")).isEqualTo(486);
        assertThat(wire.status("MESSAGE", "sip:x@10.0.0.1", "Event: message-summary;id=1"))
                .isEqualTo(487);
        assertThat(wire.status("FOO", "sip:x@10.0.0.1")).isEqualTo(488);
    }

    @SipHandler
    static class First {
        @Invite
        int invite() {
            return 486;
        }
    }

    @SipHandler
    static class Second {
        @Invite
        int otherInvite() {
            return 486;
        }
    }

    @SipHandler
    static class Third {
        @Methods({"MESSAGE", "INVITE"})
        @Initial
        int initial() {
            return 486;
        }
    }

    @Test
    void twoThatMatchEquallyWellAreAnErrorThatNamesBoth(SipTestServer server) throws Exception {
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "doubt", new First(), new Second()))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("First.invite")
                .hasMessageContaining("Second.otherInvite")
                .hasMessageContaining("equally well");
        PlainHandlers.deploy(server, "sure", new First(), new Third());
    }

    @SipHandler
    static class Overlapping {
        @Message
        @RequestUri("sip:1*0@*")
        int one() {
            return 486;
        }

        @Message
        @RequestUri("sip:*10@*")
        int other() {
            return 486;
        }
    }

    @SipHandler
    static class Disjoint {
        @Message
        @RequestUri("sip:1*0@*")
        int one() {
            return 480;
        }

        @Message
        @RequestUri("sip:*11@*")
        int other() {
            return 486;
        }
    }

    @Test
    void patternsThatSomeUriMatchesBothAreDoubtful(SipTestServer server) throws Exception {
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "doubt", new Overlapping()))
                .hasMessageContaining("Overlapping.one")
                .hasMessageContaining("Overlapping.other");
        PlainHandlers.deploy(server, "sure", new Disjoint());
        Wire wire = new Wire(server);
        assertThat(wire.status("MESSAGE", "sip:1230@h")).isEqualTo(480);
        assertThat(wire.status("MESSAGE", "sip:911@h")).isEqualTo(486);
    }

    enum Urgency {
        NON_URGENT,
        EMERGENCY
    }

    @SipHandler
    static class WithArguments {
        @Nullable Object[] seen = {};

        @Message
        int message(
                SipServletRequest request,
                SipSession session,
                SipURI uri,
                @Header("From") Address from,
                @Header("X-Count") int count,
                @Header(value = "X-None", required = false) @Nullable Long none,
                @Header("X-Name") List<String> names,
                @Header(value = "Priority", required = false) @Nullable Urgency urgency,
                @Body(type = "text/plain") String body) {
            seen =
                    new @Nullable Object[] {
                        request.getMethod(),
                        uri.getUser(),
                        from.getURI().toString(),
                        count,
                        none,
                        names,
                        urgency,
                        body,
                        session.getCallId().equals(request.getCallId())
                    };
            return 200;
        }
    }

    @Test
    void argumentsAreFilledByTypeAndAnnotation(SipTestServer server) throws Exception {
        WithArguments handler = new WithArguments();
        PlainHandlers.deploy(server, "arguments", handler);
        Wire wire = new Wire(server);
        String[] headers = {
            "X-Count: 7;q=1",
            "X-Name: a",
            "X-Name: b",
            "Priority: non-urgent",
            "Content-Type: text/plain;charset=utf-8"
        };
        assertThat(wire.ask("MESSAGE", "sip:bob@10.0.0.1", "hello", headers).response().status())
                .isEqualTo(200);
        assertThat(handler.seen)
                .containsExactly(
                        "MESSAGE",
                        "bob",
                        "sip:caller@10.0.1.1",
                        7,
                        null,
                        List.of("a", "b"),
                        Urgency.NON_URGENT,
                        "hello",
                        true);
    }

    @Test
    void whatAMessageLacksIsAnswered(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "arguments", new WithArguments());
        Wire wire = new Wire(server);
        String uri = "sip:bob@10.0.0.1";
        var missing = wire.ask("MESSAGE", uri).response();
        assertThat(missing.status() + " " + missing.reason())
                .isEqualTo("400 Missing X-Count Header");
        var malformed = wire.ask("MESSAGE", uri, "X-Count: many", "X-Name: a").response();
        assertThat(malformed.status() + " " + malformed.reason())
                .isEqualTo("400 Malformed X-Count Header");
        var empty = wire.ask("MESSAGE", uri, "X-Count: 1", "X-Name: a").response();
        assertThat(empty.status() + " " + empty.reason()).isEqualTo("400 Missing Body");
        String[] html = {"X-Count: 1", "X-Name: a", "Content-Type: text/html"};
        var other = wire.ask("MESSAGE", uri, "<p>", html);
        assertThat(other.response().status()).isEqualTo(415);
        assertThat(other.header("Accept")).isEqualTo("text/plain");
        assertThat(wire.status("MESSAGE", "tel:+4990", "X-Count: 1")).isEqualTo(416);
    }

    @SipHandler
    static class Unknown {
        @Invite
        int invite(java.io.File file) {
            return 486;
        }
    }

    @SipHandler
    static class ResponseInRequest {
        @Invite
        String invite(SipServletRequest request) {
            return "486";
        }
    }

    @SipHandler
    static class AnswersAck {
        @Ack
        int ack() {
            return 200;
        }
    }

    @SipHandler
    static class Nothing {
        void plain() {}
    }

    @SipHandler
    static class BadStatus {
        @Invite
        @Status("4xx")
        void failure() {}
    }

    @SipHandler
    static class TimerWithSession {
        @OnTimer("x")
        void fired(SipSession session) {}
    }

    @SipHandler
    static class Hidden {
        @Invite
        private int invite() {
            return 486;
        }
    }

    @Test
    void aHandlerThatCannotBeIsNamedWithItsRule(SipTestServer server) {
        refused(server, new Unknown(), "Unknown.invite, parameter 1: java.io.File is none of");
        refused(server, new ResponseInRequest(), "returns nothing, a status (int)");
        refused(server, new AnswersAck(), "AnswersAck.ack: nobody answers an ACK");
        refused(server, new Nothing(), "no method of it handles anything");
        refused(server, new BadStatus(), "@Status(\"4xx\") has to be a status of 100 to 699");
        refused(server, new TimerWithSession(), "SipSession is not there when a timer is handled");
        refused(server, new Hidden(), "neither static nor private");
    }

    private static void refused(SipTestServer server, Object handler, String message) {
        assertThatThrownBy(() -> PlainHandlers.deploy(server, "refused", handler))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining(message);
    }

    @SipHandler
    @NonBlocking
    static class Quick {
        @Options
        int options() {
            return 200;
        }
    }

    @Test
    void anApplicationOnTheEventLoopsHasNoHandlerThatMayBlock(SipTestServer server)
            throws Exception {
        var slow =
                PlainHandlers.describe("slow", PlainHandlers.of(new First()))
                        .contextParam("io.carillon.execution", "non-blocking")
                        .build();
        assertThatThrownBy(() -> server.deploy(slow))
                .hasMessageContaining("First.invite")
                .hasMessageContaining("@NonBlocking");
        server.deploy(
                PlainHandlers.describe("quick", PlainHandlers.of(new Quick()))
                        .contextParam("io.carillon.execution", "non-blocking")
                        .build());
        assertThat(new Wire(server).status("OPTIONS", "sip:x@10.0.0.1")).isEqualTo(200);
    }

    @SipHandler
    static class OnlyEcho {
        @Message
        @RequestUri("sip:echo@*")
        int echo() {
            return 200;
        }

        @Invite
        int invite(SipServletRequest request) {
            return 486;
        }

        @SuccessResponse
        void response(SipServletResponse response) {}
    }

    @Test
    void whatNoHandlerTakesIsRefused(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "echo", new OnlyEcho());
        Wire wire = new Wire(server);
        assertThat(wire.status("MESSAGE", "sip:other@10.0.0.1")).isEqualTo(404);
        var refused = wire.ask("SUBSCRIBE", "sip:echo@10.0.0.1");
        assertThat(refused.response().status()).isEqualTo(405);
        assertThat(refused.header("Allow")).isEqualTo("ACK, BYE, CANCEL, INVITE, MESSAGE");
    }

    @SipHandler
    @Role("survey")
    static class Survey {
        @AnyMethod
        int any() {
            return 480;
        }

        @Message
        int message() {
            return 481;
        }
    }

    @SipHandler
    @Role("other")
    static class Other {
        @Message
        int message() {
            return 482;
        }
    }

    @SipHandler
    static class GivesRoles {
        @Message
        int message() {
            return 486;
        }

        @Options
        @Initial
        int options(SipSession session) {
            Roles.give(session, "survey");
            return 200;
        }

        @Bye
        int bye() {
            return 200;
        }

        @Invite
        @Initial
        int invite(SipSession session) {
            Roles.give(session, "survey");
            return 200;
        }

        @Info
        @InDialog
        int info() {
            return 486;
        }
    }

    @Test
    void aRoleKeepsTheHandlersOfItsCallsApart(SipTestServer server) throws Exception {
        PlainHandlers.deploy(server, "roles", new GivesRoles(), new Survey(), new Other());
        assertThat(new Wire(server).status("MESSAGE", "sip:x@10.0.0.1")).isEqualTo(486);
        var call = server.phone("alice").call(server.uri("x"));
        server.advance(java.time.Duration.ofSeconds(1));
        assertThat(call.state()).isEqualTo(io.carillon.testkit.Call.State.ESTABLISHED);
        call.bye();
        server.advance(java.time.Duration.ofSeconds(1));
        assertThat(server.errors()).isZero();
    }
}

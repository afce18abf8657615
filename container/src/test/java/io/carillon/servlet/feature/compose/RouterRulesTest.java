package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.members.Proves;
import io.carillon.servlet.route.RouterException;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the router may say, and what it is asked: JSR 289, 15.3, 15.4.1 and 15.6. */
class RouterRulesTest {
    @TempDir Path folder;

    private Stage stage(ExecutionMode mode, String content) {
        Path dar = folder.resolve("carillon.dar");
        Stage.write(dar, content);
        return new Stage(mode, dar);
    }

    private static String entry(String application, String route, String modifier, int order) {
        return "(\"%s\", \"\", \"NEUTRAL\", \"%s\", \"%s\", \"%d\")"
                .formatted(application, route, modifier, order);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anExternalRouteLeadsAwayWithoutTheApplication(ExecutionMode mode) {
        Stage stage =
                stage(
                        mode,
                        "INVITE: "
                                + entry("one", "", "NO_ROUTE", 0)
                                + entry("never", "sip:10.0.0.3", "ROUTE", 1));
        stage.relay("one");
        stage.relay("never");
        stage.alice.request(
                "INVITE sip:bob@example.com",
                Stage.CALLER,
                Stage.CALLEE,
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(invite.requestUri()).hasToString("sip:bob@example.com");
        assertThat(invite.routes()).hasToString("[<sip:10.0.0.3;lr>]");
        stage.bob.respond(invite, 486, "b");
        stage.alice.response(486);
        assertThat(stage.seen()).containsExactly("one INVITE", "one 486");
        stage.end();
    }

    /** The caller's service and the callee's may be the same application: two visits. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anApplicationNamedTwiceInARowServesBothRegions(ExecutionMode mode) {
        Stage stage =
                stage(
                        mode,
                        "INVITE: (\"one\", \"DAR:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\"),"
                                + " (\"one\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"1\")");
        Relay one = stage.relay("one");
        String to = "<sip:bob@10.0.0.3>";
        stage.alice.request(
                "INVITE sip:bob@10.0.0.3",
                Stage.CALLER,
                to,
                "c1",
                1,
                "Route: <sip:10.0.0.1;lr>",
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(one.regions)
                .containsExactly("ORIGINATING sip:alice@x", "TERMINATING sip:bob@10.0.0.3");
        assertThat(invite.maxForwards()).isEqualTo(68);
        stage.bob.respond(invite, 200, "b");
        List<String> routes =
                stage.alice.response(200).recordRoutes().reversed().stream()
                        .map(route -> "Route: " + route)
                        .toList();
        stage.alice.request(
                "ACK sip:10.0.0.3:5060",
                Stage.CALLER,
                to + ";tag=b",
                "c1",
                1,
                routes.toArray(new String[0]));
        stage.bob.request("ACK");
        stage.alice.request(
                "BYE sip:10.0.0.3:5060",
                Stage.CALLER,
                to + ";tag=b",
                "c1",
                2,
                routes.toArray(new String[0]));
        stage.bob.respond(stage.bob.request("BYE"), 200, "");
        stage.alice.response(200);
        assertThat(stage.seen())
                .containsExactly(
                        "one INVITE",
                        "one INVITE",
                        "one 200",
                        "one 200",
                        "one ACK",
                        "one ACK",
                        "one BYE",
                        "one BYE",
                        "one 200",
                        "one 200");
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRouteWithoutApplicationIsFollowedByTheContainerItself(ExecutionMode mode) {
        Stage stage = stage(mode, "INVITE: " + entry("", "sip:10.0.0.3", "ROUTE", 0));
        stage.relay("never");
        String uri = "sip:bob@example.com";
        stage.alice.send(
                stage.alice.text("INVITE " + uri, "z9hG4bKi", Stage.CALLER, Stage.CALLEE, "c1", 1));
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(invite.maxForwards()).isEqualTo(69);
        stage.bob.respond(invite, 180, "b");
        stage.alice.response(180);
        stage.alice.send(
                stage.alice.text("CANCEL " + uri, "z9hG4bKi", Stage.CALLER, Stage.CALLEE, "c1", 1));
        stage.alice.response(200);
        stage.bob.respond(stage.bob.request("CANCEL"), 200, "b");
        stage.bob.respond(invite, 487, "b");
        stage.alice.response(487);
        assertThat(stage.seen()).isEmpty();
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "SipServletRequest#getInitialPoppedRoute()",
        "SipServletRequest#getPoppedRoute()",
    })
    void aRouteToOurselvesIsPoppedForItsApplicationAndTheInitialOneStays(ExecutionMode mode) {
        Stage stage =
                stage(
                        mode,
                        "INVITE: "
                                + entry("one", "", "NO_ROUTE", 0)
                                + entry("two", "sip:two@10.0.0.1;x=1", "ROUTE", 1));
        Relay one = stage.relay("one");
        Relay two = stage.relay("two");
        stage.call("Route: <sip:first@10.0.0.1;lr>");
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(invite.routes()).isEmpty();
        assertThat(one.popped).containsExactly("sip:first@10.0.0.1;lr sip:first@10.0.0.1;lr");
        assertThat(two.popped).containsExactly("sip:two@10.0.0.1;x=1;lr sip:first@10.0.0.1;lr");
        stage.bob.respond(invite, 486, "b");
        stage.alice.response(486);
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void routeBackComesBackToTheApplicationWithItsState(ExecutionMode mode) {
        Stage stage =
                stage(
                        mode,
                        "INVITE: "
                                + entry("one", "", "NO_ROUTE", 0)
                                + entry("two", "sip:10.0.0.4", "ROUTE_BACK", 1)
                                + entry("three", "", "NO_ROUTE", 2));
        stage.relay("one");
        stage.relay("two");
        stage.relay("three");
        var elsewhere = stage.server.peer("10.0.0.4");
        stage.call();
        SipRequest away = elsewhere.request("INVITE");
        assertThat(stage.seen()).containsExactly("one INVITE");
        assertThat(away.routes()).hasSize(2);
        assertThat(away.routes().getFirst()).hasToString("<sip:10.0.0.4;lr>");
        elsewhere.send(
                elsewhere.text(
                        "INVITE " + away.requestUri(),
                        "z9hG4bKback",
                        away.from().toString(),
                        away.to().toString(),
                        away.callId(),
                        1,
                        "Route: " + away.routes().get(1)));
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(invite.routes()).isEmpty();
        assertThat(stage.seen()).containsExactly("two INVITE", "three INVITE");
        stage.bob.respond(invite, 486, "b");
        elsewhere.response(486);
        elsewhere.respond(away, 486, "b");
        stage.alice.response(486);
        stage.end();
    }

    /** Makes a request of its own for each that comes. */
    private static final class Maker extends SipServlet {
        private final SipApplicationRoutingDirective directive;
        SipApplicationRoutingDirective byDefault;

        Maker(SipApplicationRoutingDirective directive) {
            this.directive = directive;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest made =
                    factory.createRequest(
                            request.getApplicationSession(),
                            "INVITE",
                            "sip:maker@here",
                            "sip:bob@10.0.0.3:5060");
            byDefault = made.getRoutingDirective();
            made.setRoutingDirective(directive, request);
            made.send();
            assertThatThrownBy(() ->
                            made.setRoutingDirective(SipApplicationRoutingDirective.NEW, request))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() ->
                            request.setRoutingDirective(
                                    SipApplicationRoutingDirective.NEW, request))
                    .isInstanceOf(IllegalStateException.class);
            request.createResponse(480).send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "SipServletRequest#getRoutingDirective()",
        "SipServletRequest#setRoutingDirective(SipApplicationRoutingDirective,SipServletRequest)",
    })
    void newBeginsAtTheFrontContinueAndReverseBehind(ExecutionMode mode) {
        for (SipApplicationRoutingDirective directive : SipApplicationRoutingDirective.values()) {
            Stage stage =
                    stage(
                            mode,
                            "INVITE: "
                                    + entry("one", "", "NO_ROUTE", 0)
                                    + "(\"maker\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"1\","
                                    + " \"DIRECTION=INBOUND\")"
                                    + entry("two", "", "NO_ROUTE", 2));
            stage.relay("one");
            Maker maker = new Maker(directive);
            stage.deploy("maker", maker);
            stage.relay("two");
            stage.call();
            SipRequest made = stage.bob.request("INVITE");
            stage.bob.respond(made, 486, "b");
            stage.alice.response(480);
            stage.server.run(Duration.ofSeconds(1));
            stage.server.assertClean();
            assertThat(maker.byDefault).isEqualTo(SipApplicationRoutingDirective.NEW);
            assertThat(stage.seen().stream().filter(seen -> seen.endsWith("INVITE")))
                    .containsExactlyElementsOf(
                            directive == SipApplicationRoutingDirective.NEW
                                    ? List.of("one INVITE", "one INVITE", "two INVITE")
                                    : List.of("one INVITE", "two INVITE"));
            stage.server.run(Duration.ofMinutes(5));
        }
    }

    @Test
    void newRequestsThatComeBackToTheirMakerEndAtSomeTime() {
        Stage stage = stage(ExecutionMode.NON_BLOCKING, Stage.invite("one", "maker"));
        stage.relay("one");
        stage.deploy("maker", new Maker(SipApplicationRoutingDirective.NEW));
        stage.call();
        stage.alice.response(480);
        stage.server.run(Duration.ofMinutes(5));
        assertThat(stage.seen()).hasSizeBetween(10, 100);
    }

    @Test
    void continueNeedsAnInitialRequestThatTheApplicationReceived() throws Exception {
        Stage stage = stage(ExecutionMode.NON_BLOCKING, Stage.invite("one"));
        stage.relay("one");
        Manual uac = new Manual();
        stage.deploy("uac", uac);
        SipFactory factory =
                (SipFactory) uac.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipServletRequest made =
                factory.createRequest(
                        factory.createApplicationSession(), "INVITE", "sip:a@x", "sip:b@10.0.0.3");
        for (SipServletRequest origin : new SipServletRequest[] {null, made}) {
            assertThatThrownBy(() ->
                            made.setRoutingDirective(
                                    SipApplicationRoutingDirective.CONTINUE, origin))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(((ServletRequest) made).isInitial()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestOfAnApplicationVisitsTheOthersWithoutTheWire(ExecutionMode mode) {
        Stage stage = stage(mode, Stage.invite("one", "two"));
        stage.relay("one");
        stage.relay("two");
        Manual uac = new Manual();
        stage.deploy("uac", uac);
        uac.call("sip:bob@10.0.0.3:5060");
        SipRequest invite = stage.bob.request("INVITE");
        stage.bob.respond(invite, 200, "b");
        stage.bob.request("ACK");
        assertThat(stage.seen())
                .containsExactly(
                        "one INVITE", "two INVITE", "two 200", "one 200", "one ACK", "two ACK");
        stage.bob.request(
                "BYE sip:anything@10.0.0.1",
                "<sip:bob@y>;tag=b",
                invite.from().toString(),
                invite.callId(),
                3);
        stage.bob.response(200);
        assertThat(stage.seen()).containsExactly("two BYE", "one BYE", "one 200", "two 200");
        assertThat(uac.events).containsExactly("INVITE 200", "BYE");
        stage.end();
    }

    /** The router is asked with what the application made of the request. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void conditionsSeeTheRequestThatLeaves(ExecutionMode mode) {
        Stage stage =
                stage(
                        mode,
                        "INVITE: (\"one\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\"),"
                                + "(\"two\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"1\","
                                + " \"USER=other DIRECTION=INBOUND\")");
        stage.deploy(
                "one",
                new Relay("one", stage.events) {
                    @Override
                    protected void initial(SipServletRequest request)
                            throws ServletException, IOException {
                        SipURI other = (SipURI) request.getRequestURI().clone();
                        other.setUser("other");
                        request.getProxy().proxyTo(other);
                    }
                });
        stage.relay("two");
        stage.call();
        stage.bob.respond(stage.bob.request("INVITE"), 486, "b");
        stage.alice.response(486);
        assertThat(stage.seen()).startsWith("one INVITE", "two INVITE");
        stage.end();
    }

    @Test
    void aRouterThatGoesInCirclesIsStopped() {
        System.setProperty(
                "javax.servlet.sip.ar.spi.SipApplicationRouterProvider", Circle.class.getName());
        try {
            Stage stage = new Stage(ExecutionMode.NON_BLOCKING, null);
            stage.relay("one");
            stage.call();
            stage.alice.response(482);
            assertThat(stage.events.stream().filter("one INVITE"::equals)).hasSizeLessThan(50);
            stage.end();
        } finally {
            System.clearProperty("javax.servlet.sip.ar.spi.SipApplicationRouterProvider");
        }
    }

    @Test
    void aChangedFileIsReadAndABrokenOneTold() {
        Stage stage = stage(ExecutionMode.NON_BLOCKING, Stage.invite("one"));
        stage.relay("one");
        stage.relay("two");
        assertThat(stage.server.container.reloadRouter(false)).isFalse();
        Stage.write(folder.resolve("carillon.dar"), Stage.invite("one", "two"));
        assertThat(stage.server.container.reloadRouter(false)).isTrue();
        assertThat(stage.server.container.reloadRouter(false)).isFalse();
        assertThat(stage.server.container.reloadRouter(true)).isTrue();
        Stage.write(folder.resolve("carillon.dar"), "INVITE: (\"one\", \"\")\n# longer\n");
        assertThatThrownBy(() -> stage.server.container.reloadRouter(false))
                .isInstanceOf(RouterException.class)
                .hasMessageContaining("carillon.dar:1: an entry has 6 fields");
        assertThat(stage.server.container.reloadRouter(false)).as("told once").isFalse();
        stage.call();
        stage.bob.respond(stage.bob.request("INVITE"), 486, "b");
        stage.alice.response(486);
        assertThat(stage.seen()).startsWith("one INVITE", "two INVITE");
        stage.end();
    }

    @Test
    void theReportSaysWhoIsVisitedAndWhy() throws Exception {
        Stage stage =
                stage(
                        ExecutionMode.NON_BLOCKING,
                        "INVITE: (\"one\", \"DAR:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\"), \\\n"
                                + " (\"gone\", \"\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"1\"), \\\n"
                                + " (\"two\", \"\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"2\", \"USER=other\"), \\\n"
                                + " (\"two\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"3\", \"USER=bob\")\n");
        stage.relay("one");
        stage.relay("two");
        RouteReport report = stage.server.container.route(invite("sip:bob@10.0.0.3"));
        assertThat(report.router()).endsWith("carillon.dar");
        assertThat(report.visits())
                .extracting(RouteReport.Visit::application, RouteReport.Visit::region)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("one", "ORIGINATING"),
                        org.assertj.core.groups.Tuple.tuple("two", "TERMINATING"));
        assertThat(report.visits().getLast().subscriber()).isEqualTo("sip:bob@y");
        assertThat(report.visits().getLast().looks())
                .extracting(look -> look.line() + " " + look.application() + " " + look.reason())
                .containsExactly(
                        "2 gone is not deployed",
                        "3 two USER is bob, not other",
                        "4 two its conditions hold");
        assertThat(report.end())
                .isEqualTo(
                        "two answers, refuses or calls as it likes; what it passes on unchanged"
                                + " leaves by its Request-URI");
        // An application that is dialled by this server's address cannot call what was dialled.
        assertThat(stage.server.container.route(invite("sip:bob@10.0.0.1")).end())
                .endsWith("comes back here, as its Request-URI is this server's");
        assertThat(stage.bob.all).isEmpty();
        assertThat(stage.events).isEmpty();
    }

    private static io.carillon.sip.message.SipRequest invite(String uri) throws Exception {
        var draft =
                io.carillon.sip.message.MessageDraft.request(
                        "INVITE", io.carillon.sip.uri.Uri.parse(uri));
        draft.set(io.carillon.sip.header.HeaderName.of("Via"), "SIP/2.0/UDP x;branch=z9hG4bKx");
        draft.set(io.carillon.sip.header.HeaderName.of("From"), Stage.CALLER);
        draft.set(io.carillon.sip.header.HeaderName.of("To"), Stage.CALLEE);
        draft.set(io.carillon.sip.header.HeaderName.of("Call-ID"), "c");
        draft.setCSeq(1, "INVITE");
        return draft.freezeRequest();
    }
}

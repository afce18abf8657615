package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several applications on one call: JSR 289, 15.2 and 15.4. */
class ChainTest {
    @TempDir Path folder;

    private Stage stage(ExecutionMode mode, String... applications) {
        Path dar = folder.resolve("carillon.dar");
        Stage.write(dar, Stage.invite(applications));
        return new Stage(mode, dar);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anInitialRequestVisitsTheApplicationsInOrderAndItsResponsesInReverse(ExecutionMode mode) {
        Stage stage = stage(mode, "one", "two", "three");
        stage.relay("one");
        stage.relay("two");
        stage.relay("three");
        stage.call();
        SipRequest invite = stage.bob.request("INVITE");
        assertThat(stage.seen()).containsExactly("one INVITE", "two INVITE", "three INVITE");
        assertThat(invite.maxForwards()).isEqualTo(67);
        assertThat(invite.vias()).hasSize(4);
        assertThat(invite.recordRoutes()).hasSize(3);
        stage.bob.respond(invite, 180, "b");
        assertThat(stage.alice.response(180).vias()).hasSize(1);
        assertThat(stage.seen()).containsExactly("three 180", "two 180", "one 180");
        stage.bob.respond(invite, 486, "b");
        stage.alice.response(486);
        assertThat(stage.seen()).containsExactly("three 486", "two 486", "one 486");
        assertThat(stage.bob.requests("INVITE")).isEqualTo(1);
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void laterRequestsVisitThoseThatRecordRoutedInBothDirectionsByRoute(ExecutionMode mode) {
        later(mode, true);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void laterRequestsVisitThoseThatRecordRoutedInBothDirectionsByTagsOnly(ExecutionMode mode) {
        later(mode, false);
    }

    private void later(ExecutionMode mode, boolean byRoute) {
        Stage stage = stage(mode, "one", "two", "three");
        stage.relay("one");
        stage.relay("two").recordRoute = false;
        stage.relay("three");
        stage.call();
        SipRequest invite = stage.bob.request("INVITE");
        stage.bob.respond(invite, 200, "b");
        SipResponse ok = stage.alice.response(200);
        stage.seen();
        String uri = byRoute ? "sip:10.0.0.3:5060" : "sip:bob@10.0.0.1:5060";
        String[] routes = byRoute ? Stage.fromCaller(ok) : new String[0];
        String callee = "<sip:bob@y>;tag=b";
        stage.alice.request("ACK " + uri, Stage.CALLER, callee, "c1", 1, routes);
        stage.bob.request("ACK");
        assertThat(stage.seen()).containsExactly("one ACK", "three ACK");
        stage.alice.request("INFO " + uri, Stage.CALLER, callee, "c1", 2, routes);
        SipRequest info = stage.bob.request("INFO");
        assertThat(info.requestUri()).hasToString("sip:10.0.0.3:5060");
        assertThat(info.routes()).isEmpty();
        stage.bob.respond(info, 200, "");
        stage.alice.response(200);
        assertThat(stage.seen()).containsExactly("one INFO", "three INFO", "three 200", "one 200");
        String back = byRoute ? "sip:10.0.0.2:5060" : "sip:alice@10.0.0.1:5060";
        stage.bob.request(
                "BYE " + back,
                callee,
                Stage.CALLER,
                "c1",
                7,
                byRoute ? Stage.fromCallee(invite) : new String[0]);
        stage.alice.respond(stage.alice.request("BYE"), 200, "");
        stage.bob.response(200);
        assertThat(stage.seen()).containsExactly("three BYE", "one BYE", "one 200", "three 200");
        stage.end();
    }

    /** RFC 6665 4.4.1: it begins the dialog for each of them. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aNotifyBeforeThe2xxVisitsThoseThatRecordRouted(ExecutionMode mode) {
        Path dar = folder.resolve("carillon.dar");
        Stage.write(dar, Stage.invite("one", "two").replace("INVITE", "SUBSCRIBE"));
        Stage stage = new Stage(mode, dar);
        stage.relay("one");
        stage.relay("two");
        String event = "Event: presence";
        stage.alice.request(
                "SUBSCRIBE sip:bob@10.0.0.3:5060",
                Stage.CALLER,
                Stage.CALLEE,
                "c1",
                1,
                event,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest subscribe = stage.bob.request("SUBSCRIBE");
        stage.seen();
        for (int i = 1; i < 3; i++) {
            List<String> headers = new ArrayList<>(List.of(Stage.fromCallee(subscribe)));
            headers.add(event);
            headers.add("Subscription-State: active;expires=60");
            headers.add("Contact: <sip:10.0.0.3:5060>");
            stage.bob.request(
                    "NOTIFY sip:10.0.0.2:5060",
                    Stage.CALLEE + ";tag=b",
                    Stage.CALLER,
                    "c1",
                    i,
                    headers.toArray(String[]::new));
            SipRequest notify = stage.alice.request("NOTIFY");
            assertThat(notify.recordRoutes()).as("RFC 6665 4.3").hasSize(2);
            stage.alice.respond(notify, 200, "");
            stage.bob.response(200);
            assertThat(stage.seen())
                    .containsExactly("two NOTIFY", "one NOTIFY", "one 200", "two 200");
        }
        stage.bob.respond(subscribe, 200, "b");
        stage.alice.response(200);
        stage.server.run(Duration.ofSeconds(200));
        stage.server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCancelGoesAlongTheChain(ExecutionMode mode) {
        Stage stage = stage(mode, "one", "two");
        stage.relay("one");
        stage.relay("two");
        String contact = "Contact: <sip:10.0.0.2:5060>";
        String uri = "sip:bob@10.0.0.3:5060";
        stage.alice.send(
                stage.alice.text(
                        "INVITE " + uri, "z9hG4bKi", Stage.CALLER, Stage.CALLEE, "c1", 1, contact));
        SipRequest invite = stage.bob.request("INVITE");
        stage.bob.respond(invite, 180, "b");
        stage.alice.response(180);
        stage.seen();
        stage.alice.send(
                stage.alice.text("CANCEL " + uri, "z9hG4bKi", Stage.CALLER, Stage.CALLEE, "c1", 1));
        stage.alice.response(200);
        stage.bob.respond(stage.bob.request("CANCEL"), 200, "b");
        stage.bob.respond(invite, 487, "b");
        stage.alice.response(487);
        stage.bob.request("ACK");
        assertThat(stage.seen()).containsExactly("one CANCEL", "two CANCEL", "two 487", "one 487");
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anApplicationThatAnswersEndsTheChainAndIsReachedThroughThoseBefore(ExecutionMode mode) {
        for (boolean byRoute : new boolean[] {true, false}) {
            Stage stage = stage(mode, "one", "uas", "never");
            stage.relay("one");
            Manual uas = new Manual();
            stage.deploy("uas", uas);
            stage.relay("never");
            stage.call();
            stage.alice.response(180);
            uas.answer(200);
            SipResponse ok = stage.alice.response(200);
            assertThat(stage.seen()).containsExactly("one INVITE", "one 180", "one 200");
            String tag = "<sip:bob@y>;tag=" + ok.toTag();
            String uri = byRoute ? ok.contact().uri().toString() : "sip:bob@10.0.0.1:5060";
            String[] routes = byRoute ? Stage.fromCaller(ok) : new String[0];
            stage.alice.request("ACK " + uri, Stage.CALLER, tag, "c1", 1, routes);
            stage.server.run(Duration.ofSeconds(1));
            assertThat(stage.seen()).containsExactly("one ACK");
            stage.alice.request("BYE " + uri, Stage.CALLER, tag, "c1", 2, routes);
            stage.alice.response(200);
            assertThat(stage.seen()).containsExactly("one BYE", "one 200");
            assertThat(uas.events).containsExactly("INVITE", "ACK", "BYE");
            assertThat(stage.bob.all).isEmpty();
            stage.end();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anApplicationThatAnsweredReachesItsCallerThroughThoseBefore(ExecutionMode mode)
            throws Exception {
        Stage stage = stage(mode, "one", "two", "uas");
        stage.relay("one");
        stage.relay("two");
        Manual uas = new Manual();
        stage.deploy("uas", uas);
        stage.call();
        stage.alice.response(180);
        uas.answer(200);
        SipResponse ok = stage.alice.response(200);
        stage.alice.request(
                "ACK " + ok.contact().uri(),
                Stage.CALLER,
                "<sip:bob@y>;tag=" + ok.toTag(),
                "c1",
                1,
                Stage.fromCaller(ok));
        stage.server.run(Duration.ofSeconds(1));
        stage.seen();
        uas.invite.getSession().createRequest("BYE").send();
        SipRequest bye = stage.alice.request("BYE");
        assertThat(bye.routes()).isEmpty();
        stage.alice.respond(bye, 200, "");
        stage.server.run(Duration.ofSeconds(1));
        assertThat(stage.seen()).containsExactly("two BYE", "one BYE", "one 200", "two 200");
        assertThat(uas.events).containsExactly("INVITE", "ACK", "BYE 200");
        stage.end();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aB2buaContinuesTheChainWithItsOtherLeg(ExecutionMode mode) {
        for (boolean byRoute : new boolean[] {true, false}) {
            Stage stage = stage(mode, "one", "bridge", "two");
            stage.relay("one");
            Bridge bridge = new Bridge("sip:bob@10.0.0.3:5060");
            stage.deploy("bridge", bridge);
            stage.relay("two");
            stage.call();
            SipRequest invite = stage.bob.request("INVITE");
            assertThat(stage.seen()).containsExactly("one INVITE", "two INVITE");
            assertThat(invite.callId()).isNotEqualTo("c1");
            assertThat(invite.maxForwards()).isEqualTo(67);
            stage.bob.respond(invite, 200, "b");
            SipResponse ok = stage.alice.response(200);
            String tag = "<sip:bob@y>;tag=" + ok.toTag();
            String uri = byRoute ? ok.contact().uri().toString() : "sip:bob@10.0.0.1:5060";
            String[] routes = byRoute ? Stage.fromCaller(ok) : new String[0];
            stage.alice.request("ACK " + uri, Stage.CALLER, tag, "c1", 1, routes);
            stage.bob.request("ACK");
            assertThat(stage.seen()).containsExactly("two 200", "one 200", "one ACK", "two ACK");
            stage.bob.request(
                    "BYE " + (byRoute ? invite.contact().uri() : "sip:alice@10.0.0.1:5060"),
                    "<sip:bob@y>;tag=b",
                    invite.from().toString(),
                    invite.callId(),
                    7,
                    byRoute ? Stage.fromCallee(invite) : new String[0]);
            stage.alice.respond(stage.alice.request("BYE"), 200, "");
            stage.bob.response(200);
            assertThat(stage.seen()).containsExactly("two BYE", "one BYE", "one 200", "two 200");
            stage.end();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "SipServletRequest#getRegion()",
        "SipServletRequest#getSubscriberURI()",
        "SipSession#getRegion()",
        "SipSession#getSubscriberURI()",
    })
    void everyApplicationHasItsRegionAndSubscriber(ExecutionMode mode) {
        Path dar = folder.resolve("regions.dar");
        Stage.write(
                dar,
                "INVITE: (\"one\", \"DAR:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\"),"
                        + " (\"two\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"1\")\n");
        Stage stage = new Stage(mode, dar);
        Relay one = stage.relay("one");
        Relay two = stage.relay("two");
        stage.call();
        stage.bob.respond(stage.bob.request("INVITE"), 486, "b");
        stage.alice.response(486);
        assertThat(List.of(one.regions, two.regions))
                .containsExactly(
                        List.of("ORIGINATING sip:alice@x"), List.of("TERMINATING sip:bob@y"));
        assertThat(two.sessionRegions).containsExactly("TERMINATING sip:bob@y");
        stage.end();
    }

    /** A Route to somebody else is no way past the applications before the user agent. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aForeignRouteLeadsPastNoApplication(ExecutionMode mode) {
        Stage stage = stage(mode, "one", "two");
        stage.relay("one");
        stage.deploy(
                "two",
                new SipServlet() {
                    @Override
                    protected void doRequest(SipServletRequest request) throws IOException {
                        stage.events.add("two " + request.getMethod());
                        if (!request.getMethod().equals("ACK")) {
                            request.createResponse(200).send();
                        }
                    }
                });
        stage.call();
        SipResponse ok = stage.alice.response(200);
        String callee = ok.to().toString();
        String uri = Objects.requireNonNull(ok.contact()).uri().toString();
        stage.alice.request("ACK " + uri, Stage.CALLER, callee, "c1", 1, Stage.fromCaller(ok));
        stage.server.run(Duration.ofMillis(100));
        stage.seen();
        String[] ways = {
            "Route: <sip:192.0.2.1;lr>",
            "Route: <sip:10.0.0.1;lr;crn=1>",
            "Route: <sip:10.0.0.1;lr>, <sip:192.0.2.1;lr>"
        };
        for (int i = 0; i < ways.length; i++) {
            stage.alice.request("INFO " + uri, Stage.CALLER, callee, "c1", 2 + i, ways[i]);
            stage.server.run(Duration.ofMillis(100));
            assertThat(stage.seen()).as(ways[i]).startsWith("one INFO");
        }
    }

    /**
     * RFC 3261 12.1: each end has all routes of ours. None leads past the first application on its
     * side, and the place that a route names is no proof.
     */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anEndThatLeavesOutRoutesOfOursPassesNoApplication(ExecutionMode mode) {
        Stage stage = stage(mode, "one", "two", "three");
        stage.relay("one");
        stage.relay("two");
        stage.relay("three");
        stage.call();
        SipRequest invite = stage.bob.request("INVITE");
        stage.bob.respond(invite, 200, "b");
        SipResponse ok = stage.alice.response(200);
        String callee = "<sip:bob@y>;tag=b";
        String uri = "sip:10.0.0.3:5060";
        stage.alice.request("ACK " + uri, Stage.CALLER, callee, "c1", 1, Stage.fromCaller(ok));
        stage.bob.request("ACK");
        stage.seen();
        List<String> ours = ok.recordRoutes().reversed().stream().map(Object::toString).toList();
        List<String> ways = new ArrayList<>(ours);
        ours.forEach(route -> ways.add(route.replaceAll(";crn=\\d", "")));
        ours.forEach(
                route -> ways.add(route.replaceAll(";crn=\\d", "").replace(";lr", ";lr;crn=2")));
        int cseq = 2;
        for (String way : ways) {
            stage.alice.request("INFO " + uri, Stage.CALLER, callee, "c1", cseq++, "Route: " + way);
            stage.bob.respond(stage.bob.request("INFO"), 200, "");
            stage.alice.response(200);
            assertThat(stage.seen())
                    .as("caller by " + way)
                    .startsWith("one INFO", "two INFO", "three INFO");
        }
        for (String way : ways) {
            stage.bob.request(
                    "INFO sip:10.0.0.2:5060", callee, Stage.CALLER, "c1", cseq++, "Route: " + way);
            stage.alice.respond(stage.alice.request("INFO"), 200, "");
            stage.bob.response(200);
            assertThat(stage.seen())
                    .as("callee by " + way)
                    .startsWith("three INFO", "two INFO", "one INFO");
        }
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** RFC 4028 where the server calls: as a user agent, between two legs, and as a proxy. */
class SessionTimerLegsTest {
    private static final String PARAM = "io.carillon.session-timers";
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String TIMER = "Supported: timer";

    private final Server server = Server.fresh(43);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private String to = "";

    private void deploy(SipServlet servlet, ExecutionMode mode, String... params) throws Exception {
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .sessionTimeoutMinutes(0)
                        .execution(mode);
        for (int i = 0; i < params.length; i += 2) {
            builder.contextParam(params[i], params[i + 1]);
        }
        server.container.deploy(builder.build());
    }

    private static String expires(SipMessage message) {
        return String.valueOf(message.header(HeaderName.SESSION_EXPIRES));
    }

    private void invite(String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Contact: <sip:10.0.0.2:5060>";
        alice.request("INVITE sip:b@10.0.0.3", FROM, "<sip:b@y>", "c1", 1, all);
    }

    private SipResponse answered(SipRequest atBob, String... headers) {
        bob.respond(atBob, 200, "b", headers);
        SipResponse ok = alice.response(200);
        to = ok.to().toString();
        return ok;
    }

    private void settle() {
        server.run(Duration.ofMillis(50));
    }

    // ---- as a caller ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCallerThatOffersTriesAgainWithTheIntervalOf422(ExecutionMode mode) throws Exception {
        Manual manual = new Manual();
        deploy(manual, mode, PARAM, "offer", PARAM + ".interval", "600");
        SipServletRequest call = manual.call("sip:b@10.0.0.3");
        SipRequest first = bob.request("INVITE");
        assertThat(expires(first)).isEqualTo("600");
        assertThat(first.headers(HeaderName.SUPPORTED)).containsExactly("timer");
        bob.respond(first, 422, "no", "Min-SE: 900");
        bob.request("ACK");
        SipRequest second = bob.request("INVITE");
        assertThat(expires(second)).isEqualTo("900");
        assertThat(second.header(HeaderName.MIN_SE)).isEqualTo("900");
        assertThat(second.callId()).isEqualTo(first.callId());
        assertThat(second.fromTag()).isEqualTo(first.fromTag());
        assertThat(second.cseq().number()).isEqualTo(first.cseq().number() + 1);
        assertThat(second.count(HeaderName.VIA)).isEqualTo(1);
        assertThat(second.topVia().branch()).isNotEqualTo(first.topVia().branch());
        bob.respond(second, 200, "b", "Session-Expires: 900;refresher=uac", "Allow: UPDATE");
        bob.request("ACK");
        settle();
        assertThat(manual.events).containsExactly("INVITE 200");
        server.run(Duration.ofSeconds(440));
        SipRequest update = bob.request("UPDATE");
        assertThat(expires(update)).isEqualTo("900;refresher=uac");
        bob.respond(update, 200, "", "Session-Expires: 900;refresher=uac");
        settle();
        call.getSession().createRequest("BYE").send();
        bob.respond(bob.request("BYE"), 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @Test
    void a422ThatAsksForNoMoreIsTheApplications() throws Exception {
        Manual manual = new Manual();
        deploy(manual, ExecutionMode.NON_BLOCKING, PARAM, "offer", PARAM + ".interval", "600");
        manual.call("sip:b@10.0.0.3");
        bob.respond(bob.request("INVITE"), 422, "no", "Min-SE: 300");
        settle();
        assertThat(manual.events).containsExactly("INVITE 422");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** RFC 4028 7.2: who asked for a timer may keep it although the peer knows none. */
    @Test
    void aPeerWithoutTimersIsRefreshedByUs() throws Exception {
        Manual manual = new Manual();
        deploy(manual, ExecutionMode.NON_BLOCKING, PARAM, "offer", PARAM + ".interval", "100");
        SipServletRequest call = manual.call("sip:b@10.0.0.3");
        bob.respond(bob.request("INVITE"), 200, "b", "Allow: INVITE, UPDATE");
        bob.request("ACK");
        server.run(Duration.ofSeconds(40));
        bob.respond(bob.request("UPDATE"), 200, "");
        server.run(Duration.ofSeconds(40));
        bob.respond(bob.request("UPDATE"), 200, "");
        call.getSession().createRequest("BYE").send();
        bob.respond(bob.request("BYE"), 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** RFC 4028 11.1: a callee cannot make us refresh at its own rate. */
    @Test
    void aForgedIntervalInA2xxIsTakenForOurMinimum() throws Exception {
        Manual manual = new Manual();
        deploy(manual, ExecutionMode.NON_BLOCKING, PARAM, "offer");
        manual.call("sip:b@10.0.0.3");
        bob.respond(
                bob.request("INVITE"),
                200,
                "b",
                "Session-Expires: 1;refresher=uac",
                "Allow: UPDATE");
        bob.request("ACK");
        server.run(Duration.ofSeconds(44));
        assertThat(bob.requests("UPDATE")).isZero();
        server.run(Duration.ofSeconds(2));
        assertThat(bob.requests("UPDATE")).isPositive();
    }

    @Test
    void aCallThatTheCalleeDoesNotRefreshEnds() throws Exception {
        Manual manual = new Manual();
        deploy(manual, ExecutionMode.NON_BLOCKING, PARAM, "offer", PARAM + ".interval", "120");
        manual.call("sip:b@10.0.0.3");
        bob.respond(bob.request("INVITE"), 200, "b", "Session-Expires: 120;refresher=uas");
        bob.request("ACK");
        server.run(Duration.ofSeconds(87));
        SipRequest bye = bob.request("BYE");
        assertThat(bye.header(HeaderName.REASON)).contains("Session Timer Expired");
        bob.respond(bye, 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    // ---- two legs ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void eachLegOfABackToBackUserAgentHasAnIntervalOfItsOwn(ExecutionMode mode) throws Exception {
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, mode, PARAM, "offer", PARAM + ".interval", "600");
        invite(TIMER, "Session-Expires: 200;refresher=uac", "Min-SE: 100");
        SipRequest leg = bob.request("INVITE");
        assertThat(expires(leg)).isEqualTo("600");
        assertThat(leg.has(HeaderName.MIN_SE)).isFalse();
        assertThat(leg.headers(HeaderName.SUPPORTED)).containsExactly("timer");
        SipResponse ok =
                answered(leg, "Session-Expires: 300;refresher=uac", "Allow: UPDATE, INVITE");
        assertThat(expires(ok)).isEqualTo("200;refresher=uac");
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        bridge.events.clear();
        for (int i = 0; i < 3; i++) {
            // Every 150 s Alice refreshes her leg, and we refresh Bob's at half of 300 s.
            server.run(Duration.ofSeconds(95));
            aliceRefreshes(2 + i);
            server.run(Duration.ofSeconds(50));
            SipRequest update = bob.request("UPDATE");
            assertThat(expires(update)).isEqualTo("300;refresher=uac");
            bob.respond(update, 200, "", "Session-Expires: 300;refresher=uac");
            settle();
        }
        assertThat(bridge.events).isEmpty();
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 20);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private void aliceRefreshes(int cseq) {
        alice.request("UPDATE sip:10.0.0.1", FROM, to, "c1", cseq, TIMER, "Session-Expires: 200");
        assertThat(expires(alice.response(200))).isEqualTo("200;refresher=uac");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aLegThatNobodyRefreshesEndsBoth(ExecutionMode mode) throws Exception {
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge, mode);
        invite(TIMER, "Session-Expires: 120;refresher=uac");
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.has(HeaderName.SESSION_EXPIRES)).isFalse();
        answered(leg);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        server.run(Duration.ofSeconds(87));
        SipRequest byeA = alice.request("BYE");
        SipRequest byeB = bob.request("BYE");
        assertThat(byeA.header(HeaderName.REASON)).isEqualTo(byeB.header(HeaderName.REASON));
        bob.respond(byeB, 200, "");
        alice.respond(byeA, 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    // ---- a proxy ----

    /** Stays on the way. */
    private static final class Relay extends SipServlet {
        final List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            events.add("INVITE");
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            proxy.proxyTo(factory.createURI("sip:b@10.0.0.3:5060"));
        }
    }

    /** RFC 4028 8.1: inserted, lowered, never raised but where the caller knows no timers. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, timer, -, 600, -",
                "-, path, -, 600, -",
                "-, timer, 900, 900, 900",
                "4000, timer, -, 600, -",
                "'4000;refresher=uas', timer, -, '600;refresher=uas', -",
                "4000, timer, 1200, 1200, 1200",
                "300, timer, -, 300, -",
                "100, path, -, 200, 200",
                "100, path, 120, 200, 200",
            })
    void aProxyInsertsAndLowers(
            String asked, String supported, String min, String sent, String minSent)
            throws Exception {
        deploy(
                new Relay(),
                ExecutionMode.NON_BLOCKING,
                PARAM,
                "insert",
                PARAM + ".interval",
                "600",
                PARAM + ".min",
                "200");
        List<String> headers = new ArrayList<>(List.of("Supported: " + supported));
        if (asked != null) {
            headers.add("Session-Expires: " + asked);
        }
        if (min != null) {
            headers.add("Min-SE: " + min);
        }
        invite(headers.toArray(new String[0]));
        SipRequest forwarded = bob.request("INVITE");
        assertThat(expires(forwarded)).isEqualTo(sent);
        assertThat(forwarded.header(HeaderName.MIN_SE)).isEqualTo(minSent);
        assertThat(forwarded.headers(HeaderName.SUPPORTED)).containsExactly(supported);
        bob.respond(forwarded, 486, "b");
        alice.response(486);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @Test
    void aProxyRefusesWhatIsTooSmall() throws Exception {
        deploy(new Relay(), ExecutionMode.NON_BLOCKING, PARAM, "insert", PARAM + ".min", "200");
        invite(TIMER, "Session-Expires: 100");
        assertThat(alice.response(422).header(HeaderName.MIN_SE)).isEqualTo("200");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    @Test
    void aProxyThatWasNotAskedToPassesEverythingOn() throws Exception {
        deploy(new Relay(), ExecutionMode.NON_BLOCKING);
        invite(TIMER, "Session-Expires: 7200;refresher=uas", "Min-SE: 120");
        SipRequest forwarded = bob.request("INVITE");
        assertThat(expires(forwarded)).isEqualTo("7200;refresher=uas");
        assertThat(forwarded.header(HeaderName.MIN_SE)).isEqualTo("120");
        SipResponse ok = answered(forwarded, "Session-Expires: 7200;refresher=uas");
        assertThat(expires(ok)).isEqualTo("7200;refresher=uas");
    }

    /** RFC 4028 8.2: the first proxy that knows timers answers for a callee that knows none. */
    @ParameterizedTest
    @CsvSource({"timer, '600;refresher=uac'", "path, null"})
    void aProxyAnswersForACalleeWithoutTimers(String supported, String said) throws Exception {
        deploy(
                new Relay(),
                ExecutionMode.NON_BLOCKING,
                PARAM,
                "insert",
                PARAM + ".interval",
                "600");
        invite("Supported: " + supported);
        SipResponse ok = answered(bob.request("INVITE"));
        assertThat(expires(ok)).isEqualTo(said);
        assertThat(ok.headers(HeaderName.REQUIRE))
                .isEqualTo(said.equals("null") ? List.of() : List.of("timer"));
    }

    /** RFC 4028 8.3: no BYE of a proxy's; it forgets. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyForgetsACallThatNobodyRefreshes(ExecutionMode mode) throws Exception {
        deploy(new Relay(), mode);
        invite(TIMER, "Session-Expires: 120");
        SipResponse ok = answered(bob.request("INVITE"), "Session-Expires: 120;refresher=uac");
        String route = "Route: " + ok.header(HeaderName.RECORD_ROUTE);
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        bob.request("ACK");
        server.run(Duration.ofSeconds(100));
        alice.request(
                "UPDATE sip:10.0.0.3:5060",
                FROM,
                to,
                "c1",
                2,
                route,
                "Contact: <sip:10.0.0.2:5060>",
                TIMER,
                "Session-Expires: 120;refresher=uac");
        bob.respond(bob.request("UPDATE"), 200, "", "Session-Expires: 120;refresher=uac");
        alice.response(200);
        server.run(Duration.ofSeconds(119));
        assertThat(server.container.callsHeld()).isEqualTo(1);
        server.run(Duration.ofSeconds(40));
        assertThat(alice.requests("BYE") + bob.requests("BYE")).isZero();
        assertThat(server.container.counters().sessionTimersExpired.sum()).isEqualTo(1);
        server.assertEmpty();
    }
}

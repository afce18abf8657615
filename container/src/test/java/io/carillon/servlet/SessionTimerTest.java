package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 4028 at user agents: negotiation, refreshes by either side, and what comes of none. */
class SessionTimerTest {
    private static final String PARAM = "io.carillon.session-timers";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String TIMER = "Supported: timer";

    private final Server server = Server.fresh(41);
    private final RawPeer alice = server.peer("10.0.0.2");

    /** Answers at once, with a description when it was made with one. */
    static final class Phone extends SipServlet implements SipSessionListener {
        final List<String> events = new ArrayList<>();
        final String sdp;
        String ownExpires = "";

        Phone(String sdp) {
            this.sdp = sdp;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            events.add("INVITE");
            SipServletResponse ok = request.createResponse(200);
            if (!sdp.isEmpty()) {
                ok.setContent(sdp, "application/sdp");
            }
            if (!ownExpires.isEmpty()) {
                ok.setHeader("Session-Expires", ownExpires);
            }
            ok.send();
        }

        @Override
        protected void doUpdate(SipServletRequest request) throws IOException {
            events.add("UPDATE");
            request.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            events.add("BYE");
            request.createResponse(200).send();
        }

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            events.add(response.getMethod() + " " + response.getStatus());
        }

        @Override
        public void sessionCreated(SipSessionEvent event) {}

        @Override
        public void sessionDestroyed(SipSessionEvent event) {}

        @Override
        public void sessionReadyToInvalidate(SipSessionEvent event) {
            events.add("ready");
        }
    }

    private void deploy(SipServlet servlet, ExecutionMode mode, String... params)
            throws DeploymentException {
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .sessionTimeoutMinutes(0)
                        .execution(mode);
        if (servlet instanceof SipSessionListener listener) {
            builder.listener(listener);
        }
        for (int i = 0; i < params.length; i += 2) {
            builder.contextParam(params[i], params[i + 1]);
        }
        server.container.deploy(builder.build());
    }

    private SipResponse invite(int status, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = CONTACT;
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c1", 1, all);
        return alice.response(status);
    }

    private String to = "";

    private SipResponse call(String... headers) {
        SipResponse ok = invite(200, headers);
        to = ok.to().toString();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(50));
        return ok;
    }

    private static String expires(SipMessage message) {
        return String.valueOf(message.header(HeaderName.SESSION_EXPIRES));
    }

    private static String sdpOf(SipMessage message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    private void endByAlice(int cseq) {
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", cseq);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** The BYE of a call that nobody refreshed. */
    private void assertExpired() {
        SipRequest bye = alice.request("BYE");
        assertThat(bye.header(HeaderName.REASON))
                .isEqualTo("SIP;cause=408;text=\"Session Timer Expired\"");
        alice.respond(bye, 200, "");
        server.run(Duration.ofSeconds(40));
        assertThat(server.container.counters().sessionTimersExpired.sum()).isEqualTo(1);
        server.assertEmpty();
    }

    // ---- what is kept ----

    private static final int LONG = 5_000;

    /** Of a call with a long description, by what it becomes when it goes to another node. */
    private int keptByTimer(String refresher) throws Exception {
        deploy(new Phone("v".repeat(LONG)), ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 1800;refresher=" + refresher);
        ServletSession session =
                server.container.sessions().all().iterator().next().sessions().iterator().next();
        StateWriter out = new StateWriter();
        Objects.requireNonNull(session.sessionTimer()).write(out);
        return out.length();
    }

    @Test
    void whereThePeerRefreshesNoDescriptionIsKept() throws Exception {
        assertThat(keptByTimer("uac")).isLessThan(100);
        assertThat(server.container.keptAddresses().bytes()).isZero();
        endByAlice(2);
    }

    @Test
    void whereWeRefreshALongDescriptionCountsAsWhatSessionsKeep() throws Exception {
        assertThat(keptByTimer("uas")).isGreaterThan(LONG);
        assertThat(server.container.keptAddresses().bytes()).isEqualTo(LONG - 640);
        endByAlice(2);
        assertThat(server.container.keptAddresses().bytes()).isZero();
    }

    @Test
    void withoutRoomForItWeRefreshByUpdate() throws Exception {
        server.container.keptAddresses().most(0, SessionShares.none(1));
        assertThat(keptByTimer("uas")).isLessThan(100);
        assertThat(server.container.counters().refusedAddresses.sum()).isEqualTo(1);
        server.run(Duration.ofSeconds(910));
        alice.respond(alice.request("UPDATE"), 200, "", "Session-Expires: 1800;refresher=uac");
        endByAlice(2);
    }

    // ---- what is answered ----

    /** RFC 4028 9, table 2, and what we do with the row that leaves it open. */
    @ParameterizedTest
    @CsvSource({
        "timer, '120', '120;refresher=uac', timer",
        "timer, '120;refresher=uac', '120;refresher=uac', timer",
        "timer, '120;refresher=uas', '120;refresher=uas', timer",
        "timer, '7200', '1800;refresher=uac', timer",
        "100rel, '120', '120;refresher=uas', ''",
        "timer, '99999999999999', '1800;refresher=uac', timer",
    })
    void theAnswerNamesIntervalAndRefresher(
            String supported, String asked, String said, String require) throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        SipResponse ok = call("Supported: " + supported, "Session-Expires: " + asked);
        assertThat(expires(ok)).isEqualTo(said);
        assertThat(ok.headers(HeaderName.REQUIRE))
                .isEqualTo(require.isEmpty() ? List.of() : List.of(require));
        endByAlice(2);
    }

    @Test
    void anAnswerIsNotLowerThanTheMinimumOfTheRequest() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING, PARAM + ".interval", "100");
        assertThat(expires(call(TIMER, "x: 7200", "Min-SE: 3000"))).startsWith("3000;");
        endByAlice(2);
    }

    /** A35: nobody can make us refresh every second. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aForgedIntervalIsRefusedWith422AndOurMinimum(ExecutionMode mode) throws Exception {
        Phone phone = new Phone("");
        deploy(phone, mode);
        SipResponse refused = invite(422, TIMER, "Session-Expires: 1", "Min-SE: 0");
        assertThat(refused.header(HeaderName.MIN_SE)).isEqualTo("90");
        assertThat(phone.events).isEmpty();
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void aForgedIntervalOfAPeerWithoutTimersIsNoTimer() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        assertThat(expires(call("Session-Expires: 1"))).isEqualTo("null");
        endByAlice(2);
    }

    @Test
    void whatIsNoIntervalIs400() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        invite(400, TIMER, "Session-Expires: soon");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void withinTheDialogToo() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120");
        alice.request(
                "UPDATE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT, TIMER, "Session-Expires: 30");
        assertThat(alice.response(422).header(HeaderName.MIN_SE)).isEqualTo("90");
        endByAlice(3);
    }

    @Test
    void anApplicationThatWritesTheHeaderIsLeftAlone() throws Exception {
        Phone phone = new Phone("");
        phone.ownExpires = "95;refresher=uac";
        deploy(phone, ExecutionMode.NON_BLOCKING);
        assertThat(expires(call(TIMER, "Session-Expires: 120"))).isEqualTo("95;refresher=uac");
        server.run(Duration.ofSeconds(200));
        assertThat(alice.requests("BYE")).isZero();
        endByAlice(2);
    }

    @Test
    void switchedOffItTouchesNothing() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING, PARAM, "off");
        assertThat(expires(call(TIMER, "Session-Expires: 10"))).isEqualTo("null");
        endByAlice(2);
    }

    @ParameterizedTest
    @CsvSource({
        "io.carillon.session-timers, perhaps",
        "io.carillon.session-timers.min, 20",
        "io.carillon.session-timers.interval, 60",
        "io.carillon.session-timers.interval, soon",
        "io.carillon.session-timers.refresher, nobody",
        "io.carillon.session-timers.visible, maybe",
    })
    void aWrongParameterIsADeploymentErrorThatNamesIt(String name, String value) {
        assertThatThrownBy(() -> deploy(new Phone(""), ExecutionMode.BLOCKING, name, value))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("context-param")
                .hasMessageContaining(value);
    }

    // ---- the peer refreshes ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRefreshByUpdateIsAnsweredAndTheApplicationDoesNotHear(ExecutionMode mode)
            throws Exception {
        Phone phone = new Phone("");
        deploy(phone, mode);
        call(TIMER, "Session-Expires: 120");
        for (int cseq = 2; cseq < 6; cseq++) {
            server.run(Duration.ofSeconds(60));
            alice.request(
                    "UPDATE sip:10.0.0.1",
                    FROM,
                    to,
                    "c1",
                    cseq,
                    CONTACT,
                    TIMER,
                    "Session-Expires: 120;refresher=uac");
            SipResponse ok = alice.response(200);
            assertThat(expires(ok)).isEqualTo("120;refresher=uac");
            assertThat(ok.header(HeaderName.CONTACT)).isNotNull();
        }
        assertThat(phone.events).containsExactly("INVITE");
        server.run(Duration.ofSeconds(87));
        assertThat(alice.requests("BYE")).isZero();
        server.run(Duration.ofSeconds(2));
        assertExpired();
        assertThat(phone.events).containsExactly("INVITE", "ready");
    }

    @Test
    void anApplicationThatAsksSeesTheUpdate() throws Exception {
        Phone phone = new Phone("");
        deploy(phone, ExecutionMode.NON_BLOCKING, PARAM + ".visible", "true");
        call(TIMER, "Session-Expires: 120");
        alice.request(
                "UPDATE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT, TIMER, "Session-Expires: 120");
        assertThat(expires(alice.response(200))).isEqualTo("120;refresher=uac");
        assertThat(phone.events).containsExactly("INVITE", "UPDATE");
        endByAlice(3);
    }

    @Test
    void aReInviteRefreshesAndIsTheApplications() throws Exception {
        Phone phone = new Phone("");
        deploy(phone, ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120");
        server.run(Duration.ofSeconds(60));
        alice.request(
                "INVITE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT, TIMER, "Session-Expires: 120");
        assertThat(expires(alice.response(200))).isEqualTo("120;refresher=uac");
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 2);
        server.run(Duration.ofSeconds(80));
        assertThat(alice.requests("BYE")).isZero();
        assertThat(phone.events).containsExactly("INVITE", "INVITE");
        server.run(Duration.ofSeconds(10));
        assertExpired();
    }

    /** RFC 4028 9: the most recent 2xx counts, whatever was agreed before. */
    @Test
    void aReInviteWithoutIntervalEndsTheTimer() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120");
        alice.request("INVITE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT);
        assertThat(expires(alice.response(200))).isEqualTo("null");
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 2);
        server.run(Duration.ofSeconds(300));
        assertThat(alice.requests("BYE")).isZero();
        endByAlice(3);
    }

    // ---- we refresh ----

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void weRefreshByUpdateWithoutABodyAtHalfTheInterval(ExecutionMode mode) throws Exception {
        Phone phone = new Phone("v=0");
        deploy(phone, mode);
        call(TIMER, "Session-Expires: 120;refresher=uas", "Allow: INVITE, UPDATE, BYE");
        long before = 0;
        for (int i = 0; i < 4; i++) {
            server.run(Duration.ofSeconds(59));
            assertThat(alice.requests("UPDATE")).isEqualTo(i);
            SipRequest update = alice.request("UPDATE");
            assertThat(expires(update)).isEqualTo("120;refresher=uac");
            assertThat(update.headers(HeaderName.SUPPORTED)).containsExactly("timer");
            assertThat(update.bodyLength()).isZero();
            assertThat(update.cseq().number()).isGreaterThan(before);
            before = update.cseq().number();
            alice.respond(update, 200, "", "Session-Expires: 120;refresher=uac", "Require: timer");
            server.run(Duration.ofMillis(50));
        }
        assertThat(phone.events).containsExactly("INVITE");
        endByAlice(2);
    }

    @Test
    void weRefreshByInviteWithTheDescriptionThatWeSentLast() throws Exception {
        Phone phone = new Phone("v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\n");
        deploy(phone, ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120;refresher=uas");
        server.run(Duration.ofSeconds(59));
        SipRequest again = alice.request("INVITE");
        assertThat(sdpOf(again)).isEqualTo(phone.sdp);
        assertThat(again.header(HeaderName.CONTENT_TYPE)).startsWith("application/sdp");
        assertThat(expires(again)).isEqualTo("120;refresher=uac");
        alice.respond(again, 200, "", "Session-Expires: 120;refresher=uac", "Require: timer");
        SipRequest ack = alice.request("ACK");
        assertThat(ack.cseq().number()).isEqualTo(again.cseq().number());
        assertThat(phone.events).containsExactly("INVITE");
        endByAlice(2);
    }

    @Test
    void aRefreshThatIsNotAnsweredEndsTheCall() throws Exception {
        Phone phone = new Phone("");
        deploy(phone, ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120;refresher=uas", "Allow: UPDATE");
        server.run(Duration.ofSeconds(59));
        alice.request("UPDATE");
        server.run(Duration.ofSeconds(27));
        assertThat(alice.requests("BYE")).isZero();
        server.run(Duration.ofSeconds(3));
        alice.forget();
        SipRequest bye =
                (SipRequest)
                        alice.all.stream()
                                .filter(m -> m instanceof SipRequest r && r.is("BYE"))
                                .findFirst()
                                .orElseThrow();
        assertThat(bye.header(HeaderName.REASON)).contains("cause=408");
        alice.respond(bye, 200, "");
        server.run(Duration.ofSeconds(70));
        assertThat(phone.events).containsExactly("INVITE", "ready");
        server.assertEmpty();
    }

    @ParameterizedTest
    @CsvSource({"481", "408"})
    void aRefreshThatThePeerKnowsNothingOfEndsTheCallAtOnce(int status) throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120;refresher=uas", "Allow: UPDATE");
        server.run(Duration.ofSeconds(59));
        alice.respond(alice.request("UPDATE"), status, "");
        assertExpired();
    }

    @Test
    void glareIsTriedAgainAndA422RaisesTheInterval() throws Exception {
        Phone phone = new Phone("");
        deploy(phone, ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120;refresher=uas", "Allow: UPDATE");
        server.run(Duration.ofSeconds(59));
        alice.respond(alice.request("UPDATE"), 491, "");
        SipRequest second = alice.request("UPDATE");
        alice.respond(second, 422, "", "Min-SE: 300");
        SipRequest third = alice.request("UPDATE");
        assertThat(expires(third)).isEqualTo("300;refresher=uac");
        assertThat(third.header(HeaderName.MIN_SE)).isEqualTo("300");
        alice.respond(third, 200, "", "Session-Expires: 300;refresher=uac", "Require: timer");
        server.run(Duration.ofSeconds(149));
        assertThat(alice.requests("UPDATE")).isEqualTo(3);
        assertThat(phone.events).containsExactly("INVITE");
        endByAlice(2);
    }

    @Test
    void aPeerThatRefusesEveryRefreshLosesTheCallAtItsTime() throws Exception {
        deploy(new Phone(""), ExecutionMode.NON_BLOCKING);
        call(TIMER, "Session-Expires: 120;refresher=uas", "Allow: UPDATE");
        server.run(Duration.ofSeconds(59));
        for (int i = 0; i < 3; i++) {
            alice.respond(alice.request("UPDATE"), 500, "");
        }
        server.run(Duration.ofSeconds(60));
        long tried =
                alice.all.stream()
                        .filter(m -> m instanceof SipRequest r && r.is("UPDATE"))
                        .map(m -> m.cseq().number())
                        .distinct()
                        .count();
        assertThat(tried).isBetween(3L, 6L);
        alice.forget();
        assertThat(alice.requests("BYE")).isPositive();
    }

    /**
     * Its refreshes come back to us, without a To tag: taken for new calls, they would be answered,
     * and the call would never end.
     */
    @ParameterizedTest
    @ValueSource(strings = {"Allow: INVITE, ACK, BYE, UPDATE", "Allow: INVITE, ACK, BYE"})
    void aCallerWithoutTagThatNamesOurOwnAddressKeepsNoCallAlive(String allow)
            throws DeploymentException {
        Phone phone = new Phone("");
        deploy(phone, ExecutionMode.NON_BLOCKING);
        String from = "<sip:a@x>";
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                from,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:uas@10.0.0.1:5060>",
                "Session-Expires: 90",
                allow);
        SipResponse ok = alice.response(200);
        assertThat(expires(ok)).isEqualTo("90;refresher=uas");
        alice.request("ACK sip:10.0.0.1", from, ok.to().toString(), "c1", 1);
        server.run(Duration.ofMinutes(4));
        assertThat(phone.events).filteredOn("INVITE"::equals).hasSize(1);
        assertThat(phone.events).doesNotContain("UPDATE", "BYE");
        server.assertEmpty();
    }
}

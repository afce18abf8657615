package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.telemetry.otlp.RelayServlet;
import io.carillon.testkit.Call;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.TooManyHopsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of call and the records that it leaves, under virtual time. */
class CallRecordsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String TO_BOB = "sip:10.0.1.2@10.0.0.1";

    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.1", 5060);
    private static final String CODECS =
            """
            INVITE sip:10.0.1.2@10.0.0.1 SIP/2.0
            Via: SIP/2.0/UDP 10.0.1.3:5060;branch=z9hG4bKcodecs
            From: <sip:carol@10.0.1.3>;tag=1
            To: <sip:bob@10.0.1.2>
            Call-ID: codecs
            CSeq: 1 INVITE
            Max-Forwards: 70
            Contact: <sip:carol@10.0.1.3>
            Content-Type: application/sdp

            v=0
            o=- 1 1 IN IP4 10.0.1.3
            s=-
            c=IN IP4 10.0.1.3
            t=0 0
            m=audio 4000 RTP/AVP 8 101
            a=rtpmap:101 telephone-event/8000
            a=sendrecv
            """;

    @TempDir Path folder;

    private RecordedServer server;
    private UserAgent alice;
    private UserAgent bob;

    @BeforeEach
    void start() throws Exception {
        restart(draft -> {});
    }

    private void restart(Consumer<RecordDraft> change) throws Exception {
        server = new RecordedServer(Files.createTempDirectory(folder, "cdr"), change);
        alice = server.sip.phone("alice");
        bob = server.sip.phone("bob");
        server.sip.deploy("relay", new RelayServlet());
        answersAfterASecond(bob);
    }

    private void answersAfterASecond(UserAgent phone) {
        phone.onCall(call -> {
            call.ring();
            server.sip.time().after(SECOND, call::answer);
        });
    }

    /** What a table of records shows of one. */
    private static String row(CallRecord r) {
        return String.join(
                " ",
                r.record(),
                String.valueOf(r.direction()),
                String.valueOf(r.role()),
                r.application() + "/" + r.version(),
                String.valueOf(r.status()),
                String.valueOf(r.endedBy()),
                String.valueOf(r.endedWith()),
                r.talkSeconds() == null ? "-" : Math.round(r.talkSeconds()) + "s");
    }

    private List<String> rows() {
        return server.written().stream().map(CallRecordsTest::row).toList();
    }

    private Call answered(String target) {
        Call call = alice.call(target);
        server.advance(Duration.ofSeconds(2));
        assertThat(call.answered()).isTrue();
        return call;
    }

    @Test
    void eachLegOfABackToBackCallHasARecordAndTheCallerEndedBoth() {
        Call call = answered(TO_BOB);
        server.advance(Duration.ofSeconds(10));
        call.bye();

        List<CallRecord> all = server.written();
        assertThat(all.stream().map(CallRecordsTest::row))
                .containsExactlyInAnyOrder(
                        "final in uas relay/1 200 caller BYE 11s",
                        "final out uac relay/1 200 caller BYE 11s");
        assertThat(all.stream().map(CallRecord::call).distinct()).hasSize(1);
        assertThat(all.stream().map(CallRecord::applicationSession).distinct()).hasSize(1);
        assertThat(all.get(0).linked()).isEqualTo(all.get(1).callId());
        assertThat(all.get(1).linked()).isEqualTo(all.get(0).callId());
        assertThat(all.get(0).from()).contains("sip:alice@");
        assertThat(all.get(0).requestUri()).isEqualTo(TO_BOB);
        assertThat(all.get(0).answerSeconds()).isBetween(1.0, 1.1);
        assertThat(all.get(0).ringSeconds()).isBetween(0.0, 0.1);
        assertThat(all.get(0).invite()).matches("2023-11-14T\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\dZ");
        assertThat(server.records.counters()).containsEntry("cdr.now_legs", 0L);
    }

    @Test
    void theCalleeEndsBoth() {
        answered(TO_BOB);
        bob.lastCall().bye();
        server.advance(SECOND);
        assertThat(rows()).allMatch(row -> row.contains(" callee BYE "));
    }

    /** Tries another phone where the first one is busy. */
    static final class HuntingServlet extends RelayServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            if (response.getStatus() != 486) {
                super.doResponse(response);
                return;
            }
            B2buaHelper helper = response.getRequest().getB2buaHelper();
            SipServletRequest original = helper.getLinkedSipServletRequest(response.getRequest());
            helper.unlinkSipSessions(original.getSession());
            try {
                SipServletRequest next = helper.createRequest(original, true, null);
                next.setRequestURI(factory(this).createURI("sip:10.0.1.3"));
                next.send();
            } catch (ServletException e) {
                throw new IOException(e);
            }
        }
    }

    private static SipFactory factory(SipServlet servlet) {
        return (SipFactory) servlet.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
    }

    @Test
    void aLegIsLinkedToTheOneThatTalksAndNotToOneThatWasTriedBefore() throws Exception {
        UserAgent carol = server.sip.phone("carol");
        server.sip.deploy("relay", new HuntingServlet());
        bob.onCall(call -> call.reject(486));
        answersAfterASecond(carol);
        answered(TO_BOB);
        server.advance(Duration.ofSeconds(10));
        carol.lastCall().bye();

        List<CallRecord> all = server.written();
        CallRecord in = all.stream().filter(r -> "in".equals(r.direction())).findFirst().get();
        CallRecord talked =
                all.stream()
                        .filter(r -> "out".equals(r.direction()) && r.status() == 200)
                        .findFirst()
                        .get();
        assertThat(in.linked()).isEqualTo(talked.callId());
        assertThat(in.endedBy()).isEqualTo("callee");
    }

    @Test
    void aRefusedCallHasItsStatusAndWhoRefused() {
        bob.onCall(call -> call.reject(486));
        alice.call(TO_BOB);
        server.advance(SECOND);
        assertThat(rows())
                .containsExactlyInAnyOrder(
                        "final in uas relay/1 486 callee refusal -",
                        "final out uac relay/1 486 callee refusal -");
    }

    @Test
    void aCancelledCallWasEndedByItsCaller() {
        bob.onCall(Call::ring);
        Call call = alice.call(TO_BOB);
        server.advance(SECOND);
        call.cancel();
        server.advance(SECOND);
        assertThat(rows())
                .containsExactlyInAnyOrder(
                        "final in uas relay/1 487 caller CANCEL -",
                        "final out uac relay/1 487 caller CANCEL -");
    }

    @Test
    void whereNobodyAnswersTheNetworkEndedIt() {
        alice.call("sip:10.0.1.77@10.0.0.1");
        server.advance(Duration.ofSeconds(40));
        List<CallRecord> all = server.written();
        assertThat(all.stream().map(CallRecordsTest::row))
                .containsExactlyInAnyOrder(
                        "final in uas relay/1 408 network refusal -",
                        "final out uac relay/1 0 network no response -");
        CallRecord out = all.stream().filter(r -> "out".equals(r.direction())).findAny().get();
        assertThat(out.repeatsOut()).isEqualTo(6); // Timer A: 0.5, 1.5, 3.5, 7.5, 15.5, 31.5 s
        assertThat(out.problem()).isEqualTo("client_timeouts");
    }

    /** Forks to Bob, Carol and nobody. */
    static final class ForkingServlet extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            try {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.setSupervised(true);
                proxy.proxyTo(
                        List.of(
                                factory.createURI("sip:bob@10.0.1.2"),
                                factory.createURI("sip:carol@10.0.1.3"),
                                factory.createURI("sip:nobody@10.0.1.9")));
            } catch (TooManyHopsException e) {
                throw new ServletException(e);
            }
        }
    }

    @Test
    void everyBranchOfAForkedCallHasARecordOfTheSameCall() throws Exception {
        server.sip.undeploy("relay");
        server.sip.deploy("forking", new ForkingServlet());
        UserAgent carol = server.sip.phone("carol");
        carol.onCall(Call::ring);
        Call call = answered(TO_BOB);
        server.advance(SECOND);
        call.bye();
        server.advance(Duration.ofSeconds(40));

        List<CallRecord> all = server.written();
        assertThat(all.stream().map(CallRecordsTest::row))
                .containsExactlyInAnyOrder(
                        "final in proxy forking/1 200 caller BYE 2s",
                        "final out proxy forking/1 200 caller BYE 2s",
                        "final out proxy forking/1 487 server CANCEL -",
                        "final out proxy forking/1 0 server given up -");
        assertThat(all.stream().map(CallRecord::call).distinct()).hasSize(1);
        CallRecord carols = all.stream().filter(r -> r.status() == 487).findAny().get();
        assertThat(carols.reason()).contains("Call completed elsewhere");
    }

    @Test
    void aCallThatTakesOverAnotherIsLinkedToIt() throws Exception {
        answered(TO_BOB);
        SipDialog taken = SipDialog.of(alice.lastCall());
        UserAgent carol = server.sip.phone("carol");
        Call call =
                carol.invite(TO_BOB)
                        .header("Replaces", taken.replaces())
                        .header("Referred-By", "<sip:bob@10.0.1.2>")
                        .send();
        server.advance(Duration.ofSeconds(2));
        call.bye();
        alice.lastCall().bye();
        List<CallRecord> all = server.written();
        CallRecord first =
                all.stream().filter(r -> taken.callId().equals(r.callId())).findAny().get();
        CallRecord carols =
                all.stream().filter(r -> taken.callId().equals(r.replaces())).findAny().get();
        assertThat(carols.transferOf()).isEqualTo(first.call());
        assertThat(carols.referredBy()).isEqualTo("<sip:bob@10.0.1.2>");
    }

    /**
     * @param callId of the dialog; @param replaces the value of a Replaces that names it
     */
    private record SipDialog(String callId, String replaces) {
        static SipDialog of(Call call) {
            String id = call.dialog().callId();
            return new SipDialog(
                    id,
                    id
                            + ";to-tag="
                            + call.dialog().remoteTag()
                            + ";from-tag="
                            + call.dialog().localTag());
        }
    }

    @Test
    void aCallOnAVersionThatRetiresKeepsThatVersion() throws Exception {
        Call old = answered(TO_BOB);
        server.sip.deploy("relay", new RelayServlet());
        Call young = answered(TO_BOB);
        server.advance(SECOND);
        old.bye();
        young.bye();
        assertThat(rows())
                .containsExactlyInAnyOrder(
                        "final in uas relay/1 200 caller BYE 4s",
                        "final out uac relay/1 200 caller BYE 4s",
                        "final in uas relay/2 200 caller BYE 2s",
                        "final out uac relay/2 200 caller BYE 2s");
    }

    @Test
    void openCallsAreWrittenDownAndAKillLeavesARecordOfEach() throws Exception {
        restart(draft -> draft.interval = Duration.ofSeconds(5));
        Call shortOne = answered(TO_BOB);
        answered(TO_BOB);
        server.advance(Duration.ofSeconds(5)); // both stand in the list
        shortOne.bye();
        server.advance(Duration.ofSeconds(3)); // one has its record, before the next list
        assertThat(server.inFile().stream().filter(r -> r.record().equals("final"))).hasSize(2);

        server.killedAndStarted();

        List<CallRecord> lost =
                server.inFile().stream().filter(r -> r.record().equals("lost")).toList();
        assertThat(lost.stream().map(CallRecordsTest::row))
                .containsExactlyInAnyOrder(
                        "lost in uas relay/1 200 null null -",
                        "lost out uac relay/1 200 null null -");
        assertThat(lost.getFirst().seen()).isNotNull();
        assertThat(lost.getFirst().answer()).isNotNull();
        assertThat(lost.getFirst().end()).isNull();

        server.killedAndStarted();
        assertThat(server.inFile().stream().filter(r -> r.record().equals("lost"))).hasSize(2);
    }

    @Test
    void aCallThatLastsHasAnOpenRecordAtEachInterval() throws Exception {
        restart(draft -> draft.interval = Duration.ofSeconds(5));
        Call call = answered(TO_BOB);
        server.advance(Duration.ofSeconds(15)); // at 5 s they are younger than the interval
        call.bye();
        List<CallRecord> all = server.written();
        List<String> open =
                all.stream().filter(r -> r.record().equals("open")).map(CallRecord::id).toList();
        assertThat(open).hasSize(4);
        assertThat(all.stream().filter(r -> r.record().equals("final")).map(CallRecord::id))
                .containsExactlyInAnyOrderElementsOf(open.stream().distinct().toList());
    }

    @Test
    void anAssertedIdentityIsKeptOfThoseWhoAreTrustedAndNotOfCallersWhoWantPrivacy() {
        UserAgent mallory = server.sip.phone("mallory");
        for (UserAgent caller : List.of(alice, mallory)) {
            caller.invite(TO_BOB).header("P-Asserted-Identity", "<tel:+4930123456>").send();
        }
        alice.invite(TO_BOB)
                .header("P-Asserted-Identity", "<tel:+4930777>")
                .header("Privacy", "id")
                .send();
        server.advance(Duration.ofSeconds(2));
        alice.calls().forEach(Call::bye);
        mallory.calls().forEach(Call::bye);

        List<CallRecord> in =
                server.written().stream().filter(r -> "in".equals(r.direction())).toList();
        assertThat(in.stream().map(CallRecord::asserted).filter(a -> a != null))
                .containsExactly("<tel:+4930123456>");
        assertThat(in.stream().map(CallRecord::privacy).filter(p -> p != null))
                .containsExactly("id");
        assertThat(in).hasSize(3);
    }

    @Test
    void codecLinesStandInTheRecordWhenTheyAreAskedFor() throws Exception {
        restart(draft -> draft.codecs = true);
        bob.onCall(Call::ring);
        ScriptedPeer carol = server.sip.peer("carol");
        carol.send(SERVER, CODECS);
        server.advance(SECOND);
        carol.send(SERVER, CODECS.replace("INVITE", "CANCEL"));
        CallRecord first =
                server.written().stream().filter(r -> "in".equals(r.direction())).findAny().get();
        assertThat(first.codecs())
                .containsExactly(
                        "offer: m=audio 4000 RTP/AVP 8 101; a=rtpmap:101 telephone-event/8000",
                        "answer: ");
    }

    @Test
    void whatNoApplicationTookHasARecordOnlyWhereThatIsAskedFor() throws Exception {
        server.sip.undeploy("relay");
        alice.call(TO_BOB);
        server.advance(SECOND);
        assertThat(rows()).isEmpty();
        assertThat(server.records.counters()).containsEntry("cdr.now_legs", 0L);

        restart(draft -> draft.withoutApplication = true);
        server.sip.undeploy("relay");
        alice.call(TO_BOB);
        server.advance(SECOND);
        assertThat(rows()).containsExactly("final in uas null/null 404 server refusal -");
    }

    /** Answers, adds fields, and writes a record of its own. */
    static final class BillingServlet extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("unchecked")
        protected void doInvite(SipServletRequest request) throws IOException {
            request.getApplicationSession().setAttribute("io.carillon.cdr.tariff", 3);
            request.getSession().setAttribute("io.carillon.cdr.account", "A-1");
            request.getSession().setAttribute("other", "not for the record");
            request.createResponse(200).send();
            Object records = getServletContext().getAttribute("io.carillon.cdr.records");
            ((Consumer<Map<String, ?>>) records).accept(Map.of("event", "credit", "left", 12.5));
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            bye.createResponse(200).send();
            bye.getApplicationSession().setAttribute("io.carillon.cdr.last", true);
            bye.getApplicationSession().invalidate();
        }
    }

    @Test
    void anApplicationAddsFieldsAndWritesRecordsOfItsOwn() throws Exception {
        server.sip.undeploy("relay");
        server.sip.deploy("billing", new BillingServlet());
        Call call = alice.call(TO_BOB);
        server.advance(SECOND);
        call.bye();
        List<CallRecord> all = server.written();
        assertThat(all).extracting(CallRecord::record).containsExactly("application", "final");
        assertThat(all.getFirst().fields()).containsEntry("event", "credit");
        assertThat(all.getFirst().application()).isEqualTo("billing");
        assertThat(all.getLast().fields())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("tariff", 3, "account", "A-1", "last", true));
    }

    @Test
    void beyondTheMostLegsNoneIsFollowedAndThatIsCounted() throws Exception {
        restart(draft -> draft.maxLegs = 100);
        server.sip.undeploy("relay");
        server.sip.deploy("billing", new BillingServlet());
        for (int i = 0; i < 103; i++) {
            alice.call(TO_BOB);
        }
        server.advance(SECOND);
        assertThat(server.records.counters())
                .containsEntry("cdr.now_legs", 100L)
                .containsEntry("cdr.legs_not_followed", 3L);
        alice.calls().forEach(Call::bye);
        server.written();
        assertThat(server.records.counters()).containsEntry("cdr.now_legs", 0L);
    }

    @Test
    void anApplicationThatWritesMoreThanCanWaitLosesTheRestAndThatIsCounted() throws Exception {
        restart(draft -> draft.queue = 100);
        for (int i = 0; i < 130; i++) {
            server.records.write("billing", 1, Map.of("number", i));
        }
        assertThat(server.records.counters()).containsEntry("cdr.records_dropped_queue", 30L);
        assertThat(server.written()).hasSize(100);
    }
}

package io.carillon.telemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.telemetry.spans.Page;
import io.carillon.telemetry.spans.SpanConfig;
import io.carillon.telemetry.spans.TraceParent;
import io.carillon.testkit.Call;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.UserAgent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;

/** Calls and the traces that they leave, under virtual time. */
class CallTracesTest {
    private static final SpanConfig ALL = new SpanConfig(SpanConfig.ALL, true, 1_000);
    private static final SpanConfig FAILED = new SpanConfig(0, true, 1_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String TO_BOB = "sip:10.0.1.2@10.0.0.1";
    private static final String TO_TRUNK = "sip:10.0.2.1@10.0.0.1";
    private static final String PEERS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0";
    private static final AttributeKey<String> CALL_ID = AttributeKey.stringKey("sip.call_id");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("sip.status_code");

    private TracedServer server = new TracedServer(ALL);
    private UserAgent alice = server.phone("alice");
    private UserAgent bob = server.phone("bob");

    private void start(SpanConfig config, SipServlet servlet) throws Exception {
        server = new TracedServer(config);
        alice = server.phone("alice");
        bob = server.phone("bob");
        server.deploy("relay", servlet);
        bob.onCall(call -> {
            call.ring();
            server.time.after(SECOND, call::answer);
        });
    }

    private void talk() {
        Call call = alice.call(TO_BOB);
        server.advance(Duration.ofSeconds(3));
        assertThat(call.answered()).isTrue();
        call.bye();
    }

    private static List<String> paths(List<SpanData> spans) {
        return spans.stream().map(span -> TracedServer.path(span, spans)).sorted().toList();
    }

    private static SpanData named(List<SpanData> spans, String path) {
        return spans.stream()
                .filter(span -> TracedServer.path(span, spans).equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError(path + " is not among " + paths(spans)));
    }

    @Test
    void aCallThroughABackToBackUserAgentIsOneTraceOverBothLegs() throws Exception {
        start(ALL, new RelayServlet());
        talk();

        List<SpanData> spans = server.kept();
        assertThat(paths(spans))
                .containsExactly(
                        "call",
                        "call > BYE",
                        "call > BYE",
                        "call > BYE > relay 200 BYE",
                        "call > BYE > relay BYE",
                        "call > INVITE",
                        "call > INVITE",
                        "call > INVITE > relay 180 INVITE",
                        "call > INVITE > relay 200 INVITE",
                        "call > INVITE > relay ACK",
                        "call > INVITE > relay INVITE");
        assertThat(spans.stream().map(SpanData::getTraceId).distinct()).hasSize(1);
        assertThat(
                        spans.stream()
                                .filter(span -> span.getName().equals("INVITE"))
                                .map(span -> span.getAttributes().get(CALL_ID))
                                .distinct())
                .hasSize(2);
        SpanData call = named(spans, "call");
        assertThat(call.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(call.getEndEpochNanos() - call.getStartEpochNanos())
                .isBetween(Duration.ofSeconds(3).toNanos(), Duration.ofSeconds(4).toNanos());
        SpanData invite = named(spans, "call > INVITE");
        assertThat(invite.getAttributes().get(STATUS)).isEqualTo(200);
        assertThat(invite.getEvents().stream().map(EventData::getName)).containsExactly("180");
        assertThat(invite.getEndEpochNanos() - invite.getStartEpochNanos())
                .isBetween(SECOND.toNanos(), Duration.ofSeconds(2).toNanos());
        assertThat(server.traces.counters()).containsEntry("telemetry.now_spans", 0L);
    }

    /** A request to the collector costs as much as the spans of many calls. */
    @Test
    void callsThatEndWithinFiveSecondsGoToTheCollectorTogether() throws Exception {
        start(FAILED, new RelayServlet());
        bob.onCall(call -> call.reject(500));
        for (int i = 0; i < 10; i++) {
            alice.call(TO_BOB);
            server.advance(Duration.ofMillis(500));
        }
        int each = server.kept().size() / 10;
        assertThat(each).isGreaterThan(3);
        assertThat(server.requests).hasSizeLessThanOrEqualTo(2);

        server.requests.clear();
        for (int i = 0; i < 600 / each; i++) {
            alice.call(TO_BOB);
        }
        server.advance(Duration.ofMillis(1_800));
        assertThat(server.requests).as("a batch that is full does not wait").hasSize(1);
        server.traces.close();
        assertThat(server.requests).as("nothing stays behind at the end").hasSize(2);
    }

    @Test
    void ofCallsThatAreNotDrawnThoseThatFailedAreKept() throws Exception {
        start(FAILED, new RelayServlet());
        talk();
        assertThat(server.kept()).isEmpty();

        bob.onCall(call -> call.reject(500));
        alice.call(TO_BOB);
        List<SpanData> spans = server.kept();
        SpanData call = named(spans, "call");
        assertThat(call.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(call.getStatus().getDescription()).isEqualTo("500 to INVITE");
        assertThat(server.traces.counters())
                .containsEntry("telemetry.calls_ended", 2L)
                .containsEntry("telemetry.calls_kept", 1L);
    }

    /** ITU-T E.425: what the called person wants says nothing of the network. */
    @Test
    void whoeverIsBusyOrHangsUpWhileItRingsHasNotFailed() throws Exception {
        start(FAILED, new RelayServlet());
        bob.onCall(call -> call.reject(486));
        alice.call(TO_BOB);
        server.advance(SECOND);
        bob.onCall(Call::ring);
        Call rings = alice.call(TO_BOB);
        server.advance(SECOND);
        rings.cancel();

        assertThat(server.kept()).isEmpty();
        assertThat(server.traces.counters()).containsEntry("telemetry.calls_ended", 2L);
    }

    /** RFC 3261 9.1: a CANCEL has the branch of the request that it cancels. */
    @Test
    void aCancelIsASpanOfItsOwnOnBothLegs() throws Exception {
        start(ALL, new RelayServlet());
        bob.onCall(Call::ring);
        Call rings = alice.call(TO_BOB);
        server.advance(SECOND);
        rings.cancel();

        List<SpanData> spans = server.kept();
        assertThat(spans.stream().filter(span -> span.getName().equals("CANCEL"))).hasSize(2);
        assertThat(spans.stream().map(SpanData::getSpanId)).doesNotHaveDuplicates();
    }

    @Test
    void aPeerIsToldTheSpanOfTheCancelToo() throws Exception {
        start(ALL, new RelayServlet());
        ScriptedPeer trunk = server.peer("trunk", TracedServer.TRUNK);
        Call rings = alice.call(TO_TRUNK);
        Received invite = trunk.expect("INVITE", SECOND);
        trunk.reply(invite, 180);
        server.advance(SECOND);
        rings.cancel();
        Received cancel = trunk.expect("CANCEL", SECOND);
        trunk.reply(cancel, 200);
        trunk.reply(invite, 487);

        List<String> told =
                Stream.of(invite, cancel)
                        .map(each -> each.message().header(TraceParent.NAME).split("-")[2])
                        .toList();
        assertThat(
                        server.kept().stream()
                                .filter(span -> span.getKind().name().equals("CLIENT"))
                                .map(SpanData::getSpanId))
                .containsExactlyElementsOf(told);
    }

    @Test
    void aCallWhoseHandlerThrowsHasFailed() throws Exception {
        start(
                FAILED,
                new RelayServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doBye(SipServletRequest bye) throws IOException {
                        super.doBye(bye);
                        throw new IllegalStateException("wrong");
                    }
                });
        talk();

        List<SpanData> spans = server.kept();
        assertThat(named(spans, "call > BYE > relay BYE").getStatus().getStatusCode())
                .isEqualTo(StatusCode.ERROR);
        assertThat(named(spans, "call").getStatus().getDescription())
                .isEqualTo("exception of relay in relay");
    }

    @Test
    void aCallThatNobodyAnswersHasFailed() throws Exception {
        start(FAILED, new RelayServlet());
        alice.call("sip:10.0.9.9@10.0.0.1");
        server.advance(Duration.ofSeconds(40));

        assertThat(named(server.kept(), "call").getStatus().getDescription())
                .isIn("408 to INVITE", "client timeouts");
    }

    @Test
    void thePeersTraceGoesOnHereAndAtTheNextPeer() throws Exception {
        start(FAILED, new RelayServlet());
        ScriptedPeer trunk = server.peer("trunk", TracedServer.TRUNK);
        trunk.send(here(), invite(TracedServer.TRUNK, TO_TRUNK, PEERS + "1"));
        Received out = trunk.expect("INVITE", SECOND);
        String sent = out.message().header(TraceParent.NAME);
        trunk.reply(out, 486);

        List<SpanData> spans = server.kept();
        SpanData call = named(spans, "call");
        assertThat(call.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(call.getParentSpanId()).isEqualTo("b7ad6b7169203331");
        SpanData client =
                spans.stream()
                        .filter(span -> span.getKind().name().equals("CLIENT"))
                        .findFirst()
                        .orElseThrow();
        assertThat(sent).isEqualTo("00-" + call.getTraceId() + "-" + client.getSpanId() + "-01");
    }

    @Test
    void aStrangersTraceIsIgnoredAndOursIsNotToldToStrangers() throws Exception {
        start(ALL, new RelayServlet());
        ScriptedPeer stranger = server.peer("stranger", "10.0.3.1");
        ScriptedPeer other = server.peer("other", "10.0.3.2");
        stranger.send(here(), invite("10.0.3.1", "sip:10.0.3.2@10.0.0.1", PEERS + "1"));
        Received out = other.expect("INVITE", SECOND);
        assertThat(out.message().has(TraceParent.NAME)).isFalse();
        other.reply(out, 486);

        SpanData call = named(server.kept(), "call");
        assertThat(call.getTraceId()).isNotEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(call.getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void aStrangersTraceIsNotHandedToAPeer() throws Exception {
        start(FAILED, new RelayServlet());
        ScriptedPeer stranger = server.peer("stranger", "10.0.3.1");
        ScriptedPeer trunk = server.peer("trunk", TracedServer.TRUNK);
        stranger.send(here(), invite("10.0.3.1", TO_TRUNK, PEERS + "1"));
        Received out = trunk.expect("INVITE", SECOND);
        assertThat(out.message().header(TraceParent.NAME))
                .doesNotContain("0af7651916cd43dd8448eb211c80319c")
                .endsWith("-00");
    }

    private static InetSocketAddress here() {
        return new InetSocketAddress(TracedServer.HOST, 5060);
    }

    private static String invite(String from, String to, String traceparent) {
        return """
        INVITE %s SIP/2.0
        Via: SIP/2.0/UDP %s:5060;branch=z9hG4bKtrace
        From: <sip:carol@%s>;tag=1
        To: <%s>
        Call-ID: traced
        CSeq: 1 INVITE
        Max-Forwards: 70
        Contact: <sip:carol@%s>
        traceparent: %s

        """
                .formatted(to, from, from, to, from, traceparent);
    }

    /** Calls two phones, the second when the first has answered (RFC 3725, flow I). */
    private static final class Dialler extends SipServlet {
        private static final long serialVersionUID = 1L;

        void dial(String first) throws IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            try {
                factory.createRequest(
                                factory.createApplicationSession(),
                                "INVITE",
                                "sip:dialler@10.0.0.1",
                                first)
                        .send();
            } catch (ServletParseException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            if (!response.getMethod().equals("INVITE")) {
                return;
            }
            response.createAck().send();
            if (response.getApplicationSession().getAttribute("second") == null) {
                response.getApplicationSession().setAttribute("second", true);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                try {
                    factory.createRequest(
                                    response.getApplicationSession(),
                                    "INVITE",
                                    "sip:dialler@10.0.0.1",
                                    "sip:bob@10.0.1.2")
                            .send();
                } catch (ServletParseException e) {
                    throw new IOException(e);
                }
            }
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            bye.createResponse(SipServletResponse.SC_OK).send();
            var sessions = bye.getApplicationSession().getSessions("SIP");
            while (sessions.hasNext()) {
                SipSession other = (SipSession) sessions.next();
                if (!other.equals(bye.getSession()) && other.isValid()) {
                    other.createRequest("BYE").send();
                }
            }
        }
    }

    @Test
    void aClickIsTheRootOfTheCallsOfBothPhones() throws Exception {
        Dialler dialler = new Dialler();
        start(ALL, dialler);
        alice.onCall(Call::answer);
        Page page = server.traces.page("POST", "/dial", PEERS + "0");
        page.enter();
        dialler.dial("sip:alice@10.0.1.1");
        page.leave();
        page.ended(202, null);
        server.advance(Duration.ofSeconds(4));
        assertThat(bob.lastCall().answered()).isTrue();
        bob.lastCall().bye();

        List<SpanData> spans = server.kept();
        assertThat(paths(spans))
                .containsExactly(
                        "POST /dial",
                        "POST /dial > call",
                        "POST /dial > call > BYE",
                        "POST /dial > call > BYE",
                        "POST /dial > call > BYE > relay 200 BYE",
                        "POST /dial > call > BYE > relay BYE",
                        "POST /dial > call > INVITE",
                        "POST /dial > call > INVITE",
                        "POST /dial > call > INVITE > relay 180 INVITE",
                        "POST /dial > call > INVITE > relay 200 INVITE",
                        "POST /dial > call > INVITE > relay 200 INVITE");
        SpanData click = named(spans, "POST /dial");
        assertThat(click.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(click.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    }

    @Test
    void aCallIsOverWithItsDialogsAlthoughTheApplicationKeepsTheSessions() throws Exception {
        start(
                ALL,
                new RelayServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doInvite(SipServletRequest invite) throws IOException {
                        super.doInvite(invite);
                        var sessions = invite.getApplicationSession().getSessions("SIP");
                        while (sessions.hasNext()) {
                            ((SipSession) sessions.next()).setInvalidateWhenReady(false);
                        }
                    }
                });
        talk();

        server.advance(Duration.ofSeconds(8));
        assertThat(paths(server.kept())).contains("call", "call > BYE");
    }

    @Test
    void statementsLieInTheHandlerThatMadeThem() throws Exception {
        start(
                ALL,
                new RelayServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doInvite(SipServletRequest invite) throws IOException {
                        server.traces.statement("SELECT", server.traces.nanoTime(), null);
                        super.doInvite(invite);
                    }
                });
        talk();
        server.traces.statement("SELECT", server.traces.nanoTime(), null); // of nobody's call

        assertThat(paths(server.kept()))
                .filteredOn(path -> path.endsWith("SELECT"))
                .containsExactly("call > INVITE > relay INVITE > SELECT");
    }

    @Test
    void aCallFailsByARequestForWhoseSpanThereIsNoRoom() throws Exception {
        start(
                new SpanConfig(SpanConfig.ALL, true, 5),
                new RelayServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doBye(SipServletRequest bye) throws IOException {
                        bye.createResponse(500).send();
                    }
                });
        talk();
        server.advance(SECOND);
        assertThat(server.traces.counters().get("telemetry.spans_given_up")).isPositive();
        server.traces.close();
        SpanData call = named(server.exporter.getFinishedSpanItems(), "call");
        assertThat(call.getStatus().getDescription()).isEqualTo("500 to BYE");
    }

    @Test
    void whereThereIsNoRoomTheOldestCallThatGoesWellGivesWay() throws Exception {
        start(new SpanConfig(0, true, 30), new RelayServlet());
        Call first = alice.call(TO_BOB);
        server.advance(Duration.ofSeconds(2));
        for (int i = 0; i < 3; i++) {
            alice.call(TO_BOB);
            server.advance(Duration.ofSeconds(2));
        }
        assertThat(server.traces.counters().get("telemetry.now_spans")).isLessThanOrEqualTo(40);
        assertThat(server.traces.counters().get("telemetry.spans_given_up")).isPositive();
        bob.calls().getFirst().bye();
        server.advance(SECOND);
        assertThat(first.ending()).isNotNull();
        assertThat(server.kept()).isEmpty();
        assertThat(server.traces.counters()).containsEntry("telemetry.messages_not_taken", 0L);
    }
}

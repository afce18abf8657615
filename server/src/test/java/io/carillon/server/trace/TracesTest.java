package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.LadderText;
import io.carillon.server.ladder.TraceEvent;
import io.carillon.server.ladder.TracedCalls;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces of calls through a B2BUA and a proxy, under virtual time. */
class TracesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private TracedServer server = TracedServer.open();
    private UserAgent alice = server.sip.phone("alice");
    private UserAgent bob = server.sip.phone("bob");

    @BeforeEach
    void deploy() throws Exception {
        prepare();
    }

    private void restart(String yaml) throws Exception {
        server = TracedServer.open(yaml, null);
        alice = server.sip.phone("alice");
        bob = server.sip.phone("bob");
        prepare();
    }

    private void prepare() throws Exception {
        server.sip.deploy("relay", new RelayServlet());
        bob.onCall(call -> {
            call.ring();
            server.sip.time().after(SECOND, call::answer);
        });
    }

    /** Alice calls bob's address by the relay; talks for ten seconds; hangs up. */
    private void call() {
        Call call = alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(Duration.ofSeconds(3));
        assertThat(call.answered()).isTrue();
        call.bye();
        server.sip.advance(SECOND);
    }

    private CallTrace only() {
        List<TracedCalls.Call> recorded = server.recorded();
        assertThat(recorded).hasSize(1);
        return server.traces.find(recorded.getFirst().id(), false, 5).getFirst();
    }

    private static List<String> labels(CallTrace call) {
        List<String> labels = new ArrayList<>();
        for (TraceEvent event : call.events()) {
            TraceEvent.Message message = event.message();
            if (message != null) {
                labels.add((message.received() ? "< " : "> ") + message.label());
            }
        }
        return labels;
    }

    @Test
    void bothLegsOfABackToBackCallStandInOneLadderWithTheApplicationsPart() throws Exception {
        server.on(TracedServer.all());
        call();

        CallTrace call = only();
        assertThat(call.legs()).hasSize(2);
        assertThat(call.applicationSessions()).hasSize(1);
        assertThat(call.beginningLost()).isFalse();
        String ladder = LadderText.of(call, ZoneOffset.UTC, false);
        Path golden = Path.of("src/test/resources/ladder/b2bua.txt");
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(golden, ladder);
        }
        assertThat(golden).hasContent(ladder);
    }

    @Test
    void allBranchesOfAProxiedCallStandInOneLadder() throws Exception {
        server.sip.undeploy("relay");
        server.sip.deploy("forking", new ForkingServlet());
        UserAgent carol = server.sip.phone("carol");
        carol.onCall(Call::ring);
        server.on(TracedServer.all());
        call();

        CallTrace call = only();
        assertThat(call.legs()).hasSize(1);
        assertThat(
                        call.events().stream()
                                .map(TraceEvent::message)
                                .filter(m -> m != null && !m.received())
                                .map(m -> m.remote())
                                .distinct())
                .contains("10.0.1.1:5060", "10.0.1.2:5060", "10.0.1.3:5060");
        assertThat(labels(call)).contains("< 200 OK (INVITE) SDP", "> CANCEL");
    }

    @Test
    void aTraceByUserTakesUpHisCallsAndNoOthers() {
        UserAgent dave = server.sip.phone("dave");
        server.on(TracedServer.user("alice"));
        dave.call("sip:10.0.1.2@10.0.0.1");
        call();

        CallTrace call = only();
        assertThat(call.legs()).hasSize(2);
        assertThat(labels(call)).startsWith("< INVITE SDP").endsWith("> 200 OK (BYE)");
        assertThat(server.traces.find("alice", false, 5)).hasSize(1);
        assertThat(server.traces.find("alice@10.0.1.1", false, 5)).hasSize(1);
        assertThat(server.traces.find("alice@elsewhere", false, 5)).isEmpty();
        assertThat(server.traces.find(call.legs().get(1), false, 5)).hasSize(1);
        assertThat(server.traces.find(call.applicationSessions().getFirst(), false, 5)).hasSize(1);
        assertThat(server.traces.find("dave", false, 5)).isEmpty();
    }

    @Test
    void aTraceByPeerTakesTheWholeCallUpFromTheLegThatGoesThere() {
        server.on(TracedServer.peer("10.0.1.2"));
        call();

        CallTrace call = only();
        assertThat(call.legs()).hasSize(2);
        // The caller's INVITE came before anything said that the call would go to that peer.
        assertThat(labels(call)).startsWith("> INVITE SDP").contains("> 180 Ringing (INVITE)");
    }

    @Test
    void aRunningCallIsTakenUpByItsUserAndByItsCallId() {
        Call call = alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(Duration.ofSeconds(3));
        server.on(TracedServer.user("alice"));
        assertThat(server.traces.list(5).traces().getFirst().calls()).isEqualTo(1);
        call.bye();
        server.sip.advance(SECOND);
        assertThat(labels(only()))
                .containsExactly("< BYE", "> BYE", "< 200 OK (BYE)", "> 200 OK (BYE)");

        server.traces.off(0, "tester");
        server.traces.clear();
        Call other = alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(Duration.ofSeconds(3));
        server.on(TracedServer.callId(other.dialog().callId()));
        other.bye();
        server.sip.advance(SECOND);
        assertThat(labels(only())).hasSize(4);
    }

    @Test
    void theShareOfCallsIsChosenByCallIdAndIsAboutRight() {
        server.on(new TraceRequest(null, null, null, 25.0, false, null, null));
        for (int i = 0; i < 200; i++) {
            call();
        }
        assertThat(server.recorded().size()).isBetween(25, 75);
        // A call is traced from its beginning to its end, or not at all.
        assertThat(server.recorded())
                .allSatisfy(call -> assertThat(call.method()).isEqualTo("INVITE"));
    }

    @Test
    void itEndsByItselfByTimeAndTakesUpNoMoreThanItsNumberOfCalls() {
        server.on(new TraceRequest(null, null, null, null, true, 60L, 2));
        assertThat(server.tapped).isTrue();
        call();
        call();
        call();
        assertThat(server.recorded()).hasSize(2);
        assertThat(server.traces.list(5).traces().getFirst().calls()).isEqualTo(2);

        server.sip.advance(Duration.ofSeconds(61));
        alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(SECOND);
        assertThat(server.tapped).as("nothing looks on any more").isFalse();
        assertThat(server.traces.list(5).traces()).isEmpty();
        assertThat(server.recorded()).as("what was recorded stays").hasSize(2);
    }

    @Test
    void whatIsSwitchedOffRecordsNoMore() {
        server.on(TracedServer.all());
        call();
        assertThat(server.traces.off(0, "tester")).isEqualTo(1);
        assertThat(server.tapped).isFalse();
        call();
        assertThat(server.recorded()).hasSize(1);
        server.traces.clear();
        assertThat(server.recorded()).isEmpty();
        assertThat(server.traces.list(5).bytes()).isZero();
    }

    @Test
    void theRingKeepsTheLatestAndSaysThatTheBeginningIsGone() throws Exception {
        restart("buffer: 1 MiB");
        server.on(new TraceRequest(null, null, null, null, true, 3600L, null));
        Call kept = alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(Duration.ofSeconds(3));
        server.sip.container().sessions().all().forEach(session -> session.setExpires(0));
        for (int i = 0; i < 150; i++) {
            call();
        }
        kept.bye();
        server.sip.advance(SECOND);

        assertThat(server.traces.list(5).bytes()).isLessThanOrEqualTo(1 << 20);
        assertThat(server.traces.counters().get("trace.buffer_bytes_forgotten")).isPositive();
        CallTrace call = server.traces.find(kept.dialog().callId(), false, 5).getFirst();
        assertThat(call.beginningLost()).isTrue();
        assertThat(labels(call)).startsWith("< BYE");
        CallTrace latest = server.traces.find("alice", false, 1).getFirst();
        assertThat(latest.beginningLost()).isFalse();
    }

    @Test
    void repetitionsTimeOutsAndWhatThrewAreShown() throws Exception {
        server.on(TracedServer.all());
        server.sip
                .network()
                .loseIf(bytes -> new String(bytes).startsWith("INVITE sip:10.0.1.2@10.0.1.2"));
        alice.call("sip:10.0.1.2@10.0.0.1");
        server.sip.advance(Duration.ofSeconds(40));

        String ladder = LadderText.of(only(), ZoneOffset.UTC, false);
        assertThat(ladder)
                .contains("INVITE SDP, again")
                .contains("✗ INVITE: nobody answered in 64*T1 (Timer B or F) (10.0.1.2:5060)")
                .contains("408 Request Timeout (INVITE)");
    }

    @Test
    void whatAnApplicationDoesTooLongIsSeen() throws Exception {
        server.sip.undeploy("relay");
        server.sip.expectErrors();
        server.sip.deploy("failing", new FailingServlet());
        server.on(TracedServer.all());
        alice.call("sip:x@10.0.0.1");
        server.sip.advance(SECOND);
        assertThat(only().events())
                .anySatisfy(event -> {
                    assertThat(event.handler()).isNotNull();
                    assertThat(event.handler().threw()).isTrue();
                    assertThat(event.handler().application()).isEqualTo("failing");
                    assertThat(event.handler().what()).isEqualTo("INVITE");
                    assertThat(event.handler().waitedMicros()).isNotNull();
                });
    }

    @Test
    void followingGivesEachEventOnce() {
        server.on(TracedServer.all());
        call();
        List<TraceEvent> first = server.traces.after(0, "", false, 1000);
        assertThat(first).hasSameSizeAs(only().events());
        long last = first.getLast().sequence();
        assertThat(server.traces.after(last, "", false, 1000)).isEmpty();
        call();
        assertThat(server.traces.after(last, "alice", false, 3)).hasSize(3);
    }

    @Test
    void wrongWishesAreRefusedWithASentence() {
        assertRefused(
                new TraceRequest(null, null, null, null, false, null, null), "say which calls");
        assertRefused(
                new TraceRequest(null, "a", null, null, true, null, null), "one of --call-id");
        assertRefused(TracedServer.peer("example.com"), "is no address");
        assertRefused(TracedServer.peer("10.0.0.1:99999"), "is no address");
        assertRefused(TracedServer.user(" "), "--user is empty");
        assertRefused(new TraceRequest(null, null, null, 0.0, false, null, null), "--percent");
        assertRefused(new TraceRequest(null, null, null, null, true, 0L, null), "--for");
        assertRefused(new TraceRequest(null, null, null, null, true, 1_000_000L, null), "24 h");
        assertRefused(new TraceRequest(null, null, null, null, true, null, 0), "--calls");
        for (int i = 0; i < TraceRules.MOST; i++) {
            server.on(TracedServer.user("u" + i));
        }
        assertRefused(TracedServer.user("one-more"), "16 traces are on");
    }

    private void assertRefused(TraceRequest request, String sentence) {
        assertThatThrownBy(() -> server.on(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }
}

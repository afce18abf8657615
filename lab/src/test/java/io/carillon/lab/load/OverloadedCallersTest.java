package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.SimulatedLoad.Shape;
import io.carillon.testkit.LinkConditions;
import io.carillon.testkit.ProxyNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Callers at a server that refuses: who calls again, and what their calls count as. */
class OverloadedCallersTest {
    private static final CallerHabits REDIALS =
            new CallerHabits(Duration.ofSeconds(2), Duration.ofSeconds(10), List.of(), false);

    private final SimulatedLoad load = new SimulatedLoad();

    /** What the scripted server received: each new INVITE by its Call-ID, and when. */
    private final Map<String, Long> invites = new LinkedHashMap<>();

    private void refuseEveryInvite() {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    if (request.startsWith("INVITE")) {
                        invites.putIfAbsent(callId(request), load.time.nanoTime());
                        byte[] refusal = ScriptedAnswers.answer(request, "503 Full", "");
                        load.network.send(transport, to, from, refusal);
                    }
                });
    }

    private static String callId(String request) {
        return request.lines()
                .filter(line -> line.startsWith("Call-ID:"))
                .findFirst()
                .orElseThrow();
    }

    private void proxy() {
        ProxyNode.start(
                load.network,
                "10.0.9.1",
                1,
                user -> List.of("sip:callee@" + LoadAddresses.print(SimulatedLoad.CALLEE)));
    }

    private static Outcomes outcomes(LoadEngine engine) {
        return engine.stats().outcomes().soFar();
    }

    @Test
    void aRefusedCallerCallsOnceMoreWithin2To10Seconds() {
        refuseEveryInvite();
        LoadEngine engine = load.start(Shape.of(1000, 50), REDIALS);
        LoadCounts counts = load.finish();
        assertThat(counts.made).isEqualTo(100);
        assertThat(outcomes(engine).redialed()).isEqualTo(50);
        assertThat(outcomes(engine).refused()).isEqualTo(100);
        assertThat(outcomes(engine).accepted()).isZero();
        List<Long> times = new ArrayList<>(invites.values());
        long last = times.get(49);
        List<Long> second = times.subList(50, 100);
        assertThat(second)
                .allMatch(at -> at - times.getFirst() >= 2_000_000_000L)
                .allMatch(at -> at - last <= 10_100_000_000L);
        // Random over the whole span, not all at one end.
        assertThat(second.getFirst()).isLessThan(times.getFirst() + 4_000_000_000L);
        assertThat(second.getLast()).isGreaterThan(last + 8_000_000_000L);
    }

    @Test
    void withoutTheHabitNobodyCallsAgain() {
        refuseEveryInvite();
        LoadEngine engine = load.start(Shape.of(10, 5));
        assertThat(load.finish().made).isEqualTo(5);
        assertThat(outcomes(engine).redialed()).isZero();
        assertThat(outcomes(engine).refused()).isEqualTo(5);
    }

    @Test
    void theLoadGoesOnUntilTheLastCallerHasCalledAgain() {
        refuseEveryInvite();
        LoadEngine engine = load.start(Shape.of(10, 1), REDIALS);
        load.time.runFor(Duration.ofSeconds(1));
        assertThat(engine.arrivals().ended()).isTrue();
        assertThat(engine.ended()).isFalse();
        load.time.runFor(Duration.ofSeconds(10));
        assertThat(engine.ended()).isTrue();
    }

    @Test
    void aCallThatIsAnsweredInTimeAndCompletedIsGood() {
        proxy();
        LoadEngine engine = load.start(Shape.of(100, 200));
        load.finish();
        assertThat(outcomes(engine)).isEqualTo(new Outcomes(0, 200, 200, 0, 0, 0, 0, 200, 0));
    }

    @Test
    void aCallThatIsAnsweredAfter200MillisecondsIsCompletedButNotGood() {
        load.network.conditions(
                SimulatedLoad.CALLEE,
                SimulatedLoad.SERVER,
                new LinkConditions(0, 0, 0, 300_000_000L, 300_000_000L, 0));
        proxy();
        LoadEngine engine = load.start(Shape.of(10, 10));
        assertThat(load.finish().completed).isEqualTo(10);
        assertThat(outcomes(engine).good()).isZero();
        // Each BYE takes as long.
        assertThat(outcomes(engine).inDialogSlow()).isEqualTo(10);
        assertThat(outcomes(engine).acceptedFailed()).isZero();
    }

    @Test
    void aCallThatWasAcceptedAndIsRefusedThenHasFailedAndIsNotMadeAgain() {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    if (request.startsWith("INVITE")) {
                        for (String status : List.of("100 Trying", "503 Full")) {
                            byte[] answer = ScriptedAnswers.answer(request, status, "");
                            load.network.send(transport, to, from, answer);
                        }
                    }
                });
        LoadEngine engine = load.start(Shape.of(10, 4), REDIALS);
        assertThat(load.finish().made).isEqualTo(4);
        assertThat(outcomes(engine)).isEqualTo(new Outcomes(0, 0, 4, 4, 0, 0, 0, 0, 0));
    }

    @Test
    void aCallThatNobodyAnswersIsSilentAndNeitherRefusedNorAccepted() {
        load.network.bind(SimulatedLoad.SERVER, (bytes, transport, from, to) -> {});
        LoadEngine engine = load.start(Shape.of(10, 3), REDIALS);
        assertThat(load.finish().made).isEqualTo(3);
        assertThat(outcomes(engine)).isEqualTo(new Outcomes(0, 0, 0, 0, 0, 3, 0, 0, 0));
    }

    @Test
    void aByeThatNobodyAnswersIsAnAcceptedCallThatFailed() {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    if (request.startsWith("INVITE")) {
                        String contact = "Contact: <sip:server@10.0.9.1:5060>\r\n";
                        byte[] answer = ScriptedAnswers.answer(request, "200 OK", contact);
                        load.network.send(transport, to, from, answer);
                    }
                });
        LoadEngine engine = load.start(Shape.of(10, 3));
        assertThat(load.finish().failures()).isEqualTo(Map.of(FailureCauses.TIMEOUT, 3L));
        assertThat(outcomes(engine)).isEqualTo(new Outcomes(0, 0, 3, 3, 0, 0, 0, 3, 3));
    }

    @Test
    void aRefusedInviteThatIsServedByALateRepeatIsAGhostAndItsCallIsEnded() {
        List<String> requests = new ArrayList<>();
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    requests.add(request.substring(0, request.indexOf(' ')));
                    if (request.startsWith("INVITE")) {
                        String contact = "Contact: <sip:server@10.0.9.1:5060>\r\n";
                        for (String status : List.of("503 Full", "180 Ringing", "200 OK")) {
                            byte[] answer = ScriptedAnswers.answer(request, status, contact);
                            load.network.send(transport, to, from, answer);
                        }
                    }
                });
        LoadEngine engine = load.start(Shape.of(10, 1));
        load.finish();
        assertThat(outcomes(engine).ghosts()).isEqualTo(1);
        assertThat(outcomes(engine).refused()).isEqualTo(1);
        assertThat(outcomes(engine).accepted()).isZero();
        assertThat(requests).contains("ACK", "BYE");
    }

    private String firstRequests(CallerHabits habits) {
        StringBuilder seen = new StringBuilder();
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> seen.append(new String(bytes, US_ASCII)));
        load.start(Shape.of(10, 1), habits);
        load.time.runFor(Duration.ofMillis(100));
        return seen.toString();
    }

    @Test
    void aLineOfTheCallersIsInEachInvite() {
        List<String> line = List.of("Resource-Priority: esnet.0");
        assertThat(firstRequests(CallerHabits.of("", line, false)))
                .contains("\r\nResource-Priority: esnet.0\r\n")
                .doesNotContain(";rport");
    }

    /** RFC 3581 3: a parameter of the top Via, without a value. */
    @Test
    void callersAskForAnswersAtWhereTheyComeFrom() {
        assertThat(firstRequests(CallerHabits.of("", List.of(), true)))
                .containsPattern("Via: SIP/2.0/UDP [^\r]*;rport;branch=z9hG4bK");
    }
}

package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.SimulatedLoad.Shape;
import io.carillon.testkit.LinkConditions;
import io.carillon.testkit.ProxyNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The engine through a record-routing proxy, or a scripted server, under virtual time. */
class LoadEngineTest {
    private final SimulatedLoad load = new SimulatedLoad();

    private void proxy() {
        ProxyNode.start(
                load.network,
                "10.0.9.1",
                1,
                user -> List.of("sip:callee@" + LoadAddresses.print(SimulatedLoad.CALLEE)));
    }

    @Test
    void callsThroughAProxyEndWellAndLeaveNothing() {
        proxy();
        LoadEngine engine = load.start(Shape.of(100, 1000));
        LoadCounts counts = load.finish();
        assertThat(counts.made).isEqualTo(1000);
        assertThat(counts.completed).isEqualTo(1000);
        assertThat(counts.failures()).isEmpty();
        assertThat(counts.retransmissionsSent).isZero();
        assertThat(counts.retransmissionsReceived).isZero();
        assertThat(counts.unexpected).isZero();
        // Four ways of a millisecond: INVITE there, 200 back, through the proxy.
        assertThat(engine.stats().response().getValueAtPercentile(50)).isBetween(3990L, 4010L);
    }

    @Test
    void ringingAndHoldingDoNotCountAsResponseTime() {
        proxy();
        LoadEngine engine =
                load.start(Shape.of(10, 100).times(Duration.ofSeconds(10), Duration.ofSeconds(30)));
        load.time.runFor(Duration.ofSeconds(9));
        assertThat(engine.stats().held()).isEqualTo(91);
        LoadCounts counts = load.finish();
        assertThat(counts.completed).isEqualTo(100);
        assertThat(counts.late).isZero();
        assertThat(engine.stats().response().getMaxValue()).isLessThan(5010);
    }

    @Test
    void lossIsMadeGoodByRetransmissionsCountedBothWays() {
        proxy();
        load.network.conditions(LinkConditions.PERFECT.withLoss(0.1));
        load.start(Shape.of(100, 1000));
        LoadCounts counts = load.finish();
        assertThat(counts.made).isEqualTo(1000);
        assertThat(counts.completed).isGreaterThan(990);
        assertThat(counts.completed + counts.failed()).isGreaterThanOrEqualTo(1000);
        assertThat(counts.retransmissionsSent).isGreaterThan(100);
        assertThat(counts.retransmissionsReceived).isGreaterThan(100);
        assertThat(counts.late).isGreaterThan(100);
    }

    @Test
    void aServerThatNeverAnswersIsATimeOutAfter64TimesT1() {
        load.network.bind(SimulatedLoad.SERVER, (bytes, transport, from, to) -> {});
        load.start(Shape.of(10, 5));
        LoadCounts counts = load.finish();
        assertThat(counts.failures()).isEqualTo(Map.of(FailureCauses.TIMEOUT, 5L));
        // RFC 3261 17.1.1.2: sent at 0, 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s.
        assertThat(counts.retransmissionsSent).isEqualTo(5 * 6);
        assertThat(counts.completed).isZero();
    }

    @Test
    void aRefusalIsCountedUnderItsStatusAndAcknowledged() {
        StringBuilder methods = new StringBuilder();
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    methods.append(request, 0, request.indexOf(' ')).append(' ');
                    if (request.startsWith("INVITE")) {
                        load.network.send(
                                transport,
                                to,
                                from,
                                ScriptedAnswers.answer(request, "503 Full", ""));
                    }
                });
        load.start(Shape.of(10, 2));
        LoadCounts counts = load.finish();
        assertThat(counts.failures()).isEqualTo(Map.of("503", 2L));
        assertThat(methods.toString()).isEqualTo("INVITE ACK INVITE ACK ");
    }

    @Test
    void anAnswerAfter200MillisecondsIsLateAndCountsFromWhenTheCallWasDue() {
        load.network.conditions(
                SimulatedLoad.CALLEE,
                SimulatedLoad.SERVER,
                new LinkConditions(0, 0, 0, 300_000_000L, 300_000_000L, 0));
        proxy();
        LoadEngine engine = load.start(Shape.of(10, 10));
        LoadCounts counts = load.finish();
        assertThat(counts.completed).isEqualTo(10);
        // The 200 to the INVITE and the one to the BYE.
        assertThat(counts.late).isEqualTo(20);
        assertThat(engine.stats().response().getMinValue()).isGreaterThanOrEqualTo(300_000);
    }

    @Test
    void whatIsDueAboveTheHeldLimitIsNotMade() {
        proxy();
        load.start(Shape.of(10, 100).times(Duration.ZERO, Duration.ofSeconds(60)).held(30));
        LoadCounts counts = load.finish();
        assertThat(counts.made).isEqualTo(30);
        assertThat(counts.failures()).isEqualTo(Map.of(FailureCauses.MAX_HELD, 70L));
    }

    @Test
    void callsOfTheWarmUpDoNotCount() {
        proxy();
        LoadEngine engine = load.start(Shape.of(10, 100).warm(Duration.ofSeconds(4)));
        LoadCounts all = load.finish();
        assertThat(all.completed).isEqualTo(100);
        assertThat(engine.stats().measured().completed).isEqualTo(60);
        assertThat(engine.stats().response().getTotalCount()).isEqualTo(60);
    }

    @Test
    void stoppedInTheMiddleEveryCallIsEnded() {
        proxy();
        LoadEngine engine =
                load.start(Shape.of(10, 1000).times(Duration.ofSeconds(5), Duration.ofSeconds(60)));
        load.time.runFor(Duration.ofSeconds(20));
        engine.stop(load.time.nanoTime());
        LoadCounts counts = load.finish();
        assertThat(counts.made).isEqualTo(201);
        assertThat(counts.completed).isBetween(145L, 155L);
        assertThat(counts.failures()).containsOnlyKeys(FailureCauses.STOPPED);
        assertThat(counts.completed + counts.failed()).isEqualTo(201);
        assertThat(engine.stats().held()).isZero();
    }

    @Test
    void aCalleeThatIsCancelledRefusesWith487() {
        StringBuilder answers = new StringBuilder();
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String message = new String(bytes, US_ASCII);
                    answers.append(message, 8, 11).append(' ');
                    if (message.startsWith("SIP/2.0 487")) {
                        load.network.send(
                                transport,
                                to,
                                from,
                                ScriptedAnswers.toCallee(
                                        "ACK",
                                        message.replaceAll("(?s).*;tag=(L\\w+).*", ";tag=$1")));
                    }
                });
        LoadEngine engine = load.start(Shape.of(1, 0).times(Duration.ofSeconds(10), Duration.ZERO));
        load.network.send(
                io.carillon.sip.hop.Transport.UDP,
                SimulatedLoad.SERVER,
                SimulatedLoad.CALLEE,
                ScriptedAnswers.toCallee("INVITE", ""));
        load.time.runFor(Duration.ofSeconds(2));
        load.network.send(
                io.carillon.sip.hop.Transport.UDP,
                SimulatedLoad.SERVER,
                SimulatedLoad.CALLEE,
                ScriptedAnswers.toCallee("CANCEL", ""));
        LoadCounts counts = load.finish();
        assertThat(answers.toString()).isEqualTo("180 200 487 ");
        assertThat(counts.retransmissionsSent).isZero();
        assertThat(engine.stats().held()).isZero();
    }

    @Test
    void a200ThatNobodyAcknowledgesIsRepeatedFor64TimesT1() {
        int[] oks = {0};
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    if (new String(bytes, US_ASCII).startsWith("SIP/2.0 200")) {
                        oks[0]++;
                    }
                });
        load.start(Shape.of(1, 0));
        load.network.send(
                io.carillon.sip.hop.Transport.UDP,
                SimulatedLoad.SERVER,
                SimulatedLoad.CALLEE,
                ScriptedAnswers.toCallee("INVITE", ""));
        load.time.runFor(Duration.ofSeconds(1));
        LoadCounts counts = load.finish();
        // RFC 3261 13.3.1.4: at 0, 0.5, 1.5, 3.5, 7.5 and then every 4 s until 32 s.
        assertThat(oks[0]).isEqualTo(11);
        assertThat(counts.retransmissionsSent).isEqualTo(10);
        assertThat(counts.failures()).isEqualTo(Map.of(FailureCauses.NO_ACK, 1L));
    }

    @Test
    void aCallThatTheServerEndsIsAFailure() {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    if (request.startsWith("INVITE")) {
                        load.network.send(
                                transport, to, from, ScriptedAnswers.answer(request, "200 OK", ""));
                    } else if (request.startsWith("ACK")) {
                        String tag = request.replaceAll("(?s).*From: [^\r]*;tag=(L\\w+).*", "$1");
                        load.network.send(
                                transport,
                                to,
                                from,
                                ScriptedAnswers.toCallee("BYE", ";tag=" + tag));
                    }
                });
        load.start(Shape.of(1, 2).times(Duration.ZERO, Duration.ofSeconds(30)));
        assertThat(load.finish().failures()).isEqualTo(Map.of(FailureCauses.UNEXPECTED, 2L));
    }

    @Test
    void messagesThatBelongToNoCallAreCountedAndRefused() {
        StringBuilder answers = new StringBuilder();
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) ->
                        answers.append(new String(bytes, US_ASCII), 8, 11).append(' '));
        LoadEngine engine = load.start(Shape.of(1, 0));
        for (byte[] message :
                List.of(
                        ScriptedAnswers.toCallee("BYE", ";tag=stranger"),
                        ScriptedAnswers.toCallee("MESSAGE", ""),
                        "garbage".getBytes(US_ASCII),
                        ScriptedAnswers.answer(
                                new String(ScriptedAnswers.toCallee("INVITE", ""), US_ASCII),
                                "200 OK",
                                ""))) {
            load.network.send(
                    io.carillon.sip.hop.Transport.UDP,
                    SimulatedLoad.SERVER,
                    SimulatedLoad.CALLEE,
                    message);
        }
        load.time.runFor(Duration.ofSeconds(1));
        assertThat(answers.toString()).isEqualTo("481 501 ");
        assertThat(engine.stats().all().unexpected).isEqualTo(4);
    }
}

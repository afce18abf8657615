package io.carillon.it.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.it.failover.CallFacts.Check;
import io.carillon.it.failover.CallFacts.Stage;
import io.carillon.it.failover.Oracle.Line;
import io.carillon.it.failover.Oracle.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the oracle lets pass, and what falls short. */
class OracleTest {
    private static final long GONE = -TimeUnit.SECONDS.toNanos(7); // nanoTime may be negative
    private static final long WITHIN = TimeUnit.SECONDS.toNanos(2);

    private static Loss loss(long unprotected, String... strays) {
        return new Loss(
                GONE, WITHIN, 100, unprotected, List.of(strays), FiredTimers.Sum.NONE, false, "");
    }

    private static long afterMillis(long millis) {
        return GONE + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Check asked(long sentMillis, long answeredMillis) {
        return new Check("BYE of the caller", afterMillis(sentMillis), afterMillis(answeredMillis));
    }

    private static CallFacts call(Stage stage, String fault, boolean over, Check... checks) {
        return new CallFacts(
                "c1", Kind.B2BUA, stage, fault, over, List.of(checks), List.of(), List.of());
    }

    private static CallFacts good(Stage stage) {
        return call(stage, "", true, asked(100, 150));
    }

    private static boolean passes(Loss loss, CallFacts... calls) {
        return Oracle.judge(List.of(calls), loss).stream().allMatch(Line::good);
    }

    @Test
    void callsThatGoOnPass() {
        assertThat(passes(loss(0), good(Stage.CONFIRMED), good(Stage.EARLY), good(Stage.AFTER)))
                .isTrue();
    }

    @Test
    void anEstablishedCallWhoseRequestIsRefusedIsLost() {
        CallFacts refused = call(Stage.CONFIRMED, "re-INVITE: 481", false, asked(100, 150));

        assertThat(Oracle.lostCalls(List.of(refused, good(Stage.CONFIRMED))))
                .containsExactly(refused);
        assertThat(passes(loss(0), refused, good(Stage.CONFIRMED))).isFalse();
    }

    @Test
    void aCallWhoseOtherEndNeverHearsOfItsEndIsLost() {
        CallFacts half = call(Stage.CONFIRMED, "", false, asked(100, 150));

        assertThat(Oracle.lostCalls(List.of(half))).containsExactly(half);
        assertThat(passes(loss(0), half)).isFalse();
    }

    @Test
    void aRingingCallMayNotBeLostEither() {
        CallFacts early = call(Stage.EARLY, "INVITE: 408", true, asked(1, 2));

        assertThat(Oracle.lostCalls(List.of(early))).containsExactly(early);
        assertThat(passes(loss(0), early)).isFalse();
    }

    @Test
    void aCallWithoutAnAnswerThatMakesADialogIsNotLostButFailed() {
        CallFacts failed = call(Stage.IN_SETUP, "INVITE: no answer", false);

        assertThat(Oracle.lostCalls(List.of(failed))).isEmpty();
        assertThat(passes(loss(0), failed)).isFalse();
    }

    @Test
    void moreLostThanUnprotectedFallsShortAndUnprotectedIsToldInALineOfItsOwn() {
        CallFacts lost = call(Stage.CONFIRMED, "BYE: 481", false, asked(100, 150));

        List<Line> asMany = Oracle.judge(List.of(lost), loss(1));
        List<Line> fewer = Oracle.judge(List.of(lost, lost), loss(1));

        assertThat(line(asMany, "lost ").good()).isTrue();
        assertThat(line(fewer, "lost ").good()).isFalse();
        assertThat(line(asMany, "1 calls unprotected").good()).isFalse();
    }

    private static Line line(List<Line> lines, String beginning) {
        return lines.stream()
                .filter(line -> line.text().startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsSentBeforeTheNodeIsReplacedHasUntilThen() {
        assertThat(Oracle.dueNanos(asked(100, 0), loss(0))).isEqualTo(afterMillis(2_000));
        assertThat(Oracle.dueNanos(asked(1_900, 0), loss(0))).isEqualTo(afterMillis(2_100));
        assertThat(Oracle.dueNanos(asked(5_000, 0), loss(0))).isEqualTo(afterMillis(5_200));
    }

    @Test
    void oneOfAHundredMayBeLate() {
        assertThat(passes(loss(0), hundred(asked(3_000, 3_201)))).isTrue();

        CallFacts[] two = hundred(asked(3_000, 3_201));
        two[50] = two[0];
        assertThat(passes(loss(0), two)).isFalse();
    }

    @Test
    void nobodyMayWaitLongerThanATransactionOfACallerBears() {
        assertThat(passes(loss(0), hundred(asked(0, 15_400)))).isTrue();
        assertThat(passes(loss(0), hundred(asked(0, 15_600)))).isFalse();
    }

    private static CallFacts[] hundred(Check first) {
        List<CallFacts> all =
                new ArrayList<>(
                        IntStream.range(0, 100).mapToObj(i -> good(Stage.CONFIRMED)).toList());
        all.set(0, call(Stage.CONFIRMED, "", true, first));
        return all.toArray(CallFacts[]::new);
    }

    @Test
    void whatWasNeverAnsweredFallsShort() {
        Check never = new Check("BYE of the caller", afterMillis(100), 0);

        assertThat(
                        line(
                                Oracle.judge(List.of(call(Stage.AFTER, "", true, never)), loss(0)),
                                "first"))
                .matches(line -> !line.good());
    }

    @Test
    void aRequestToAPhoneWhoseCallIsOverFallsShort() {
        assertThat(passes(loss(0, "c7 callee: BYE"), good(Stage.CONFIRMED))).isFalse();
    }

    @Test
    void whatAnApplicationHasNotSentYetIsNotPromised() {
        CallFacts asked =
                new CallFacts(
                        "c1", Kind.UAC, Stage.IN_SETUP, "", false, List.of(), List.of(), List.of());

        assertThat(passes(loss(0), asked, good(Stage.CONFIRMED))).isTrue();
    }

    @Test
    void aCallThatANodeServesAgainAfterAnotherHasTwoOwners() {
        assertThat(passes(loss(0), servedBy("0", "1"))).isTrue();
        assertThat(passes(loss(0), servedBy("0", "1", "0"))).isFalse();
    }

    /** It had been given to that one before, and comes back by its death. */
    @Test
    void aCallMayComeBackFromTheNodeThatDied() {
        Loss ofOne = new Loss(GONE, WITHIN, 100, 0, List.of(), FiredTimers.Sum.NONE, false, "1");
        assertThat(passes(ofOne, servedBy("0", "1", "0"))).isTrue();
        assertThat(passes(ofOne, servedBy("0", "1", "2", "0"))).isFalse();
        assertThat(passes(ofOne, servedBy("0", "2", "0"))).isFalse();
    }

    private static CallFacts servedBy(String... nodes) {
        return new CallFacts(
                "c1",
                Kind.TIMERS,
                Stage.CONFIRMED,
                "",
                true,
                List.of(asked(100, 150)),
                List.of(nodes),
                List.of());
    }

    @Test
    void aTimerThatDidNotFireOrFiredTwiceFallsShort() {
        assertThat(passes(timers(new FiredTimers.Sum(3, 0, 0, 1, 5)), good(Stage.CONFIRMED)))
                .isTrue();
        assertThat(passes(timers(new FiredTimers.Sum(3, 1, 0, 0, 5)), good(Stage.CONFIRMED)))
                .isFalse();
        assertThat(passes(timers(new FiredTimers.Sum(3, 0, 1, 0, 5)), good(Stage.CONFIRMED)))
                .isFalse();
    }

    private static Loss timers(FiredTimers.Sum sum) {
        return new Loss(GONE, WITHIN, 100, 0, List.of(), sum, false, "");
    }
}

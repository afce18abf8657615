package io.carillon.servlet.feature.overload;

import static io.carillon.servlet.feature.overload.SimulatedHandlers.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.overload.ToldDelay;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application is shed while it does not do the calls that come, and not for being slow. */
class HandlerLoadTest {
    private static final int POOL = 50;

    /** 50 connections, each held for 200 ms. */
    private static final double CAPACITY = 250;

    private final AtomicLong threads = new AtomicLong();
    private final AtomicLong loops = new AtomicLong();
    private final HandlerLoads loads = new HandlerLoads(threads::get, loops::get);
    private final HandlerLoad load = loads.named("a");
    private final SimulatedHandlers calls = new SimulatedHandlers(load, threads);

    private HandlerLoad.Seen seen() {
        return load.seen(calls.now);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 10})
    void aboveItsCapacityItDoesWhatItCanAndTheRestIsRefused(int factor) {
        calls.pool = POOL;
        calls.run(CAPACITY / 2, 10);
        assertThat(calls.refused).isZero();
        calls.forget();
        calls.run(CAPACITY * factor, 10);
        assertThat(calls.done).as("done at once").isGreaterThan((long) (CAPACITY * 9));
        calls.forget();

        calls.run(CAPACITY * factor, 60);

        assertThat(seen().shedding()).isTrue();
        assertThat(seen().shedPerSecond()).isGreaterThan(CAPACITY * (factor - 1) / 2);
        assertThat(calls.done).isGreaterThan((long) (CAPACITY * 60 * 0.95));
        assertThat(calls.longest()).as("of what was let in, in ms").isLessThan(1_000);
    }

    /** What the limit lets in must not creep up to what is late again. */
    @Test
    void whatIsLetInStaysInTimeHoweverLongItGoesOn() {
        calls.pool = 1;
        calls.service = random -> 10;
        calls.run(50, 10);
        calls.run(200, 10);
        calls.forget();

        calls.run(200, 60);

        assertThat(calls.done).isGreaterThan(5_700);
        assertThat(calls.millis.stream().filter(one -> one > 200).count())
                .as("of %d later than 200 ms", calls.done)
                .isLessThan(60);
    }

    /** At a tenth of the capacity beside one that calls ten times of it. */
    @Test
    void whoAsksForLittleIsLetInBesideOneWhoAsksForAll() {
        calls.pool = POOL;
        calls.politeEach = 100;
        calls.run(CAPACITY / 2, 10);
        calls.run(CAPACITY * 10, 10);
        calls.forget();

        calls.run(CAPACITY * 10, 60);

        assertThat(seen().shedding()).isTrue();
        assertThat(calls.done).isGreaterThan((long) (CAPACITY * 60 * 0.9));
        assertThat(calls.polite).isGreaterThan(1_000);
        assertThat(calls.politeRefused).isLessThan(calls.polite / 20);
    }

    @Test
    void emergencyCallsAreLetInWhileItIsLate() {
        calls.pool = POOL;
        calls.emergencyEach = 50;
        calls.run(CAPACITY / 2, 10);
        calls.run(CAPACITY * 5, 10);
        calls.forget();

        calls.run(CAPACITY * 5, 60);

        assertThat(seen().shedding()).isTrue();
        assertThat(calls.emergencies).isGreaterThan(1_000);
        assertThat(calls.emergenciesRefused).isLessThan(calls.emergencies / 100);
        assertThat(calls.longest()).as("of what was let in, in ms").isLessThan(1_500);
    }

    /** Who calls all that he sends emergency calls does not sink it. */
    @Test
    void emergencyCallsCannotTakeMoreThanIsDone() {
        calls.pool = POOL;
        calls.emergencyEach = 1;
        calls.run(CAPACITY / 2, 10);
        calls.run(CAPACITY * 5, 60);
        calls.forget();

        calls.run(CAPACITY * 5, 20);

        assertThat(calls.refused).isPositive();
        assertThat(calls.longest()).as("of what was let in, in ms").isLessThan(2_000);
    }

    @Test
    void whenTheLoadFallsAllAreLetInAgain() {
        calls.pool = POOL;
        calls.run(CAPACITY * 10, 60);
        calls.run(CAPACITY / 2, 10);
        calls.forget();

        calls.run(CAPACITY / 2, 20);

        assertThat(calls.refused).isZero();
        assertThat(seen().shedding()).isFalse();
    }

    @Test
    void aColdStartIntoOverloadIsShedToo() {
        calls.pool = POOL;
        calls.run(CAPACITY * 3, 5);
        calls.forget();

        calls.run(CAPACITY * 3, 20);

        assertThat(calls.done).isGreaterThan((long) (CAPACITY * 20 * 0.95));
        assertThat(calls.longest()).isLessThan(1_500);
    }

    /**
     * Nobody has ever seen what its handlers take when nothing waits: the first ones took long, as
     * the server was cold, and from then on each shares its processor with those in hand. None of
     * them waits long to begin; how many share the processor tells that they take longer.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aColdStartOfHandlersThatComputeComesToShortTimes(int factor) {
        calls.onOneProcessor();
        calls.service = random -> 40;
        runBesidePromptOnes(100 * factor, 1);
        calls.service = random -> 10;
        runBesidePromptOnes(120 * factor, 5);
        calls.forget();

        runBesidePromptOnes(120 * factor, 30);

        assertThat(calls.done).isGreaterThan(2_700);
        assertThat(calls.millis.stream().filter(one -> one > 200).count())
                .as("of %d later than 200 ms", calls.done)
                .isLessThan(60);
    }

    /** A busy loop takes its part of the processor, and is no reason to refuse others. */
    @Test
    void oneThatComputesForSecondsAtATimeMakesNoneOfTheOthersLate() {
        calls.onOneProcessor();
        calls.service = random -> calls.came % 200 == 199 ? 5_000 : 2;
        calls.run(20, 60);
        assertThat(calls.millis).anyMatch(one -> one > 4_000);
        assertThat(calls.refused).isZero();
        assertThat(ToldDelay.take(calls.delay())).as("of the shard").isLessThan(50 * MILLI);
        assertThat(calls.millis).noneMatch(one -> one > 200 && one < 4_000);
    }

    private void runBesidePromptOnes(double perSecond, int seconds) {
        HandlerLoad other = loads.named("b");
        for (int i = 0; i < seconds * 10; i++) {
            other.runsAtOnce(calls.now);
            calls.run(perSecond, 0.1);
        }
    }

    @Test
    void belowItsCapacityNothingIsRefusedHoweverTheLoadRises() {
        calls.pool = POOL;
        for (double perSecond : new double[] {1, 10, 200, 10, 220, 100}) {
            calls.run(perSecond, 20);
        }
        assertThat(calls.refused).isZero();
    }

    @Test
    void handlersThatAlwaysTakeSecondsAreNotLate() {
        calls.service = random -> 3_000;
        calls.run(100, 60);
        assertThat(calls.refused).isZero();
    }

    @Test
    void someThatTakeLongAmongManyThatDoNotAreNotLate() {
        calls.service = random -> random.nextInt(20) == 0 ? 900 : 1;
        calls.run(1, 120);
        calls.run(200, 60);
        assertThat(calls.refused).isZero();
    }

    /** A slower database that all calls get through is no overload. */
    @Test
    void fewerCallsThatAreNotDoneFasterAreATrialThatEnds() {
        calls.run(100, 20);
        calls.service = random -> 1_000;
        calls.run(100, 10);
        calls.forget();

        calls.run(100, 60);

        assertThat(calls.refused).isZero();
        assertThat(seen().shedding()).isFalse();
    }

    @Test
    void whatIsStuckIsShedUntilItGoesOn() {
        calls.pool = POOL;
        calls.run(100, 10);
        calls.service = random -> 60_000;
        calls.run(100, 3);
        calls.forget();
        calls.run(100, 20);
        assertThat(calls.refused).isGreaterThan(1_900);
        calls.service = random -> 200;
        calls.run(100, 60);
        calls.forget();

        calls.run(100, 10);

        assertThat(calls.refused).isZero();
    }

    @Test
    void switchedOffItRefusesNothing() {
        loads.settings(false, 10 * MILLI, 500 * MILLI);
        calls.pool = POOL;
        calls.run(CAPACITY * 5, 10);
        assertThat(calls.refused).isZero();
        assertThat(seen().shedding()).isFalse();
    }

    /** Calls of another application run promptly on the loops: the late one is shed alone. */
    @Test
    void workThatDoesNotBeginShedsTheApplicationAloneWhereOthersArePrompt() {
        calls.ofThreads().pool = 4;
        calls.service = random -> 10;
        HandlerLoad other = loads.named("b");
        for (int i = 0; i < 100; i++) {
            other.runsAtOnce(calls.now);
            calls.run(1_000, 0.1);
        }
        assertThat(seen().shedding()).isTrue();
        assertThat(seen().notBegunNanos()).isLessThan(100 * MILLI);
        assertThat(calls.refused).isGreaterThan(5_000);
        assertThat(calls.done).isGreaterThan(3_600);
        assertThat(ToldDelay.take(calls.delay())).as("of the shard").isZero();
    }

    /**
     * The machine gives the loops no time: calls that run on them at once have waited too, before
     * the loop looked at them.
     */
    @Test
    void workThatWaitsAsLongAsMessagesWaitForTheirLoopIsNotLateAlone() {
        calls.ofThreads().pool = 4;
        calls.service = random -> 10;
        loops.set(90 * MILLI);
        HandlerLoad other = loads.named("b");
        for (int i = 0; i < 20; i++) {
            other.runsAtOnce(calls.now);
            calls.run(420, 0.1);
        }
        assertThat(seen().notBegunNanos()).isGreaterThan(20 * MILLI);
        assertThat(calls.refused).isZero();
        ToldDelay.take(calls.delay());
        calls.run(420, 0.1);
        assertThat(ToldDelay.take(calls.delay())).as("of the shard").isGreaterThan(20 * MILLI);
    }

    /** Where nobody else is there, the shard sheds: before anything is parsed. */
    @Test
    void workThatDoesNotBeginIsTheShardsDelayWhereNoApplicationEscapesIt() {
        calls.ofThreads().pool = 4;
        calls.service = random -> 10;

        calls.run(500, 1);
        assertThat(ToldDelay.take(calls.delay())).as("of the first one").isZero();
        calls.run(500, 0.1);

        assertThat(ToldDelay.take(calls.delay())).isGreaterThan(100 * MILLI);
        assertThat(calls.refused).isZero();
    }

    @Test
    void whatHasNotBegunIsToldWhileNothingBegins() {
        load.handed(calls.delay(), MILLI);
        load.handed(calls.delay(), 51 * MILLI);

        assertThat(ToldDelay.take(calls.delay())).isEqualTo(50 * MILLI);
        assertThat(load.notBegunNanos(101 * MILLI)).isEqualTo(100 * MILLI);
    }

    @Test
    void anApplicationThatNobodyUsesSaysNothing() {
        HandlerLoad other = loads.named("b");
        other.runsAtOnce(MILLI);
        assertThat(loads.others(load, MILLI)).isTrue();
        assertThat(loads.others(load, TimeUnit.MINUTES.toNanos(2))).isFalse();
        assertThat(loads.leastBeside(load, TimeUnit.MINUTES.toNanos(2))).isEqualTo(Long.MAX_VALUE);
    }
}

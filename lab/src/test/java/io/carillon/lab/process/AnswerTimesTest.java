package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnswerTimesTest {
    private final AnswerTimes waits = new AnswerTimes(3);

    @Test
    void anAnswerIsTimedFromItsOwnQuestionWhateverTheirOrder() {
        long first = waits.ask(1000);
        long second = waits.ask(2000);
        waits.answer(second, 2100);
        assertThat(waits.takeLongest()).isEqualTo(100);

        waits.answer(first, 5000);
        assertThat(waits.takeLongest()).isEqualTo(4000);
        assertThat(waits.takeLongest()).isZero();
        assertThat(waits.count()).isEqualTo(2);
    }

    @Test
    void aSecondAnswerOrOneToNoQuestionCountsForNothing() {
        long asked = waits.ask(1000);
        waits.answer(asked, 1100);
        waits.answer(asked, 9000);
        waits.answer(asked + 1, 9000);
        waits.answer(-1, 9000);

        assertThat(waits.count()).isEqualTo(1);
        assertThat(waits.takeLongest()).isEqualTo(100);
    }

    @Test
    void aQuestionThatWaitsUntilItsPlaceIsNeededIsLost() {
        long lost = waits.ask(1000);
        waits.ask(2000);
        waits.ask(3000);
        assertThat(waits.lost()).isZero();

        waits.ask(4000);
        waits.answer(lost, 4100);

        assertThat(waits.lost()).isEqualTo(1);
        assertThat(waits.count()).isEqualTo(1);
        assertThat(waits.takeLongest()).isEqualTo(3000);
    }

    @Test
    void whatIsForgottenDoesNotComeBackButQuestionsUnderWayGoOn() {
        waits.answer(waits.ask(1000), 9000);
        long open = waits.ask(10_000);
        waits.reset();
        assertThat(waits.percentile(100)).isZero();

        waits.answer(open, 10_050);
        assertThat(waits.percentile(100)).isEqualTo(50);
    }
}

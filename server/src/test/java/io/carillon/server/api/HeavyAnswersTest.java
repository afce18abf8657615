package io.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many answers that look at much are made at once. */
class HeavyAnswersTest {
    private final HeavyAnswers heavy = new HeavyAnswers();

    @Test
    void anOperationThatHangsKeepsNoOtherOut() {
        assertThat(heavy.begin("listBindings")).isTrue();
        assertThat(heavy.begin("listBindings")).isTrue();
        assertThat(heavy.begin("listBindings")).isFalse();
        assertThat(heavy.begin("listCalls")).isTrue();
        heavy.end("listBindings");
        assertThat(heavy.begin("listBindings")).isTrue();
    }

    @Test
    void threadsAreLeftForWhatIsQuick() {
        for (int i = 0; i < HeavyAnswers.MOST; i++) {
            assertThat(heavy.begin("operation" + i)).isTrue();
        }
        assertThat(heavy.begin("listCalls")).isFalse();
        heavy.end("operation0");
        assertThat(heavy.begin("listCalls")).isTrue();
    }
}

package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoweringTest {
    /** Else one load process could not make three times as many calls as it carries. */
    @Test
    void thePlainApplicationHasTheShareOfTheCpuThatWasAskedForAndNoHandlerBeforeIt() {
        Lowering plain = new Lowering(Duration.ofMillis(10), 0.2).ofPlain();

        assertThat(plain.computes()).isFalse();
        assertThat(plain).hasToString(new Lowering(Duration.ZERO, 0.2).toString());
        assertThat(plain.toString()).contains("20 % of one CPU").doesNotContain("computes");
        assertThat(Lowering.NONE.ofPlain()).isEqualTo(Lowering.NONE);
    }
}

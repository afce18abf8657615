package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisturbanceLimitsTest {
    @Test
    void othersAndTheHostTogetherMustStayBelowTheLimit() {
        DisturbanceLimits limits = new DisturbanceLimits(5, 3);
        assertThat(limits.tooBusy(SampleRows.busy("carillon", 500, 3, 1))).isFalse();
        assertThat(limits.tooBusy(SampleRows.busy("carillon", 500, 3, 2.5))).isTrue();
        assertThat(limits.tooBusy(SampleRows.busy("carillon", 500, 0, 6))).isTrue();
    }
}

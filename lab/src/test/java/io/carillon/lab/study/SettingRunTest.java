package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.rig.RateProbe;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingRunTest {
    @Test
    void aRateIsNoLessThanTheTrueOneWhereTheServerFailedAHigherHold() {
        RateProbe failed = new RateProbe(3400, false, "3,337 retransmissions", false, false);
        RateProbe clean = new RateProbe(2150, true, "", false, false);
        assertThat(SettingRun.limitedByLoad(true, List.of(failed, clean))).isFalse();
    }

    @Test
    void aRateIsAtLeastThatWhereOnlyTheLoadCouldDoNoMore() {
        RateProbe atItsEnd = new RateProbe(4400, false, "the load was at its end", false, true);
        RateProbe clean = new RateProbe(4000, true, "", false, false);
        assertThat(SettingRun.limitedByLoad(true, List.of(clean))).isTrue();
        assertThat(SettingRun.limitedByLoad(true, List.of(atItsEnd, clean))).isTrue();
        assertThat(SettingRun.limitedByLoad(false, List.of(clean))).isFalse();
    }
}

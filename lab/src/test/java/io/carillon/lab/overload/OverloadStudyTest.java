package io.carillon.lab.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadStudyTest {
    private static OverloadStudy of(Part... parts) {
        return new OverloadStudy(
                null,
                "udp",
                List.of(2),
                60,
                20,
                10,
                50,
                1400,
                new Lowering(Duration.ofMillis(10), 0.5),
                null,
                List.of(parts),
                true,
                null);
    }

    @Test
    void theCapacityThatIsGivenIsThatOfThePlainApplicationWhereNothingElseIsLookedAt() {
        assertThat(of(Part.PLAIN).plain().capacity()).isEqualTo(1400);
        assertThat(of(Part.FACTORS, Part.PLAIN).plain().capacity()).isZero();
        assertThat(of(Part.PLAIN).plain().lowering()).isEqualTo(new Lowering(Duration.ZERO, 0.5));
    }

    @Test
    void ofAnotherWayToLowerTheCapacityNothingIsKnown() {
        assertThat(of(Part.REFUSALS).lowered(Lowering.NONE).capacity()).isZero();
    }
}

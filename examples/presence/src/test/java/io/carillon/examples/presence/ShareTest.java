package io.carillon.examples.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {
    private final Share share = new Share(80, 25);
    private final List<String> holders = new ArrayList<>();

    private int taken(String source) {
        int taken = 0;
        while (share.admits(holders, source)) {
            holders.add(source);
            taken++;
        }
        return taken;
    }

    @Test
    void whoIsAloneHasHalfAndOthersAPartOfWhatIsLeft() {
        assertThat(taken("a")).isEqualTo(40);
        assertThat(taken("b")).isEqualTo(10);
        assertThat(taken("c")).isEqualTo(7); // of 30
        assertThat(taken("d")).isEqualTo(5); // of 23
        holders.remove("c");
        assertThat(taken("a")).as("he has more than his share").isZero();
        assertThat(taken("d")).as("a quarter of 24").isEqualTo(1);
    }

    @Test
    void howeverManyThereAreTheNextOneFindsRoom() {
        for (int i = 0; i < 12; i++) {
            assertThat(taken("many" + i)).isPositive();
        }
        assertThat(taken("next")).isPositive();
    }

    @Test
    void oneOfEachFitsHoweverSmallTheRoom() {
        assertThat(new Share(1, 25).admits(List.of(), "a")).isTrue();
        assertThat(new Share(1, 25).admits(List.of("a"), "b")).isFalse();
    }
}

package io.carillon.examples.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareTest {
    private final Share share = new Share(8, 25);
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
    void whoIsAloneHasHalfAndOthersTheirShareOfTheRest() {
        assertThat(taken("a")).isEqualTo(4);
        assertThat(taken("b")).isEqualTo(2);
        assertThat(taken("c")).isEqualTo(2);
        assertThat(taken("d")).as("nothing is left").isZero();
        holders.remove("c");
        assertThat(taken("a")).as("he has more than his share").isZero();
        assertThat(taken("d")).isEqualTo(1);
    }

    @Test
    void oneOfEachFitsHoweverSmallTheRoom() {
        assertThat(new Share(1, 25).admits(List.of(), "a")).isTrue();
        assertThat(new Share(1, 25).admits(List.of("a"), "b")).isFalse();
    }
}

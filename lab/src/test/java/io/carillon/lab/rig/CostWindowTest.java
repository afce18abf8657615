package io.carillon.lab.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.process.ThreadTimes;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostWindowTest {
    @Test
    void windowWithTheCollectionCostsNoMoreThanTheOneWithout() {
        CostWindow with = new CostWindow(1000, 100_000_000, 40_000_000, 5_000_000);
        CostWindow without = new CostWindow(1000, 100_000_000, 0, 5_000_000);
        double price = CostWindow.priceOfByte(List.of(with, without));

        assertThat(with.perCall(price)).isEqualTo(120.0);
        assertThat(without.perCall(price)).isEqualTo(120.0);
    }

    @Test
    void whoAllocatesMorePaysMoreOfTheCollections() {
        CostWindow thrifty = new CostWindow(1000, 100_000_000, 40_000_000, 5_000_000);
        CostWindow lavish = new CostWindow(1000, 100_000_000, 0, 15_000_000);
        double price = CostWindow.priceOfByte(List.of(thrifty, lavish));

        assertThat(thrifty.perCall(price)).isEqualTo(110.0);
        assertThat(lavish.perCall(price)).isEqualTo(130.0);
    }

    @Test
    void compilersAreNoWorkAndTheCollectorIsApart() {
        CostWindow.Reading begin =
                new CostWindow.Reading(0, new ThreadTimes(1_000, 2_000, 10_000), 500);
        CostWindow.Reading end =
                new CostWindow.Reading(
                        2_000_000_000L, new ThreadTimes(4_000, 9_000, 30_000), 1_500);

        assertThat(begin.until(end, 100)).isEqualTo(new CostWindow(200, 10_000, 3_000, 1_000));
    }
}

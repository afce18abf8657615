package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuOccupationTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void whatThisRunUsedIsNoOtherWork() {
        CpuOccupation begin = new CpuOccupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        CpuOccupation end = new CpuOccupation(10 * SECOND, 2, 2000, 0, 1500, Map.of(1L, 100L));
        assertThat(end.since(begin).others()).isZero();
    }

    @Test
    void aLivingProcessOfAnotherIsCountedExactly() {
        CpuOccupation begin = new CpuOccupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        CpuOccupation end =
                new CpuOccupation(10 * SECOND, 2, 1500, 0, 1000, Map.of(1L, 250L, 7L, 50L));
        // 200 ticks of 10 s on two CPUs, although the sampled total misses them.
        assertThat(end.since(begin).others()).isCloseTo(0.10, within(1e-9));
    }

    @Test
    void processesThatCameAndWentShowInTheTotal() {
        CpuOccupation begin = new CpuOccupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        CpuOccupation end = new CpuOccupation(10 * SECOND, 2, 1900, 40, 1000, Map.of(1L, 100L));
        Disturbance past = end.since(begin);
        assertThat(past.others()).isCloseTo(0.20, within(1e-9));
        assertThat(past.steal()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void interruptsAndIdleTimeAreNotBusy() {
        String[] line = "cpu 10 2 30 4000 50 60 70 8 0 0".split(" ");
        assertThat(CpuOccupation.busy(line)).isEqualTo(42);
        assertThat(CpuOccupation.steal(line)).isEqualTo(8);
    }

    @Test
    void theMachineCanBeRead() throws IOException {
        CpuOccupation now = CpuOccupation.now();
        assertThat(now.cpus()).isPositive();
        assertThat(now.busyTicks()).isPositive();
        assertThat(now.ownTicks()).isPositive();
    }

    @Test
    void anythingElseThanTheLineOfAllCpusIsAFault() {
        for (List<String> stat :
                List.of(
                        List.<String>of(),
                        List.of("cpu 1 2 3"),
                        List.of("intr 1 2 3 4 5 6 7 8 9"))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> CpuOccupation.allCpus(stat));
        }
    }
}

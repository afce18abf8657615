package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogTest {
    @Test
    void pausesOfG1AreItsCollections() {
        List<String> lines =
                List.of(
                        "[1.000s] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->5M(64M) 3.250ms",
                        "[2.000s] GC(2)   Evacuate Collection Set: 2.9ms",
                        "[2.500s] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 24M->5M(64M) 1.500ms");
        assertThat(GcLog.pauses(lines, 0)).containsExactly(1.5, 3.25);
    }

    @Test
    void pausesOfTheZCollectorAreItsThreePhases() {
        List<String> lines =
                List.of(
                        "[10.1s] GC(7) y: Young Generation 100M(10%)->40M(4%) 0.050s",
                        "[10.2s] GC(7) y: Pause Mark Start 0.011ms",
                        "[10.3s] GC(7) y: Concurrent Mark 12.0ms",
                        "[10.4s] GC(7) y: Pause Mark End 0.020ms",
                        "[10.5s] GC(7) y: Pause Relocate Start 0.007ms");
        assertThat(GcLog.pauses(lines, 0)).containsExactly(0.007, 0.011, 0.02);
    }

    @Test
    void pausesBeforeTheReadingDoNotCount() {
        List<String> lines =
                List.of(
                        "[9.999s] GC(1) Pause Full (System.gc()) 24M->5M(64M) 99.0ms",
                        "[10.000s] GC(2) Pause Young (Normal) 24M->5M(64M) 2.0ms");
        assertThat(GcLog.pauses(lines, 10)).containsExactly(2.0);
    }
}

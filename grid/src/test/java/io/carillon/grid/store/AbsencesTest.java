package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How long those were away who are back in the grid. */
class AbsencesTest {
    private static final long BRIEF = 60;
    private static final List<String> ALL = List.of("a", "b", "c");

    private final Absences absences = new Absences(BRIEF);

    @Test
    void whoIsBackSoonWasAwayBriefly() {
        absences.moved(ALL, List.of("a", "b"), false, 100);
        absences.moved(List.of("a", "b"), ALL, true, 130);
        assertThat(absences.wereBrief(ALL, 100 + BRIEF - 1)).isTrue();
        assertThat(absences.wereBrief(ALL, 100 + BRIEF)).isFalse();
    }

    /** Another member goes shortly before: that says nothing of the one who was away for long. */
    @Test
    void eachAbsenceCountsForItself() {
        absences.moved(ALL, List.of("a", "b"), false, 100);
        absences.moved(List.of("a", "b"), List.of("a"), false, 390);
        absences.moved(List.of("a"), List.of("a", "c"), true, 400);
        assertThat(absences.wereBrief(List.of("a", "c"), 400)).isFalse();
    }

    @Test
    void whoCameBackBeforeIsForgotten() {
        absences.moved(ALL, List.of("a"), false, 100);
        absences.moved(List.of("a"), List.of("a", "b"), false, 110);
        assertThat(absences.wereBrief(List.of("a", "b"), 110)).as("nobody is back now").isFalse();
        absences.moved(List.of("a", "b"), ALL, true, 120);
        assertThat(absences.wereBrief(ALL, 120)).isTrue();
    }
}

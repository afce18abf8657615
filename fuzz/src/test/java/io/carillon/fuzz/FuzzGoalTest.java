package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a target was tried enough, and what is remembered between sittings. */
class FuzzGoalTest {
    private static FuzzResult result(long executions, long lastNew, long seconds) {
        return new FuzzResult(
                FuzzTarget.URI, executions, 400, lastNew, seconds, seconds, 200, 800, 1, "");
    }

    @Test
    void timeExecutionsAndQuietAllHaveToBeReached() {
        FuzzGoal goal = new FuzzGoal(1800, 5_000_000, 1_000_000);
        assertThat(goal.reached(result(5_000_000, 4_000_000, 1800))).isTrue();
        assertThat(goal.reached(result(5_000_000, 4_000_000, 1799))).isFalse();
        assertThat(goal.reached(result(4_999_999, 1_000_000, 1800))).isFalse();
        assertThat(goal.reached(result(5_000_000, 4_000_001, 1800))).isFalse();
    }

    @Test
    void theNextSittingIsAsLongAsWhatIsMissingTakes() {
        FuzzGoal goal = new FuzzGoal(1800, 5_000_000, 0);
        assertThat(goal.next(FuzzResult.none(FuzzTarget.URI))).isEqualTo(1_800);
        assertThat(goal.next(result(4_000_000, 0, 1000))).isEqualTo(800);
        assertThat(goal.next(result(1_800_000, 0, 1800))).isEqualTo(3_201);
        // Starting takes longer than the few that are missing.
        assertThat(goal.next(result(4_999_000, 0, 1800))).isEqualTo(20);
    }

    @Test
    void whatSittingsCameToIsReadAgain(@TempDir Path folder) throws IOException {
        FuzzResult total = result(1_234, 56, 78);
        FuzzTotals.write(total, folder);
        assertThat(FuzzTotals.read(FuzzTarget.URI, folder)).isEqualTo(total);
    }

    @Test
    void totalsThatCannotBeReadAreAnError(@TempDir Path folder) throws IOException {
        assertThat(FuzzTotals.read(FuzzTarget.URI, folder))
                .isEqualTo(FuzzResult.none(FuzzTarget.URI));
        Files.writeString(folder.resolve("totals.properties"), "executions=many");
        assertThatThrownBy(() -> FuzzTotals.read(FuzzTarget.URI, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("executions is no number");
    }
}

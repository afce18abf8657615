package io.carillon.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What took long once, tried again. */
class SlowInputsTest {
    private final SlowInputs inputs = new SlowInputs();

    /** The first time loads what it needs. */
    @Test
    void whatIsQuickOnceWhenItIsTriedAgainIsNotSlow() {
        inputs.begin();
        inputs.read("Running: x/timeout-0a1b");
        assertThat(inputs.quick()).isFalse();
        inputs.read("Executed x/timeout-0a1b in 2191 ms");
        inputs.read("Executed x/timeout-0a1b in 1001 ms");
        assertThat(inputs.quick()).isFalse();
        inputs.read("Executed x/timeout-0a1b in 43 ms");
        inputs.read("Executed x/timeout-0a1b in 1500 ms");
        assertThat(inputs.quick()).isTrue();
        inputs.begin();
        assertThat(inputs.quick()).as("the next one").isFalse();
    }

    @Test
    void theyAreToldByTheNamesOfTheirFiles(@TempDir Path folder) throws IOException {
        assertThat(SlowInputs.is("/x/slow-unit-0a1b")).isTrue();
        assertThat(SlowInputs.is("/x/timeout-0a1b")).isTrue();
        assertThat(SlowInputs.is("/x/crash-0a1b")).isFalse();
        Path file = Files.writeString(folder.resolve("timeout-0a1b"), "x");
        inputs.add(file.toString());
        assertThat(inputs.found()).containsExactly(file);
        inputs.forget();
        assertThat(file).doesNotExist();
        assertThat(inputs.found()).isEmpty();
    }
}

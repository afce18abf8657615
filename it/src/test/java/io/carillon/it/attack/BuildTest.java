package io.carillon.it.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
    @TempDir Path folder;

    @Test
    void theBuildIsTheCommitOfTheCheckout() {
        assumeThat(Files.exists(Path.of("..", ".git"))).as("this is a git checkout").isTrue();
        assertThat(Build.of(Path.of(".."))).matches("[0-9a-f]{7,40}(-dirty)?");
    }

    @Test
    void withoutACheckoutItIsUnknown() {
        assertThat(Build.of(folder)).isEqualTo("unknown");
    }
}

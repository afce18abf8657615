package io.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server below carillon watch has else than others. */
class DevelopmentServerTest {
    @Test
    void itShedsNothingWhileTheCompilerHasTheProcessors() {
        Map<String, String> environment = new HashMap<>();
        DevelopmentServer.settle(environment);
        assertThat(environment)
                .containsOnly(
                        Map.entry("CARILLON_OVERLOAD_SHED", "false"),
                        Map.entry("CARILLON_START_WARM_UP", "0 s"));
    }

    @Test
    void whatItsOwnerSaysStays() {
        Map<String, String> environment = new HashMap<>(Map.of("CARILLON_OVERLOAD_SHED", "true"));
        DevelopmentServer.settle(environment);
        assertThat(environment).containsEntry("CARILLON_OVERLOAD_SHED", "true");
    }
}

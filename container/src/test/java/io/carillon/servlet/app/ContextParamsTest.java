package io.carillon.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code --param APP.NAME=VALUE}, where both names have dots. */
class ContextParamsTest {
    /** {@code com.example.Shop.io.key=1}, {@code com.example.Shop.eu.key=2}, parted at a dot. */
    private static final Map<String, Map<String, String>> GIVEN =
            Map.of("com", Map.of("example.Shop.io.key", "1", "example.Shop.eu.key", "2"));

    @Test
    void theNameOfAnApplicationMayHaveDots() {
        assertThat(ContextParams.of(GIVEN, "com.example.Shop"))
                .isEqualTo(Map.of("io.key", "1", "eu.key", "2"));
        assertThat(ContextParams.of(GIVEN, "com.example.Shop.eu")).isEqualTo(Map.of("key", "2"));
        assertThat(ContextParams.of(GIVEN, "com.example.Sho")).isEmpty();
        assertThat(ContextParams.of(GIVEN, "com.example")).hasSize(2);
        assertThat(ContextParams.of(GIVEN, "org.example.Shop")).isEmpty();
    }

    @Test
    void whatStandsUnderTheWholeNameWins() {
        assertThat(
                        ContextParams.of(
                                Map.of("a", Map.of("b.key", "1"), "a.b", Map.of("key", "2")),
                                "a.b"))
                .isEqualTo(Map.of("key", "2"));
    }

    @Test
    void ofTwoPartingsTheLongerNameWins() {
        assertThat(
                        ContextParams.of(
                                Map.of("a", Map.of("b.c.key", "1"), "a.b", Map.of("c.key", "2")),
                                "a.b.c"))
                .isEqualTo(Map.of("key", "2"));
    }

    @Test
    void aParameterHasAName() {
        assertThat(ContextParams.of(Map.of("a", Map.of("b.", "1")), "a.b")).isEmpty();
    }

    @Test
    void aParameterIsMeantForTheApplicationsWhoseNamesItBeginsWith() {
        assertThat(ContextParams.meant("com", "example.Shop.key", "com.example.Shop")).isTrue();
        assertThat(ContextParams.meant("com", "example.Shop.key", "com")).isTrue();
        assertThat(ContextParams.meant("com", "example.Shop.key", "com.example.Sho")).isFalse();
    }
}

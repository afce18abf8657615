package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code ./carillon cluster} says. */
class ClusterTextTest {
    private static ClusterView view(boolean lease, int orphans, Map<String, Long> unprotected) {
        return new ClusterView(
                "east",
                1,
                "owner",
                lease,
                false,
                41,
                List.of(),
                orphans,
                3,
                12,
                0,
                new ClusterView.CallsView(1200, unprotected, 4, 0, 7, 2, 0));
    }

    @Test
    void theJsonHasAllOfIt() {
        ClusterView view = view(true, 0, Map.of("the store is slow", 5L));
        assertThat(ClusterText.parse(ClusterText.json(view))).isEqualTo(view);
    }

    @Test
    void whatIsWrongStandsOut() {
        assertThat(ClusterText.head(view(true, 0, Map.of())))
                .contains("all have an owner; 3 have one copy only")
                .contains("Unprotected      none")
                .doesNotContain("NO");
        assertThat(ClusterText.head(view(false, 1024, Map.of("the store fails", 9L))))
                .contains("NO MAJORITY answers: it acts for no call")
                .contains("1024 of 1024 have NO OWNER")
                .contains("9 as the store fails");
    }
}

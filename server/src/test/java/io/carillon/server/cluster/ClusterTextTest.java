package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code ./carillon cluster} says. */
class ClusterTextTest {
    private static final ClusterView.OutlookView GOOD =
            new ClusterView.OutlookView(0, null, null, 46, true, Map.of());

    private static ClusterView view(boolean lease, int orphans, Map<String, Long> unprotected) {
        return view(lease, orphans, 3, unprotected, GOOD);
    }

    private static ClusterView view(
            boolean lease,
            int orphans,
            int singleCopies,
            Map<String, Long> unprotected,
            ClusterView.@Nullable OutlookView outlook) {
        return new ClusterView(
                "east",
                1,
                "owner",
                lease,
                false,
                41,
                List.of(),
                orphans,
                singleCopies,
                12,
                0,
                new ClusterView.CallsView(1200, unprotected, 4, 0, 7, 2, 0),
                outlook);
    }

    private static String head(int singleCopies, ClusterView.@Nullable OutlookView outlook) {
        return ClusterText.head(view(true, 0, singleCopies, Map.of(), outlook));
    }

    @Test
    void theJsonHasAllOfIt() {
        ClusterView view = view(true, 0, Map.of("the store is slow", 5L));
        assertThat(ClusterText.parse(ClusterText.json(view))).isEqualTo(view);
    }

    @Test
    void theOutlookIsInTheJson() {
        ClusterView view =
                view(
                        true,
                        0,
                        3,
                        Map.of(),
                        new ClusterView.OutlookView(
                                2_100, 4_000L, 3_400L, 97, false, Map.of("proxy", List.of(0, 2))));
        assertThat(ClusterText.parse(ClusterText.json(view))).isEqualTo(view);
    }

    /** While a cluster is upgraded, the command of one build asks the node of another. */
    @Test
    void aNodeOfABuildFromBeforeHasNoOutlook() {
        String json =
                """
                {"name": "east", "self": 0, "state": "owner", "lease": true, "leads": true,
                 "version": 4, "orphans": 0, "singleCopies": 3, "records": 1, "failedProposals": 0,
                 "members": [{"number": 0, "address": "192.0.2.1:7910", "standing": "stable",
                   "votes": true, "seen": true, "owns": 1024, "next": 0, "health": "ready",
                   "build": "0.1.0"}],
                 "calls": {"isProtected": 1, "unprotected": {}, "leftUnprotected": 0,
                   "lagMillis": 0, "takenOver": 0, "waiting": 0, "lost": 0}}
                """;
        ClusterView view = ClusterText.parse(json);
        assertThat(view.outlook()).isNull();
        assertThat(view.members().getFirst().used()).isNull();
        assertThat(ClusterText.head(view))
                .contains("all have an owner; 3 have one copy only\n")
                .doesNotContain("One node fewer");
    }

    @Test
    void howLongOneCopyLasts() {
        assertThat(head(3, new ClusterView.OutlookView(2_100, null, null, null, null, Map.of())))
                .contains("3 have one copy only since 2.1 s\n")
                .contains("One node fewer   not known");
        assertThat(head(3, new ClusterView.OutlookView(2_100, 4_000L, null, 46, true, Map.of())))
                .contains("3 have one copy only since 2.1 s, two again in some 4.0 s\n");
        assertThat(head(0, new ClusterView.OutlookView(0, null, 3_400L, 46, true, Map.of())))
                .contains("all have an owner and two copies; the last time again after 3.4 s\n");
    }

    @Test
    void whatTheNextLossWouldCost() {
        assertThat(head(0, GOOD))
                .contains("the others would carry the load: 46 % of the processors of the busiest")
                .doesNotContain("NOT");
        assertThat(
                        head(
                                0,
                                new ClusterView.OutlookView(
                                        0, null, null, 97, false, Map.of("proxy", List.of(2, 0)))))
                .contains("the others would NOT carry the load: 97 %")
                .contains(
                        "NOT DEPLOYED     proxy at member 0 and member 2: its calls would be lost there\n");
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

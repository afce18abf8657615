package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.DeployedNames;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An application that the next node does not have is known before it is needed. */
class LackingApplicationsTest {
    private static final List<String> OWN = List.of("b2bua", "proxy");

    private final LackingApplications lacking = new LackingApplications();

    private static ClusterView.Heard node(String health, String... applications) {
        return new ClusterView.Heard(health, "1.0", 5, DeployedNames.of(List.of(applications)));
    }

    @Test
    void eachIsNamedWithTheMembersThatLackIt() {
        lacking.look(
                OWN, Map.of(0, node("ready"), 1, node("ready", "proxy"), 2, node("overloaded")), 0);
        assertThat(lacking.now()).containsOnlyKeys("b2bua", "proxy");
        assertThat(lacking.now().get("b2bua")).containsExactlyInAnyOrder(1, 2);
        assertThat(lacking.now().get("proxy")).containsExactly(2);
        assertThat(LackingApplications.words(List.of(2, 1))).isEqualTo("member 1 and member 2");
    }

    @Test
    void itIsOverWhenTheApplicationIsThere() {
        lacking.look(OWN, Map.of(1, node("ready", "proxy")), 0);
        assertThat(lacking.now()).containsOnlyKeys("b2bua");
        lacking.look(OWN, Map.of(1, node("ready", "proxy", "b2bua", "uas")), 0);
        assertThat(lacking.now()).isEmpty();
    }

    /** Those of which there is no call are in nobody's way. */
    @Test
    void callsOfALackingApplicationStayWhereTheyAre() {
        assertThat(lacking.lacks(Stream.of("b2bua"))).isFalse();
        lacking.look(OWN, Map.of(1, node("ready", "proxy")), 0);
        assertThat(lacking.lacks(Stream.of("proxy", "b2bua"))).isTrue();
        assertThat(lacking.lacks(Stream.of("proxy", "proxy"))).isFalse();
        assertThat(lacking.lacks(Stream.empty())).isFalse();
    }

    /** Its applications are not deployed yet, or it gives its calls away. */
    @Test
    void aNodeThatTakesNoCallsLacksNothing() {
        lacking.look(OWN, Map.of(1, node("starting"), 2, node("draining")), 0);
        assertThat(lacking.now()).isEmpty();
    }

    @Test
    void ofABuildFromBeforeNothingIsKnown() {
        lacking.look(OWN, Map.of(1, new ClusterView.Heard("ready", "0.1")), 0);
        assertThat(lacking.now()).isEmpty();
    }
}

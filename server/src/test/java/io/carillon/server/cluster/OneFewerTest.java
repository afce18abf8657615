package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.DeployedNames;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether the nodes that stay could carry the load of one that goes. */
class OneFewerTest {
    private final Map<Integer, ClusterView.Heard> heard = new HashMap<>();

    private void node(String health, @Nullable Integer used) {
        heard.put(heard.size(), new ClusterView.Heard(health, "1.0", used, DeployedNames.UNKNOWN));
    }

    private OneFewer fewer() {
        return OneFewer.of(heard);
    }

    @Test
    void whatGoesIsSharedByThoseThatStay() {
        node("ready", 40);
        node("ready", 40);
        node("ready", 40);
        assertThat(fewer()).isEqualTo(new OneFewer(60));
        assertThat(fewer().carried()).isTrue();
    }

    @Test
    void ofTwoOneHasAll() {
        node("ready", 41);
        node("ready", 40);
        assertThat(fewer()).isEqualTo(new OneFewer(81));
        assertThat(fewer().carried()).as("more than 80 %").isFalse();
    }

    @Test
    void theBusiestOfThoseThatStayCounts() {
        node("ready", 10);
        node("overloaded", 70);
        node("ready", 30);
        assertThat(fewer()).as("70 and half of 30").isEqualTo(new OneFewer(85));
    }

    @Test
    void whatTakesNoCallsCountsForNothing() {
        node("ready", 30);
        node("ready", 30);
        node("draining", 90);
        node("starting", null);
        assertThat(fewer()).isEqualTo(new OneFewer(60));
    }

    @Test
    void aloneAndWithABuildFromBeforeNothingIsKnown() {
        node("ready", 10);
        assertThat(fewer().carried()).isNull();
        node("ready", null);
        node("ready", 10);
        assertThat(fewer()).isEqualTo(OneFewer.UNKNOWN);
    }
}

package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.member.MemberState;
import io.carillon.sip.overload.OverloadState;
import io.carillon.sip.overload.Waiting;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What a node says of itself, by what it is. */
class NodeStandingTest {
    private static OverloadState sheds(double perSecond) {
        return new OverloadState(true, 1, 2, Waiting.LOOP, 100, perSecond, 3);
    }

    @Test
    void eachStateOfAMemberIsSaidInTheWordsOfTheLink() {
        assertThat(NodeStanding.of(MemberState.STARTING, false)).isEqualTo(NodeHealth.STARTING);
        assertThat(NodeStanding.of(MemberState.JOINING, false)).isEqualTo(NodeHealth.READY);
        assertThat(NodeStanding.of(MemberState.STABLE, false)).isEqualTo(NodeHealth.READY);
        assertThat(NodeStanding.of(MemberState.OWNER, false)).isEqualTo(NodeHealth.READY);
        assertThat(NodeStanding.of(MemberState.OWNER, true)).isEqualTo(NodeHealth.OVERLOADED);
        assertThat(NodeStanding.of(MemberState.LEAVING, true)).isEqualTo(NodeHealth.DRAINING);
        assertThat(NodeStanding.of(MemberState.ISOLATED, true)).isEqualTo(NodeHealth.ISOLATED);
        assertThat(NodeStanding.of(MemberState.GONE, false)).isEqualTo(NodeHealth.STARTING);
    }

    @Test
    void aNodeLetsInWhatItsLoopsDo() {
        Offset<Double> near = Offset.offset(0.001);
        assertThat(NodeStanding.newPerSecond(List.of())).isZero();
        assertThat(NodeStanding.newPerSecond(List.of(OverloadState.IDLE, OverloadState.IDLE)))
                .isZero();
        assertThat(NodeStanding.newPerSecond(List.of(sheds(30), sheds(20)))).isEqualTo(50, near);
        assertThat(NodeStanding.newPerSecond(List.of(sheds(30), OverloadState.IDLE)))
                .as("the other loop gets the same part of the calls")
                .isEqualTo(60, near);
        assertThat(NodeStanding.newPerSecond(List.of(sheds(0.2))))
                .as("never nothing: it would not be asked again")
                .isEqualTo(1, near);
    }
}

package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.Caller;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.Set;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.junit.jupiter.api.Test;

/** A session's path by itself: who is at its other end, and by what its requests leave. */
class SessionPathTest {
    private static final InetSocketAddress OURS = new InetSocketAddress("192.0.2.1", 5060);
    private static final Hop UDP = hop(Transport.UDP, "198.51.100.7", 0);
    private static final Hop ELSEWHERE = hop(Transport.UDP, "198.51.100.8", 0);

    private final SessionPath path = new SessionPath();

    private static Hop hop(Transport transport, String remote, long connection) {
        return new Hop(transport, OURS, new InetSocketAddress(remote, 5060), connection);
    }

    @Test
    void whoHasNeverAnsweredIsHeardNowhere() {
        assertThat(path.heardAt(UDP)).isFalse();
        assertThat(path.isPeerAt(UDP)).isFalse();
    }

    @Test
    void theSourceOfOneDatagramIsThePeerAndProvesNothing() {
        path.calledFrom(UDP);
        assertThat(path.isPeerAt(UDP)).isTrue();
        assertThat(path.isPeerAt(ELSEWHERE)).isFalse();
        assertThat(path.heardAt(UDP)).isFalse();
    }

    @Test
    void whoCallsByAConnectionIsHeard() {
        path.calledFrom(hop(Transport.TCP, "198.51.100.7", 3));
        assertThat(path.heardAt(UDP)).isTrue();
        assertThat(path.heardAt(ELSEWHERE)).isFalse();
    }

    @Test
    void whoAnswersARequestOfOursIsHeardUntilAnotherOneAnswers() {
        path.answeredBy(UDP);
        assertThat(path.heardAt(UDP)).isTrue();
        path.answeredBy(ELSEWHERE);
        assertThat(path.heardAt(ELSEWHERE)).isTrue();
        assertThat(path.heardAt(UDP)).isFalse();
    }

    @Test
    void aTagToldElsewhereIsNoProofOfTheCallersSourceAnyMore() {
        path.calledFrom(UDP);
        path.leavesFor(UDP);
        assertThat(path.isPeerAt(UDP)).isTrue();
        path.leavesFor(ELSEWHERE);
        assertThat(path.isPeerAt(UDP)).isFalse();
    }

    @Test
    void whatLeavesForElsewhereForgetsNobodyWhoWasHeard() {
        path.answeredBy(UDP);
        path.leavesFor(ELSEWHERE);
        assertThat(path.heardAt(UDP)).isTrue();
    }

    @Test
    void aCallerWhoHasProvedToBeAUserIsBelievedEverywhere() {
        path.caller(new Caller("alice", Set.of()));
        assertThat(path.hasProvenCaller()).isTrue();
        assertThat(path.heardAt(ELSEWHERE)).isTrue();
    }

    @Test
    void anotherApplicationOfOursIsHeardAndIsNoPeer() {
        Hop inside = Hop.internal(UDP, "beside");
        path.calledFrom(inside);
        path.answeredBy(inside);
        assertThat(path.heardAt(inside)).isTrue();
        assertThat(path.isPeerAt(inside)).isFalse();
        assertThat(path.isPeerAt(UDP)).isFalse();
    }

    @Test
    void aPlaceOnAChainIsGivenAndOnlyComposingTellsOfOthers() {
        path.place(1);
        assertThat(path.depth()).isEqualTo(1);
        assertThat(path.composed()).isFalse();
        path.compose(2);
        assertThat(path.depth()).isEqualTo(2);
        assertThat(path.composed()).isTrue();
    }

    /** JSR 289, 15.2.2: a session that no router was asked for is in the neutral region. */
    @Test
    void itsRegionIsNeutralUntilTheRouterSaysAnother() {
        assertThat(path.region()).isEqualTo(SipApplicationRoutingRegion.NEUTRAL_REGION);
        path.setRouting(
                new SessionPath.Routing(
                        SipApplicationRoutingRegion.ORIGINATING_REGION, null, null));
        assertThat(path.region()).isEqualTo(SipApplicationRoutingRegion.ORIGINATING_REGION);
    }

    @Test
    void theInterfaceThatWasChosenIsThereWithItsTransport() {
        assertThat(path.outbound()).isNull();
        assertThat(path.outboundTransport()).isNull();
        path.leaveBy(OURS, Transport.TCP);
        assertThat(path.outbound()).isEqualTo(OURS);
        assertThat(path.outboundTransport()).isEqualTo(Transport.TCP);
        path.leaveBy(OURS, null);
        assertThat(path.outboundTransport()).isNull();
    }
}

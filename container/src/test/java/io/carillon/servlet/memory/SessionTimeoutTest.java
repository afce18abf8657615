package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.harness.Bridge;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** SIP Servlet 1.1, 6.3: a quiet call is given up when its application session's time is over. */
class SessionTimeoutTest {
    private static DirectNode quietCall(int minutes) {
        Bridge bridge = new Bridge("sip:callee@10.0.0.2:5060");
        DirectNode node =
                minutes == 0
                        ? new DirectNode(bridge)
                        : new DirectNode(bridge, b -> b.sessionTimeoutMinutes(minutes));
        new DirectCall(node, DirectNode::receive, 1).setUp();
        return node;
    }

    private static void pass(DirectNode node, Duration span) {
        for (long second = 0; second < span.toSeconds(); second++) {
            node.pass(1_000_000_000L);
        }
    }

    @Test
    void theDefaultOfThreeMinutesEndsACallThatIsHeldForLonger() {
        assertThat(ApplicationDescription.DEFAULT_SESSION_TIMEOUT_MINUTES).isEqualTo(3);
        DirectNode node = quietCall(0);
        pass(node, Duration.ofSeconds(178));
        assertThat(node.container.callsHeld()).isOne();
        pass(node, Duration.ofSeconds(22));
        assertThat(node.container.callsHeld()).isZero();
        assertThat(node.container.sessions().dialogs()).isZero();
    }

    @Test
    void tenMinutesKeepACallOfTwoHundredSeconds() {
        DirectNode node = quietCall(10);
        pass(node, Duration.ofSeconds(598));
        assertThat(node.container.callsHeld()).isOne();
        pass(node, Duration.ofSeconds(4));
        assertThat(node.container.callsHeld()).isZero();
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.annotation.SipApplicationKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application sends in one piece of work leaves in the order in which it was sent. */
class ResponseOrderTest {

    /** Answers a subscription and notifies at once, as RFC 6665 4.2.1.2 asks. */
    public static final class Notifier extends SipServlet {
        @SipApplicationKey
        public static String everybody(SipServletRequest request) {
            return "everybody";
        }

        @Override
        protected void doSubscribe(SipServletRequest subscribe) throws IOException {
            subscribe.createResponse(200).send();
            SipServletRequest notify = subscribe.getSession().createRequest("NOTIFY");
            notify.setHeader("Event", "presence");
            notify.setHeader("Subscription-State", "terminated");
            notify.send();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aNotifyDoesNotOvertakeTheResponseThatItFollowsInAKeyedSession(ExecutionMode mode)
            throws Exception {
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 5);
        Server server = new Server(network, "10.0.0.1", 4, 5, new RoundTripStore());
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", Notifier::new)
                        .key(new ApplicationKey(Notifier.class.getName(), "everybody"))
                        .execution(mode)
                        .build());
        RawPeer watcher = server.peer("10.0.0.2");
        for (int i = 0; i < 40; i++) {
            watcher.request(
                    "SUBSCRIBE sip:ann@10.0.0.1",
                    "<sip:bob@10.0.0.2>;tag=b",
                    "<sip:ann@10.0.0.1>",
                    "call-" + i,
                    1,
                    "Contact: <sip:bob@10.0.0.2>",
                    "Event: presence");
        }
        server.run(Duration.ofMillis(400));
        assertThat(watcher.responses(200)).isEqualTo(40);
        for (int i = 0; i < 40; i++) {
            assertThat(first(watcher, "call-" + i))
                    .as("what comes first of the subscription %d", i)
                    .isNotInstanceOf(SipRequest.class);
        }
    }

    private static SipMessage first(RawPeer peer, String callId) {
        return peer.all.stream().filter(m -> callId.equals(m.callId())).findFirst().orElseThrow();
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.annotation.SipApplicationKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All calls to a key are in one application session, which counts once among the application
 * sessions: strangers decide how many SIP sessions it has.
 */
class SessionsOfOneTest {
    private static final int MOST = 5;
    private static final String CONTACT = "Contact: <sip:a@10.0.0.2>";

    /** Answers every call, and hangs up when it is asked to. */
    public static final class Meeting extends SipServlet {
        private static final long serialVersionUID = 1L;

        @SipApplicationKey
        public static String everybody(SipServletRequest request) {
            return "everybody";
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            invite.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            bye.createResponse(200).send();
        }
    }

    private static SipResponse invite(RawPeer peer, int call, int status) {
        peer.request(
                "INVITE sip:room@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t" + call,
                "<sip:room@10.0.0.1>",
                "c" + call,
                1,
                CONTACT);
        return peer.response(status);
    }

    /** Each costs as much as a call of its own, and the bound of calls counts them once. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theThirdAndFurtherCallsOfOneCountAsMemoryThatIsBounded(ExecutionMode mode)
            throws Exception {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 7),
                        "10.0.0.1",
                        1,
                        7,
                        new RoundTripStore());
        server.container.keptAddresses().most(2_000, SessionShares.none(1));
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", Meeting::new)
                        .key(new ApplicationKey(Meeting.class.getName(), "everybody"))
                        .execution(mode)
                        .build());
        RawPeer alice = server.peer("10.0.0.2");
        String[] tags = new String[4];
        for (int call = 0; call < 4; call++) {
            tags[call] = invite(alice, call, 200).toTag();
            ack(alice, call, tags[call]);
        }
        assertThat(server.container.keptAddresses().bytes()).isEqualTo(2 * 1_536);
        assertThat(invite(alice, 4, 503).header(HeaderName.RETRY_AFTER)).isNotNull();
        assertThat(server.container.counters().refusedAddresses.sum()).isEqualTo(1);
        for (int call = 0; call < 4; call++) {
            alice.request(
                    "BYE sip:10.0.0.1",
                    "<sip:a@10.0.0.2>;tag=t" + call,
                    "<sip:room@10.0.0.1>;tag=" + tags[call],
                    "c" + call,
                    2);
            alice.response(200);
        }
        server.run(Duration.ofMinutes(5));
        assertThat(server.container.keptAddresses().bytes()).isZero();
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void moreCallsInOneApplicationSessionThanItMayHoldAreRefused(ExecutionMode mode)
            throws Exception {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 7),
                        "10.0.0.1",
                        1,
                        7,
                        new RoundTripStore());
        server.container.rooms().maxOfOne(MOST);
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", Meeting::new)
                        .key(new ApplicationKey(Meeting.class.getName(), "everybody"))
                        .execution(mode)
                        .build());
        RawPeer alice = server.peer("10.0.0.2");
        String[] tags = new String[MOST];
        for (int call = 0; call < MOST; call++) {
            tags[call] = invite(alice, call, 200).toTag();
            ack(alice, call, tags[call]);
        }
        SipResponse refused = invite(alice, MOST, 503);
        assertThat(refused.header(HeaderName.RETRY_AFTER)).isNotNull();
        assertThat(server.container.counters().refusedOfOne.sum()).isEqualTo(1);
        assertThat(server.container.callsHeld()).isEqualTo(1);

        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t0",
                "<sip:room@10.0.0.1>;tag=" + tags[0],
                "c0",
                2);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        tags[0] = invite(alice, MOST + 1, 200).toTag();
        ack(alice, MOST + 1, tags[0]);
        for (int call = 1; call <= MOST; call++) {
            int held = call == MOST ? MOST + 1 : call;
            alice.request(
                    "BYE sip:10.0.0.1",
                    "<sip:a@10.0.0.2>;tag=t" + held,
                    "<sip:room@10.0.0.1>;tag=" + tags[call % MOST],
                    "c" + held,
                    2);
            alice.response(200);
        }
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }

    private static void ack(RawPeer peer, int call, String tag) {
        peer.request(
                "ACK sip:10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t" + call,
                "<sip:room@10.0.0.1>;tag=" + tag,
                "c" + call,
                1);
    }
}

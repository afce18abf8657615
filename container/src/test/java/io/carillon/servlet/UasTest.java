package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A UAS application, in both ways of execution. */
class UasTest {
    static final class Phone extends SipServlet {
        final List<String> events = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            events.add("INVITE " + request.getSession().getState());
            request.createResponse(180).send();
            events.add("180 " + request.getSession().getState());
            request.createResponse(200).send();
            events.add("200 " + request.getSession().getState());
        }

        @Override
        protected void doAck(SipServletRequest request) {
            events.add("ACK " + request.getSession().getState());
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            events.add("BYE " + request.getSession().getState());
            SipSession session = request.getSession();
            request.createResponse(200).send();
            events.add("200 " + session.getState());
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void answersAndIsReleased(ExecutionMode mode) {
        Phone phone = new Phone();
        Server server = Server.fresh(1).deploy(phone, mode);
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ringing = alice.response(180);
        SipResponse ok = alice.response(200);
        assertThat(ok.toTag()).isEqualTo(ringing.toTag());
        assertThat(ok.contact()).hasToString("<sip:10.0.0.1:5060>");
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        // SIPp's built-in caller: the callee's URI, no Route.
        alice.request("ACK sip:uas@10.0.0.1:5060", "<sip:a@x>;tag=a", to, "c1", 1);
        server.run(Duration.ofSeconds(1));
        assertThat(server.container.callsHeld()).isEqualTo(1);
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        alice.request("BYE sip:uas@10.0.0.1:5060", "<sip:a@x>;tag=a", to, "c1", 2);
        alice.response(200);
        server.run(Duration.ofSeconds(1));
        assertThat(phone.events)
                .containsExactly(
                        "INVITE INITIAL",
                        "180 EARLY",
                        "200 CONFIRMED",
                        "ACK CONFIRMED",
                        "BYE CONFIRMED",
                        "200 TERMINATED");
        server.assertEmpty();
    }
}

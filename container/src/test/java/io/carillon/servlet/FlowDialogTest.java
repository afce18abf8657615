package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * RFC 5626: a back-to-back user agent between two phones, each of which says that it is somewhere
 * else.
 */
class FlowDialogTest {
    private static final String ALICE = "<sip:alice@x>;tag=a";
    private static final String BOB_CONTACT = "sip:bob@192.168.1.7:5060;ob";
    private static final String ALICE_CONTACT = "sip:alice@192.168.1.8:5060;ob";
    private static final String ALICE_GRUU = "sip:alice@example.com;gr=urn:uuid:0a1b";

    /** Calls whoever registered last, by his flow. */
    private static final class Bridge extends SipServlet {
        private SipURI flow;

        @Override
        protected void doRegister(SipServletRequest register) throws IOException {
            flow = (SipURI) register.getAttribute("io.carillon.flow");
            register.createResponse(200).send();
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            B2buaHelper helper = invite.getB2buaHelper();
            SipServletRequest out = helper.createRequest(invite, true, java.util.Map.of());
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            out.setRequestURI(factory.createURI(BOB_CONTACT));
            out.pushRoute(flow);
            out.send();
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response)
                throws ServletException, IOException {
            B2buaHelper helper = response.getRequest().getB2buaHelper();
            if (response.getMethod().equals("INVITE")) {
                response.createAck().send();
                helper.createResponseToOriginalRequest(
                                helper.getLinkedSession(response.getSession()), 200, "OK")
                        .send();
            }
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            SipSession other = bye.getB2buaHelper().getLinkedSession(bye.getSession());
            bye.createResponse(200).send();
            other.createRequest("BYE").send();
        }
    }

    private final Server server = Server.fresh(1);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    @AfterEach
    void nothingIsLeft() {
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    private SipRequest call(ExecutionMode mode) {
        return call(mode, ALICE_CONTACT);
    }

    private SipRequest call(ExecutionMode mode, String contact) {
        server.deploy(new Bridge(), mode);
        bob.request(
                "REGISTER sip:10.0.0.1",
                "<sip:bob@x>;tag=r",
                "<sip:bob@x>",
                "r1",
                1,
                "Contact: <" + BOB_CONTACT + ">");
        bob.response(200);
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                ALICE,
                "<sip:bob@x>",
                "c1",
                1,
                "Contact: <" + contact + ">");
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.requestUri().toString()).isEqualTo(BOB_CONTACT);
        assertThat(invite.topRoute()).isNull();
        bob.send(answer(invite));
        SipRequest ack = bob.request("ACK");
        assertThat(ack.requestUri().toString()).isEqualTo(BOB_CONTACT);
        assertThat(ack.topRoute()).isNull();
        return invite;
    }

    /** As bob's phone would: with the Contact that nobody can reach. */
    private String answer(SipRequest invite) {
        StringBuilder text = new StringBuilder("SIP/2.0 200 OK\n");
        for (String name : new String[] {"Via", "From", "To", "Call-ID", "CSeq"}) {
            text.append(name)
                    .append(": ")
                    .append(invite.header(io.carillon.sip.header.HeaderName.of(name)))
                    .append(name.equals("To") ? ";tag=b\n" : "\n");
        }
        return text + "Contact: <" + BOB_CONTACT + ">\nContent-Length: 0\n\n";
    }

    @Test
    void theCalledPhoneGetsAckAndByeOverTheFlowOfItsRegistration() {
        call(ExecutionMode.NON_BLOCKING);
        String tag = alice.response(200).to().toString();
        alice.request("ACK sip:10.0.0.1", ALICE, tag, "c1", 1);
        alice.request("BYE sip:10.0.0.1", ALICE, tag, "c1", 2);
        alice.response(200);
        SipRequest bye = bob.request("BYE");
        assertThat(bye.requestUri().toString()).isEqualTo(BOB_CONTACT);
        assertThat(bye.topRoute()).isNull();
        bob.respond(bye, 200, "");
    }

    @Test
    void theCallingPhoneGetsTheByeOverTheFlowOfItsInvite() {
        hungUpByBob(call(ExecutionMode.BLOCKING), ALICE_CONTACT);
    }

    @Test
    void rfc5627_4_3_aCallingPhoneWithAGruuGetsTheByeOverTheFlowOfItsInvite() {
        alice.over(Transport.WSS);
        hungUpByBob(call(ExecutionMode.NON_BLOCKING, ALICE_GRUU), ALICE_GRUU);
        assertThat(alice.lastTransport).isEqualTo(Transport.WSS);
    }

    private void hungUpByBob(SipRequest invite, String contact) {
        String tag = alice.response(200).to().toString();
        alice.request("ACK sip:10.0.0.1", ALICE, tag, "c1", 1);
        bob.request(
                "BYE sip:10.0.0.1",
                invite.to() + ";tag=b",
                invite.from().toString(),
                invite.callId(),
                1);
        bob.response(200);
        SipRequest bye = alice.request("BYE");
        assertThat(bye.requestUri().toString()).isEqualTo(contact);
        assertThat(bye.topRoute()).isNull();
        alice.respond(bye, 200, "");
    }
}

package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Applications that write another name or number into From and To of a request that has not left.
 */
class RenamedPartiesTest {
    private static final String FROM = "\"Alice\" <sip:a@x>;tag=a";
    private static final String TO = "<sip:uas@y>";

    /** Hides who calls, as B2BUAs of old did it: on the request that the helper made. */
    private static final class Renaming extends SipServlet {
        final List<String> parties = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            B2buaHelper b2bua = request.getB2buaHelper();
            SipServletRequest leg = b2bua.createRequest(request, true, null);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            leg.setRequestURI(factory.createSipURI("uas", "10.0.0.3:5060"));
            leg.getFrom().setDisplayName("Trunk");
            ((SipURI) leg.getFrom().getURI()).setUser("4711");
            leg.getTo().setURI(factory.createURI("sip:inside@z;user=phone"));
            leg.send();
            parties.add(
                    leg.getSession().getLocalParty().getURI()
                            + " "
                            + leg.getSession().getRemoteParty());
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            if (response.getMethod().equals("BYE")) {
                return;
            }
            response.createAck().send();
            B2buaHelper b2bua = response.getRequest().getB2buaHelper();
            b2bua.createResponseToOriginalRequest(
                            b2bua.getLinkedSession(response.getSession()), 200, "")
                    .send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
            B2buaHelper b2bua = request.getB2buaHelper();
            b2bua.createRequest(b2bua.getLinkedSession(request.getSession()), request, null).send();
        }

        @Override
        protected void doAck(SipServletRequest ack) {
            // the other leg has its own
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theLegOfABackToBackUserAgentCarriesThemForTheWholeDialog(ExecutionMode mode) {
        Renaming renaming = new Renaming();
        Server server = Server.fresh(1).deploy(renaming, mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        String contact = "Contact: <sip:10.0.0.2:5060>";
        alice.request("INVITE sip:uas@10.0.0.1", FROM, TO, "c1", 1, contact);
        SipRequest invite = bob.request("INVITE");
        String from = "\"Trunk\" <sip:4711@x>;tag=" + invite.fromTag();
        assertThat(invite.from()).hasToString(from);
        assertThat(invite.to()).hasToString("<sip:inside@z;user=phone>");
        assertThat(renaming.parties).containsExactly("sip:4711@x <sip:inside@z;user=phone>");
        bob.respond(invite, 200, "b");
        assertThat(bob.request("ACK").from()).hasToString(from);
        SipResponse ok = alice.response(200);
        assertThat(ok.from()).hasToString(FROM);
        String to = TO + ";tag=" + ok.toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        alice.request("BYE sip:10.0.0.1:5060", FROM, to, "c1", 2);
        SipRequest bye = bob.request("BYE");
        assertThat(bye.from()).hasToString(from);
        assertThat(bye.to()).hasToString("<sip:inside@z;user=phone>;tag=b");
        bob.respond(bye, 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(1));
        server.assertEmpty();
    }

    /** Does the same on the request that it received, before it proxies it. */
    private static final class RenamingProxy extends SipServlet {
        @Override
        protected void doInvite(SipServletRequest request) throws ServletException, IOException {
            request.getFrom().setDisplayName(null);
            ((SipURI) request.getFrom().getURI()).setUser("4711");
            ((SipURI) request.getTo().getURI()).setHost("z.example");
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            request.getProxy().proxyTo(factory.createURI("sip:uas@10.0.0.3:5060"));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_8_2_6_2_aProxyGivesTheCallerBackHisOwn(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new RenamingProxy(), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        String contact = "Contact: <sip:10.0.0.2:5060>";
        alice.request("INVITE sip:uas@10.0.0.1", FROM, TO, "c1", 1, contact);
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.from()).hasToString("<sip:4711@x>;tag=a");
        assertThat(invite.to()).hasToString("<sip:uas@z.example>");
        bob.respond(invite, 180, "b");
        SipResponse ringing = alice.response(180);
        assertThat(ringing.from()).hasToString(FROM);
        assertThat(ringing.to()).hasToString(TO + ";tag=b");
        bob.respond(invite, 486, "b");
        SipResponse busy = alice.response(486);
        assertThat(busy.from()).hasToString(FROM);
        assertThat(busy.to()).hasToString(TO + ";tag=b");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}

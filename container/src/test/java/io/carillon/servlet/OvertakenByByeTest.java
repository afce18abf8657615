package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/**
 * A request in a dialog that comes behind the BYE which ended it, as a repeat of one that waited
 * somewhere does. RFC 3261 12.2.2: it begins nothing.
 */
class OvertakenByByeTest {
    private static final String FROM = "<sip:a@10.0.0.2>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Server server = Server.fresh(61);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final List<String> begun = new ArrayList<>();

    private final SipServlet proxy =
            new SipServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doInvite(SipServletRequest invite)
                        throws ServletException, IOException {
                    if (!invite.isInitial()) {
                        return;
                    }
                    begun.add(invite.getCallId());
                    SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                    Proxy way = invite.getProxy();
                    way.setRecordRoute(true);
                    way.proxyTo(factory.createURI("sip:b@10.0.0.3:5060"));
                }
            };

    @Test
    void anInviteByARouteOfOursBeginsNoCallWhenItsOwnHasEnded() throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test").servlet("main", () -> proxy).build());
        alice.request("INVITE sip:b@10.0.0.1", FROM, "<sip:b@y>", "c1", 1, CONTACT);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        inDialog("ACK", ok, 1);
        bob.request("ACK");
        inDialog("BYE", ok, 3);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);

        inDialog("INVITE", ok, 2);
        alice.response(481);
        assertThat(begun).hasSize(1);
        assertThat(bob.unread()).isEmpty();
        assertThat(server.container.callsHeld()).isZero();
    }

    private void inDialog(String method, SipResponse ok, int cseq) {
        alice.request(
                method + " " + Objects.requireNonNull(ok.contact()).uri(),
                FROM,
                ok.to().toString(),
                "c1",
                cseq,
                CONTACT,
                "Route: " + ok.recordRoutes().getFirst());
    }
}

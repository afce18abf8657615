package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.UAMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What peers write that is no UTF-8, as old ones do in Latin-1, leaves as it came: nobody has
 * changed it.
 */
class OtherBytesTest {
    /** Chars of Latin-1 stand for the bytes of that value. */
    private static final String[] COPIED = {
        "Subject: Gr\u00fc\u00dfe",
        "Organization: M\u00fcller & S\u00f6hne",
        "User-Agent: T\u00e9l\u00e9phone",
        "X-Note: caf\u00e9 \u00ff\u0080",
        "Reply-To: \"J\u00f6rg\" <sip:j@x>",
        "Alert-Info: <sip:ring@x>;info=\"s\u00fc\u00df\"",
        "P-Preferred-Service: \u00e4",
        "Reason: SIP;cause=200;text=\"\u00fcber\"",
    };

    private static final String FROM = "\"M\u00fcller\" <sip:a@10.0.0.2>";
    private static final String TO = "\"S\u00e4nger\" <sip:b@10.0.0.1>";
    private static final String BODY = "caf\u00e9 \u00a9\n";

    private final Server server = Server.fresh(11);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");

    /** Copies headers, reason phrases and bodies of answers as well. */
    private static final class Copying extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            B2buaHelper helper = request.getB2buaHelper();
            if (request.isInitial()) {
                SipServletRequest leg = helper.createRequest(request, true, null);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                leg.setRequestURI(factory.createURI("sip:b@10.0.0.3:5060"));
                if (request.getContentType() != null) {
                    leg.setContent(request.getContent(), request.getContentType());
                }
                leg.send();
            } else if (request.getMethod().equals("ACK")) {
                SipSession other = helper.getLinkedSession(request.getSession());
                for (SipServletMessage open : helper.getPendingMessages(other, UAMode.UAC)) {
                    ((SipServletResponse) open).createAck().send();
                }
            } else {
                SipSession other = helper.getLinkedSession(request.getSession());
                helper.createRequest(other, request, null).send();
            }
        }

        @Override
        protected void doResponse(SipServletResponse response)
                throws ServletException, IOException {
            SipServletRequest original =
                    response.getRequest()
                            .getB2buaHelper()
                            .getLinkedSipServletRequest(response.getRequest());
            SipServletResponse answer =
                    original.createResponse(response.getStatus(), response.getReasonPhrase());
            for (String name : new String[] {"X-Note", "Subject"}) {
                if (response.getHeader(name) != null) {
                    answer.setHeader(name, response.getHeader(name));
                }
            }
            answer.send();
        }
    }

    private static String wire(RawPeer peer) {
        return new String(Objects.requireNonNull(peer.lastBytes), StandardCharsets.ISO_8859_1);
    }

    private static String invite(String uri, String... headers) {
        StringBuilder text = new StringBuilder("INVITE " + uri + " SIP/2.0\n");
        text.append("Via: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bKlatin\n");
        text.append("Max-Forwards: 70\nFrom: ").append(FROM).append(";tag=a\n");
        text.append("To: ").append(TO).append("\nCall-ID: c1\nCSeq: 1 INVITE\n");
        text.append("Contact: <sip:10.0.0.2:5060>\n");
        for (String header : headers) {
            text.append(header).append('\n');
        }
        text.append("Content-Type: text/plain\nContent-Length: ").append(BODY.length() + 1);
        return text.append("\n\n").append(BODY).toString();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aB2buaCopiesTheBytesThatCame(ExecutionMode mode) {
        server.deploy(new Copying(), mode);
        alice.sendLatin(invite("sip:b@10.0.0.1", COPIED));
        SipRequest invite = bob.request("INVITE");
        String left = wire(bob);
        for (String header : COPIED) {
            assertThat(left).contains(header + "\r\n");
        }
        assertThat(left).contains("From: " + FROM + ";tag=").contains("To: " + TO + "\r\n");
        assertThat(left).endsWith("\r\n\r\n" + BODY.replace("\n", "\r\n"));

        StringBuilder ok = new StringBuilder("SIP/2.0 200 Schl\u00fcssig\n");
        ok.append("Via: ").append(invite.header(invite.nameAt(0))).append('\n');
        int from = left.indexOf("From: ");
        ok.append(left, from, left.indexOf("\r\n", from)).append('\n');
        ok.append("To: ").append(TO).append(";tag=b\n");
        ok.append("Call-ID: ").append(invite.callId()).append("\nCSeq: 1 INVITE\n");
        ok.append("Contact: <sip:10.0.0.3:5060>\nX-Note: \u00fc\nContent-Length: 0\n\n");
        bob.sendLatin(ok.toString());
        SipResponse answer = alice.response(200);
        assertThat(wire(alice))
                .startsWith("SIP/2.0 200 Schl\u00fcssig\r\n")
                .contains("X-Note: \u00fc\r\n")
                .contains("From: " + FROM + ";tag=a\r\n")
                .contains("To: " + TO + ";tag=");
        alice.request("ACK sip:b@10.0.0.1", "<sip:a@x>;tag=a", answer.to().toString(), "c1", 1);
        bob.request("ACK");
        assertThat(wire(bob)).contains("From: " + FROM + ";tag=").contains("To: " + TO + ";tag=b");
        alice.request("BYE sip:b@10.0.0.1", "<sip:a@x>;tag=a", answer.to().toString(), "c1", 2);
        SipRequest bye = bob.request("BYE");
        assertThat(wire(bob)).contains("From: " + FROM + ";tag=").contains("To: " + TO + ";tag=b");
        bob.respond(bye, 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }

    /** A user agent: the To of its answers, From and To of its own requests, what it changed. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aUserAgentGivesBackTheBytesThatCame(ExecutionMode mode) {
        SipServlet phone =
                new SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) throws IOException {
                        SipServletResponse ok = request.createResponse(200);
                        ok.setHeader("Subject", request.getHeader("Subject"));
                        ok.send();
                    }

                    @Override
                    protected void doAck(SipServletRequest request) throws IOException {
                        request.getSession().createRequest("BYE").send();
                    }
                };
        server.deploy(phone, mode);
        alice.sendLatin(invite("sip:b@10.0.0.1", COPIED));
        SipResponse ok = alice.response(200);
        assertThat(wire(alice))
                .contains("From: " + FROM + ";tag=a\r\n")
                .contains("To: " + TO + ";tag=")
                .contains(COPIED[0] + "\r\n");
        alice.request("ACK sip:b@10.0.0.1", "<sip:a@x>;tag=a", ok.to().toString(), "c1", 1);
        SipRequest bye = alice.request("BYE");
        assertThat(wire(alice))
                .contains("From: " + TO + ";tag=")
                .contains("To: " + FROM + ";tag=a\r\n");
        alice.respond(bye, 200, "");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}

package io.carillon.server.tls;

import java.io.IOException;
import java.security.cert.X509Certificate;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/**
 * Answers calls with what it knows of their TLS; those for {@code bridge} it sends on, as a Basic
 * B2BUA, to the parameter {@code next-hop}. Packed into an application by {@link TlsCallTest}.
 */
@javax.servlet.sip.annotation.SipServlet(name = "tls", loadOnStartup = 1)
public class TlsServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final String[] SEEN = {"X-Secure", "X-Cipher", "X-Peer", "X-Why"};

    @Override
    protected void doInvite(SipServletRequest request) throws IOException, ServletException {
        if (request.getRequestURI().toString().contains(":bridge@")) {
            B2buaHelper helper = request.getB2buaHelper();
            SipServletRequest leg = helper.createRequest(request, true, null);
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            leg.setRequestURI(factory.createURI(getServletContext().getInitParameter("next-hop")));
            leg.send();
            return;
        }
        X509Certificate[] chain =
                (X509Certificate[]) request.getAttribute("javax.servlet.request.X509Certificate");
        SipServletResponse answer = request.createResponse(200);
        answer.setHeader("X-Secure", String.valueOf(request.isSecure()));
        answer.setHeader(
                "X-Cipher",
                String.valueOf(request.getAttribute("javax.servlet.request.cipher_suite")));
        answer.setHeader(
                "X-Peer", chain == null ? "none" : chain[0].getSubjectX500Principal().getName());
        answer.send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException, ServletException {
        SipSession other =
                response.getRequest().getB2buaHelper().getLinkedSession(response.getSession());
        if (response.getStatus() < 200 || other == null) {
            return;
        }
        if (response.getMethod().equals("BYE")) {
            return;
        }
        SipServletResponse answer =
                response.getRequest()
                        .getB2buaHelper()
                        .createResponseToOriginalRequest(
                                other, response.getStatus(), response.getReasonPhrase());
        for (String name : SEEN) {
            String value = response.getHeader(name);
            if (value != null) {
                answer.setHeader(name, value);
            }
        }
        String warning = response.getHeader("Warning");
        if (warning != null) {
            answer.setHeader("X-Why", warning);
        }
        answer.setHeader("X-Contact", String.valueOf(response.getHeader("Contact")));
        answer.send();
    }

    @Override
    protected void doAck(SipServletRequest ack) throws IOException {
        SipSession other = ack.getB2buaHelper().getLinkedSession(ack.getSession());
        if (other == null) {
            return;
        }
        for (var pending :
                ack.getB2buaHelper().getPendingMessages(other, javax.servlet.sip.UAMode.UAC)) {
            if (pending instanceof SipServletResponse response && response.getStatus() == 200) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(200).send();
        SipSession other = bye.getB2buaHelper().getLinkedSession(bye.getSession());
        if (other != null) {
            other.createRequest("BYE").send();
        }
    }
}

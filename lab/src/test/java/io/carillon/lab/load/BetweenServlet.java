package io.carillon.lab.load;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;

/** By the user part of the Request-URI a record-routing proxy or a back-to-back user agent. */
public class BetweenServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        boolean proxied =
                ((SipURI) request.getRequestURI()).getUser() != null
                        && ((SipURI) request.getRequestURI()).getUser().equals("proxy");
        switch (request.getMethod()) {
            case "ACK" -> acknowledge(request);
            case "CANCEL" -> {}
            default -> {
                if (!request.isInitial()) {
                    relay(request);
                } else if (proxied) {
                    proxy(request);
                } else {
                    begin(request);
                }
            }
        }
    }

    private static void proxy(SipServletRequest request) throws ServletException {
        try {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(false);
            proxy.proxyTo(request.getRequestURI());
        } catch (TooManyHopsException e) {
            throw new ServletException(e);
        }
    }

    private static void begin(SipServletRequest request) throws ServletException, IOException {
        try {
            SipServletRequest leg = request.getB2buaHelper().createRequest(request, true, null);
            leg.setRequestURI(request.getRequestURI());
            leg.send();
        } catch (TooManyHopsException e) {
            throw new ServletException(e);
        }
    }

    private static void relay(SipServletRequest request) throws IOException {
        B2buaHelper helper = request.getB2buaHelper();
        SipSession other = helper.getLinkedSession(request.getSession());
        if (other != null) {
            helper.createRequest(other, request, null).send();
        }
    }

    private static void acknowledge(SipServletRequest ack) throws IOException {
        B2buaHelper helper = ack.getB2buaHelper();
        SipSession other = helper.getLinkedSession(ack.getSession());
        if (other == null) {
            return;
        }
        for (SipServletMessage m : helper.getPendingMessages(other, UAMode.UAC)) {
            if (m instanceof SipServletResponse response && response.getStatus() == 200) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        if (response.getProxy() != null) {
            return;
        }
        SipServletRequest original =
                response.getRequest()
                        .getB2buaHelper()
                        .getLinkedSipServletRequest(response.getRequest());
        if (original != null && !original.isCommitted()) {
            original.createResponse(response.getStatus()).send();
        }
    }
}

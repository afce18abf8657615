package io.carillon.examples.callblocking;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.TooManyHopsException;

/**
 * Refuses what the {@link Blocklist} names, and passes everything else on to its Request-URI.
 *
 * <p>It does not look at who its subscriber is: a rule names caller and called, so it serves in the
 * originating region (nobody may call premium numbers) as in the terminating one (bob is not to be
 * called by mallory).
 */
public class CallBlockingServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    /** RFC 5079: the caller is told that the call may come through with an identity. */
    private static final int ANONYMITY_DISALLOWED = 433;

    private transient Blocklist blocklist;
    private boolean recordRoute;

    @Override
    public void init() throws ServletException {
        blocklist = Blocklist.of(getServletContext());
        String text = getServletContext().getInitParameter("record-route");
        recordRoute = text == null || Boolean.parseBoolean(text.trim());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()
                || request.getMethod().equals("CANCEL")
                || request.getMethod().equals("ACK")) {
            return; // the container forwards what belongs to a proxied call
        }
        if (request.getHeader("Route") != null) {
            // It would go to a place of the caller's choice, whomever the list protects.
            request.createResponse(SipServletResponse.SC_FORBIDDEN).send();
            return;
        }
        switch (blocklist.verdict(request)) {
            case BLOCKED:
                request.createResponse(SipServletResponse.SC_FORBIDDEN).send();
                break;
            case ANONYMOUS:
                request.createResponse(ANONYMITY_DISALLOWED, "Anonymity Disallowed").send();
                break;
            default:
                pass(request);
        }
    }

    private void pass(SipServletRequest request) {
        try {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(recordRoute);
            proxy.setSupervised(false);
            proxy.proxyTo(request.getRequestURI());
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }
}

package io.carillon.examples.proxy;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;

/**
 * A record-routing proxy: it stays on the path of the call and forwards whatever belongs to it.
 *
 * <p>A request goes to the {@code next-hop} of the context parameters, or else to its own
 * Request-URI when that is not this server. With a next hop, a request whose sender routes it
 * elsewhere is refused. Later requests of the call follow its route set without any code here.
 *
 * <p>Compiled against the SIP Servlet API alone; declared non-blocking in sip.xml.
 */
public class ProxyServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private transient NextHop nextHop;

    @Override
    public void init() throws ServletException {
        nextHop = new NextHop(getServletContext());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()
                || request.getMethod().equals("CANCEL")
                || request.getMethod().equals("ACK")) {
            return; // the container forwards what belongs to a proxied call
        }
        if (nextHop.passedBy(request)) {
            request.createResponse(SipServletResponse.SC_FORBIDDEN).send();
            return;
        }
        SipURI target = nextHop.of(request);
        if (target == null) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            return;
        }
        try {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.setSupervised(false);
            proxy.proxyTo(target);
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }
}

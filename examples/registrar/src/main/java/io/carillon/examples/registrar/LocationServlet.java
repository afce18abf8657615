package io.carillon.examples.registrar;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;
import javax.sql.DataSource;

/** Sends a request for an address of record to all of its contacts at once. */
public class LocationServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    @Resource private transient DataSource database;
    @Resource private transient SipFactory factory;
    private transient Bindings bindings;

    @Override
    public void init() throws ServletException {
        try {
            bindings = new Bindings(database);
        } catch (SQLException e) {
            throw new ServletException("bindings: " + e.getMessage(), e);
        }
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()
                || request.getMethod().equals("CANCEL")
                || request.getMethod().equals("ACK")) {
            return; // the container forwards what belongs to a proxied call
        }
        String aor = Binding.addressOfRecord(request.getRequestURI());
        if (aor == null) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            return;
        }
        try {
            List<Binding> found = bindings.of(aor, System.currentTimeMillis());
            if (found.isEmpty()) {
                request.createResponse(SipServletResponse.SC_TEMPORARILY_UNAVAILABLE).send();
            } else {
                fork(request, found);
            }
        } catch (SQLException e) {
            log("bindings of " + aor + ": " + e.getMessage());
            request.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
        } catch (TooManyHopsException e) {
            log("too many hops for call " + request.getCallId());
        }
    }

    private void fork(SipServletRequest request, List<Binding> found)
            throws ServletException, TooManyHopsException {
        List<URI> targets = new ArrayList<>();
        for (Binding one : found) {
            targets.add(factory.createURI(one.contact));
        }
        Proxy proxy = request.getProxy();
        proxy.setParallel(true);
        proxy.setRecordRoute(true);
        proxy.setSupervised(false);
        List<ProxyBranch> branches = proxy.createProxyBranches(targets);
        for (int i = 0; i < branches.size(); i++) {
            // RFC 3327 5.3: the path of the registration is the route of the request.
            List<String> path = found.get(i).path;
            for (int hop = path.size() - 1; hop >= 0; hop--) {
                branches.get(i).getRequest().pushRoute(factory.createAddress(path.get(hop)));
            }
        }
        proxy.startProxy();
    }
}

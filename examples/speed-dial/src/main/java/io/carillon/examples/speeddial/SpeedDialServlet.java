package io.carillon.examples.speeddial;

import java.io.IOException;
import java.util.function.Predicate;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.URI;

/**
 * Dials the full address for a short number, each caller's own: a service of the originating
 * subscriber. It leaves the path at once, for it has nothing to do with the rest of the call.
 */
public class SpeedDialServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private transient Numbers numbers;
    private transient Predicate<String> hosts = host -> true;

    @Override
    public void init() throws ServletException {
        numbers = Numbers.of(getServletContext());
        String which = getServletContext().getInitParameter("hosts");
        hosts = hosts(which == null ? "any" : which.trim());
    }

    /**
     * At which hosts numbers are dialled: at any, as where a proxy before this one writes the
     * hosts; or at those of the server alone, so that who dials at a host of his own does not hear
     * the names behind numbers.
     */
    @SuppressWarnings("unchecked") // as the container documents it
    private Predicate<String> hosts(String which) throws ServletException {
        if (which.equals("any")) {
            return host -> true;
        }
        Object own = getServletContext().getAttribute("io.carillon.own-host");
        if (!which.equals("own") || own == null) {
            throw new ServletException("hosts must be any or own, not '" + which + "'");
        }
        return (Predicate<String>) own;
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!request.isInitial()
                || request.getMethod().equals("CANCEL")
                || request.getMethod().equals("ACK")) {
            return; // the container forwards what belongs to a proxied call
        }
        if (request.getHeader("Route") != null) {
            // A proxy of the caller's choice would hear what stands behind a number.
            request.createResponse(SipServletResponse.SC_FORBIDDEN).send();
            return;
        }
        URI dialled = request.getRequestURI();
        URI target =
                dialled.isSipURI() && hosts.test(((SipURI) dialled).getHost())
                        ? numbers.find(caller(request), (SipURI) dialled)
                        : null;
        if (target == null) {
            request.createResponse(SipServletResponse.SC_NOT_FOUND).send();
            return;
        }
        try {
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(false);
            proxy.setSupervised(false);
            proxy.proxyTo(target);
        } catch (TooManyHopsException answered) {
            // The container has sent 483; strangers shall not fill the log with it.
        }
    }

    /**
     * The user who proved to be one, where sip.xml asks for that; else From, which is good enough
     * to choose a number and for nothing more.
     */
    private static String caller(SipServletRequest request) {
        if (request.getRemoteUser() != null) {
            return request.getRemoteUser();
        }
        URI from = request.getFrom().getURI();
        return from.isSipURI() ? ((SipURI) from).getUser() : null;
    }
}

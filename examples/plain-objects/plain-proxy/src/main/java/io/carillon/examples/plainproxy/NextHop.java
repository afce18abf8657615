package io.carillon.examples.plainproxy;

import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;

/**
 * Where calls go: the configured next hop, or the Request-URI where that is not our own address.
 */
final class NextHop {
    private final SipURI configured;
    private final List<?> own;

    NextHop(ServletContext context) throws ServletException {
        SipFactory factory = (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY);
        String hop = context.getInitParameter("next-hop");
        own = (List<?>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES);
        try {
            configured = hop == null ? null : (SipURI) factory.createURI(hop.trim());
        } catch (ServletParseException | ClassCastException e) {
            throw new ServletException("next-hop must be a SIP URI, not '" + hop + "'", e);
        }
    }

    /** Does a Route of its sender's lead past the configured next hop? */
    boolean passedBy(SipServletRequest request) {
        return configured != null && request.getHeader("Route") != null;
    }

    /** The URI to send the request to, or null where it would only come back to this server. */
    SipURI of(SipServletRequest request) {
        if (!request.getRequestURI().isSipURI()) {
            return null;
        }
        SipURI target = (SipURI) request.getRequestURI().clone();
        if (configured != null) {
            target.setHost(configured.getHost());
            target.setPort(configured.getPort());
            // RFC 3261 19.1.1: maddr is "overriding any address derived from the host field".
            for (String name : List.of("maddr", "ttl", "transport")) {
                target.removeParameter(name);
                if (configured.getParameter(name) != null) {
                    target.setParameter(name, configured.getParameter(name));
                }
            }
        }
        String address = address(target);
        return own.stream().anyMatch(mine -> address((SipURI) mine).equals(address))
                ? null
                : target;
    }

    private static String address(SipURI uri) {
        String host = uri.getHost().equalsIgnoreCase("localhost") ? "127.0.0.1" : uri.getHost();
        return host + ' ' + (uri.getPort() > 0 ? uri.getPort() : uri.isSecure() ? 5061 : 5060);
    }
}

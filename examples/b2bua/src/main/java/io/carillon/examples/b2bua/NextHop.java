package io.carillon.examples.b2bua;

import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;

/**
 * Where calls go: the configured next hop, or the Request-URI where that is another address than
 * our own.
 */
final class NextHop {
    private final SipURI configured;
    private final List<?> own;

    private NextHop(SipURI configured, List<?> own) {
        this.configured = configured;
        this.own = own;
    }

    static NextHop of(ServletContext context) throws ServletException {
        SipFactory factory = (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY);
        String text = context.getInitParameter("next-hop");
        try {
            SipURI hop =
                    text == null || text.trim().isEmpty()
                            ? null
                            : (SipURI) factory.createURI(text.trim());
            return new NextHop(hop, (List<?>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES));
        } catch (ServletParseException | ClassCastException e) {
            throw new ServletException(
                    "next-hop must be a SIP URI such as sip:127.0.0.1:5070, not '" + text + "'", e);
        }
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
            if (configured.getTransportParam() != null) {
                target.setTransportParam(configured.getTransportParam());
            }
        }
        return isOwn(target) ? null : target;
    }

    private boolean isOwn(SipURI target) {
        for (Object address : own) {
            SipURI mine = (SipURI) address;
            if (host(mine).equals(host(target)) && port(mine) == port(target)) {
                return true;
            }
        }
        return false;
    }

    private static String host(SipURI uri) {
        return uri.getHost().equalsIgnoreCase("localhost") ? "127.0.0.1" : uri.getHost();
    }

    private static int port(SipURI uri) {
        return uri.getPort() > 0 ? uri.getPort() : uri.isSecure() ? 5061 : 5060;
    }
}

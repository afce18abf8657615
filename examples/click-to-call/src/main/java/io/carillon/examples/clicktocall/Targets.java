package io.carillon.examples.clicktocall;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * Who may be called: a page that dials whatever it is told would be a gift to fraudsters. Hosts
 * that {@code allowed} names, and our own SIP listeners; no other port of this machine, as the page
 * is told whether somebody listens there. Immutable.
 */
final class Targets {
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> listeners = new HashSet<>();
    private final SipFactory factory;

    Targets(ServletContext context) {
        factory = (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY);
        for (Object own : (List<?>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES)) {
            listeners.add(place((SipURI) own));
        }
        String more = context.getInitParameter("allowed");
        for (String host : (more == null ? "" : more).trim().split("[\\s,]+")) {
            if (!host.isEmpty()) {
                hosts.add(lower(host));
            }
        }
    }

    /** What somebody typed cannot be called. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        final int status;

        Refused(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    /** The SIP URI that was typed, with or without its scheme. */
    SipURI read(String typed) throws Refused {
        String text = typed == null ? "" : typed.trim();
        if (text.isEmpty() || text.length() > 200) {
            throw new Refused(400, "an address is missing or too long");
        }
        URI uri;
        try {
            uri = factory.createURI(text.matches("(?i)sips?:.*") ? text : "sip:" + text);
        } catch (ServletParseException e) {
            throw new Refused(400, "'" + text + "' is no SIP address");
        }
        if (!(uri instanceof SipURI)) {
            throw new Refused(400, "'" + text + "' is no SIP address");
        }
        SipURI target = (SipURI) uri;
        // Each of these would lead the call elsewhere than the host says, or change what is sent.
        if (target.getMAddrParam() != null
                || target.getMethodParam() != null
                || target.getHeaderNames().hasNext()
                || target.getUserPassword() != null) {
            throw new Refused(
                    400, "an address with maddr, method, password or headers is not taken");
        }
        if (!listeners.contains(place(target)) && !allowed(lower(target.getHost()))) {
            String port = target.getPort() > 0 ? ":" + target.getPort() : "";
            throw new Refused(403, "calls to " + target.getHost() + port + " are not allowed");
        }
        return target;
    }

    /** Transport, host and port that it leads to (RFC 3263 4.1 and 4.2, of an address). */
    private static String place(SipURI uri) {
        String named = uri.getTransportParam();
        String transport = named == null ? uri.isSecure() ? "tls" : "udp" : lower(named);
        if (uri.isSecure() && transport.equals("tcp")) {
            transport = "tls";
        }
        int port = uri.getPort() > 0 ? uri.getPort() : transport.equals("tls") ? 5061 : 5060;
        return transport + ' ' + lower(uri.getHost()) + ' ' + port;
    }

    private boolean allowed(String host) {
        boolean found = hosts.contains(host);
        for (int dot = host.indexOf('.'); !found && dot >= 0; dot = host.indexOf('.', dot + 1)) {
            found = hosts.contains(host.substring(dot));
        }
        return found;
    }

    private static String lower(String host) {
        return host.toLowerCase(Locale.ROOT);
    }
}

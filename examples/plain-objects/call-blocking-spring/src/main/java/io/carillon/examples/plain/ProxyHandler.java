package io.carillon.examples.plain;

import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import jakarta.inject.Inject;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;

/**
 * A record-routing proxy: calls go to the host of the parameter {@code next-hop}, or without it to
 * their Request-URI. The same file runs under Spring and under CDI.
 */
@SipHandler
@NonBlocking
public class ProxyHandler {
    @Inject SipFactory factory;
    @Inject ServletContext context;

    @Invite
    @Initial
    public Plan invite(SipURI called, SipServletRequest request) throws ServletException {
        SipURI target = (SipURI) called.clone();
        String nextHop = context.getInitParameter("next-hop");
        if (nextHop != null) {
            if (request.getHeader("Route") != null) {
                return Plan.respond(403); // its sender's route leads past the next hop
            }
            SipURI hop = (SipURI) factory.createURI(nextHop);
            target.setHost(hop.getHost());
            target.setPort(hop.getPort());
            // RFC 3261 19.1.1: maddr is "overriding any address derived from the host field".
            for (String name : List.of("maddr", "ttl", "transport")) {
                target.removeParameter(name);
                if (hop.getParameter(name) != null) {
                    target.setParameter(name, hop.getParameter(name));
                }
            }
        }
        return Plan.proxy(target).recordingRoute().unsupervised();
    }
}

package io.carillon.examples.plain;

import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import jakarta.inject.Inject;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
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
    public Plan invite(SipURI called) throws ServletException {
        SipURI target = (SipURI) called.clone();
        String nextHop = context.getInitParameter("next-hop");
        if (nextHop != null) {
            SipURI hop = (SipURI) factory.createURI(nextHop);
            target.setHost(hop.getHost());
            target.setPort(hop.getPort());
        }
        return Plan.proxy(target).recordingRoute().unsupervised();
    }
}

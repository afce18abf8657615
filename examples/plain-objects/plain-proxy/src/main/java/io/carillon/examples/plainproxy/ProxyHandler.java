package io.carillon.examples.plainproxy;

import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.NonBlocking;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;

/**
 * The example proxy as a plain object: without a framework, without a servlet. It stays on the path
 * of the call, and the container forwards whatever belongs to it.
 */
@SipHandler
@NonBlocking
public class ProxyHandler {
    private volatile NextHop nextHop;

    @Invite
    @Initial
    public Plan invite(SipServletRequest request, ServletContext context) throws ServletException {
        NextHop known = nextHop;
        if (known == null) {
            known = new NextHop(context);
            nextHop = known; // two at once find the same
        }
        if (known.passedBy(request)) {
            return Plan.respond(403);
        }
        SipURI target = known.of(request);
        return target == null
                ? Plan.respond(404)
                : Plan.proxy(target).recordingRoute().unsupervised();
    }
}

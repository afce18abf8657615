package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.port.NextApplication;
import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.shard.OutgoingRequest;

/**
 * RFC 3261 16.6, Request Forwarding: what becomes of a request of ours on each branch before the
 * core sends it. Functions of the turn's holder.
 */
final class RequestForwarding {
    private RequestForwarding() {}

    /** Hands a branch to the core, which sends it when its time comes. */
    static void begin(
            ServletProxy proxy,
            ResponseContext core,
            ServletProxyBranch branch,
            ProxyPolicy common) {
        ServletRequest request = proxy.request();
        ServletSession session = proxy.session;
        ServletRequest own = branch.preparedRequest();
        io.carillon.sip.proxy.ProxyBranch started;
        if (own != null || request.changed()) {
            MessageDraft prepared = own != null ? own.copyDraft() : request.copyDraft();
            prepared.setRequestUri(RouteSet.requestUri(branch.target()));
            started = core.addBranch(prepared);
        } else {
            started = core.addTarget(branch.target());
        }
        if (started == null) {
            throw new IllegalStateException("no branch can be added any more");
        }
        branch.core(started);
        started.policy(branch.policy(common));
        ProxyHost host = ProxyHost.of(session.host());
        host.leaving(request, started.draft(), proxy.subsequent);
        if (!proxy.subsequent) {
            compose(host, proxy, branch, started);
        }
        if (core.request().topRoute() != null
                && NextHop.bySendersRoute(
                        core.server().shard(),
                        core.request(),
                        core.server().source(),
                        core.routing(),
                        started.draft(),
                        request.initialHop())) {
            if (!proxy.subsequent) {
                NextHop.loosen(core.server().shard(), started.draft());
            }
            if (request.getUserPrincipal() == null) {
                started.repeatedAt(OutgoingRequest.NOWHERE);
            }
        }
    }

    /** JSR 289, 15.4: the router is asked for each branch who is next. */
    private static void compose(
            ProxyHost host,
            ServletProxy proxy,
            ServletProxyBranch branch,
            io.carillon.sip.proxy.ProxyBranch started) {
        ServletRequest request = proxy.request();
        ServletSession session = proxy.session;
        if (host.atEnd(request.getMethod(), session)) {
            return;
        }
        NextApplication onward = host.next(request, session, branch.routerView());
        if (onward.refusal() != 0) {
            started.refuse(onward.refusal());
            return;
        }
        onward.applyTo(started.draft());
        started.hop(onward.hop());
        if (onward.hop() != null) {
            session.path().compose(session.path().depth());
        }
    }

    /**
     * The callee knows the parties as the application renamed them. RFC 3261 8.2.6.2: "The From
     * field of the response MUST equal the From header field of the request." So the caller gets
     * back his own, and the callee's tag.
     *
     * @param received the caller's request
     * @param response on its way to him
     */
    static void restoreParties(ServletRequest request, SipRequest received, MessageDraft response) {
        if (!request.renamed()) {
            return;
        }
        response.setFrom(received.from());
        String tag = response.to().tag();
        NameAddress to = received.to();
        response.setTo(tag == null ? to : to.withTag(tag));
    }
}

package io.carillon.sip.proxy;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.feedback.OcVias;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;

/** The request of a branch as it leaves: RFC 3261 16.6 steps 2 to 7. Stateless. */
final class BranchRequest {
    private BranchRequest() {}

    /**
     * RFC 5630 5.3: "when a proxy receives a request with a SIPS Request-URI, the proxy MUST only
     * forward or retarget the request to a SIPS Request-URI [...] the proxy MUST reject it with a
     * 480 (Temporarily Unavailable) response."
     */
    static boolean leavesSips(SipRequest received, MessageDraft draft) {
        return Sips.is(received.requestUri())
                && draft.requestUri() instanceof SipUri sip
                && !sip.secure();
    }

    /**
     * @param share of the breadth (RFC 5393 5.3)
     * @param user is told what becomes of it
     */
    static OutgoingRequest of(
            ProxyBranch branch, BranchPlan plan, MessageDraft draft, int share, AttemptUser user) {
        ResponseContext context = branch.context();
        SipRequest received = context.request();
        Uri to = draft.requestUri();
        boolean lowered = lower(received, draft);
        countDown(received, draft, share);
        if (received.topVia().hasOverloadControl()) {
            OcVias.strip(draft);
        }
        ProxyPolicy policy = branch.policy();
        OutgoingRequest out =
                new OutgoingRequest(draft, user)
                        .proxied(true)
                        .origin(context.origin())
                        .countedAt(context.server().countedAt())
                        .lookups(context.server())
                        .local(policy.local())
                        .preferred(policy.preferred())
                        .loopHash(LoopDetection.hash(received));
        byFlow(context, received, draft);
        Hop fixed = plan.hop();
        boolean toFlow = fixed == null && FlowRoute.next(draft, context.shard().wire());
        if (fixed != null) {
            out.fixedHop(fixed);
        } else {
            out.repeatedAt(repeats(branch, plan), context.server());
            Uri next = InDialogForwarding.postprocessRoutes(draft);
            out.nextHop(lowered && next == null && !draft.has(HeaderName.ROUTE) ? to : next);
        }
        record(context, policy, out, toFlow);
        return out;
    }

    /**
     * RFC 5630 5.3: "When a proxy receives a request with a SIP Request-URI, the proxy MUST NOT
     * forward the request to a SIPS Request-URI [...] the proxy MUST replace that SIPS scheme with
     * a SIP scheme [...] The proxy MUST use TLS to forward the request to the UAS."
     */
    private static boolean lower(SipRequest received, MessageDraft draft) {
        if (received.requestUri() instanceof SipUri asked
                && !asked.secure()
                && draft.requestUri() instanceof SipUri sips
                && sips.secure()) {
            draft.setRequestUri(sips.withSecure(false));
            return true;
        }
        return false;
    }

    private static void countDown(SipRequest received, MessageDraft draft, int share) {
        // RFC 3261 16.6 step 3: "If the copy contains a Max-Forwards header field, the proxy MUST
        // decrement its value by one (1). If the copy does not contain a Max-Forwards header field,
        // the proxy MUST add one with a field value, which SHOULD be 70."
        int maxForwards = received.maxForwards();
        draft.set(HeaderName.MAX_FORWARDS, maxForwards < 0 ? "70" : Ascii.decimal(maxForwards - 1));
        // RFC 5393 5.3.3: "All proxied requests MUST contain a single Max-Breadth header field
        // value."
        draft.set(HeaderName.MAX_BREADTH, Ascii.decimal(share));
    }

    /** RFC 3261 16.6 step 4, and RFC 3327 for a REGISTER: we stay on the way. */
    private static void record(
            ResponseContext context, ProxyPolicy policy, OutgoingRequest out, boolean toFlow) {
        SipRequest received = context.request();
        String method = received.method();
        boolean record = policy.recordRoute() && RecordRouting.dialogForming(method);
        boolean path = policy.addToPath() && method.equals(Methods.REGISTER);
        if (record || path) {
            Hop source = context.server().source();
            out.decorator(
                    new RecordRouting(
                            context.server(),
                            FlowSides.of(received, source, toFlow),
                            record ? received.callId() : null,
                            path,
                            policy.recordRouteParams(),
                            policy.pathParams()));
        }
    }

    /**
     * Where our timers repeat it. By a flow no more than elsewhere: over UDP a flow is the source
     * of one datagram, which may be forged (RFC 5626 5.3). Who answers 3xx may name a third party
     * as its target: there it leaves once, as long as it is not the address of who redirects.
     */
    private static long repeats(ProxyBranch branch, BranchPlan plan) {
        ProxyBranch from = branch.parent();
        if (plan.repeatedAt() != OutgoingRequest.ANYWHERE || from == null || !branch.byStranger()) {
            return plan.repeatedAt();
        }
        Hop redirecting = from.answeredBy();
        return redirecting == null || redirecting.remote().getAddress() == null
                ? OutgoingRequest.NOWHERE
                : SourceKey.of(redirecting.remote().getAddress());
    }

    /**
     * The route that led here named a flow: the request goes on by it, unless the layer above wants
     * it elsewhere.
     */
    private static void byFlow(ResponseContext context, SipRequest received, MessageDraft draft) {
        RoutePreprocessing routing = context.routing();
        Hop source = context.server().source();
        NameAddress flow =
                routing.popped() == null ? null : routing.flow(received, source, context.shard());
        if (flow == null) {
            return;
        }
        MessageDraft plain = context.newDraft(routing.requestUri());
        // Within a dialog the flow leads to who is meant, whatever the Request-URI was made.
        boolean there = received.toTag() != null || draft.requestUri().equals(plain.requestUri());
        if (there && draft.all(HeaderName.ROUTE).equals(plain.all(HeaderName.ROUTE))) {
            RoutePreprocessing.toFlow(draft, flow);
        }
    }
}

package io.carillon.servlet.kernel;

import io.carillon.servlet.port.NextApplication;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * How a request of an application leaves: from which shard, to which hop, with what in it. Static
 * functions; the turn is held.
 */
final class UacSending {
    private UacSending() {}

    /** The shard that sends it. */
    static Shard from(ServletSession session, ServletRequest request) {
        return request.isInitial()
                ? session.host().shards().of(session.parent().home())
                : session.sendsFrom();
    }

    /**
     * What RFC 3261 12.2.1.1 and the application's session say of it before it leaves.
     *
     * @throws IllegalStateException when the dialog does not allow it now
     */
    static void prepare(ServletSession session, ServletRequest request) {
        if (session.challenges() != null) {
            session.host().hooks().authenticate(session, request);
        }
        if (request.isInitial()) {
            if (request.renamed()) {
                session.dialog().rename(request.fromValue(), request.toValue());
            }
            return;
        }
        String method = request.method();
        Dialog dialog = session.dialog().own();
        if (dialog == null) {
            return;
        }
        if (!dialog.maySend(method, request.getContentLength() > 0)) {
            if (dialog.state() != Dialog.State.TERMINATED) {
                throw new RequestPending(method);
            }
            throw new IllegalStateException("the dialog has ended: " + method + " cannot be sent");
        }
        if (method.equals(Methods.INVITE)
                || method.equals(Methods.UPDATE)
                || method.equals(Methods.PRACK)) {
            dialog.sent((SipRequest) request.freeze());
        }
    }

    /** The session of an initial one is a UAC's from now on. */
    static void first(ServletSession session, ServletRequest request, UacTransaction client) {
        session.dialog().become(SessionDialog.Role.UAC);
        session.dialog().setTarget(request.requestUri());
        if (request.method().equals(Methods.SUBSCRIBE)) {
            // RFC 6665 4.4.1: a NOTIFY may come before the response; it is found by our half of the
            // dialog.
            Subscriber.await(session, client);
        }
    }

    /**
     * Sends it.
     *
     * @param onward where an initial one goes; null for one in a dialog
     */
    static RequestAttempt send(
            ServletSession session,
            ServletRequest request,
            @Nullable NextApplication onward,
            Shard shard,
            AttemptUser user) {
        // On the shard itself it is printed before send returns, unless a name has to be asked for.
        boolean here = shard.executor().inShard();
        MessageDraft draft = here ? request.edit() : request.copyDraft();
        OutgoingRequest out = outgoing(session, draft, user);
        SessionHooks hooks = session.host().hooks();
        session.host()
                .outboundInterfaces()
                .choose(out, session.path().outbound(), session.path().outboundTransport());
        out.keepAlives(hooks.keepsAlive(request));
        if (onward == null) {
            out.nextHop(strictHop(session)).fixedHop(hooks.next(session, draft));
        } else {
            if (onward.hop() != null) {
                session.path().compose(session.path().depth());
            }
            onward.applyTo(draft);
            out.fixedHop(onward.hop());
        }
        Hop inside = out.fixedHop();
        if ((inside == null || !inside.internal()) && !staysHere(shard, out)) {
            hooks.consume(draft, request.known().ownCredentials());
            if (!here) {
                hooks.consume(request.edit(), request.known().ownCredentials());
            }
        }
        RequestAttempt started = shard.send(out);
        if (here) {
            SipRequest left = started.request();
            if (left != null) {
                request.replace(left);
            } else {
                request.unshare();
            }
        }
        return started;
    }

    private static OutgoingRequest outgoing(
            ServletSession session, MessageDraft draft, AttemptUser user) {
        return new OutgoingRequest(draft, user)
                .decorator(session.host().contacts())
                .origin(session.origin())
                .countedAt(session.countedAt());
    }

    /** Do credentials in it go to a listening point of ours, where they may be asked for? */
    private static boolean staysHere(Shard shard, OutgoingRequest out) {
        MessageDraft draft = out.draft();
        if (out.nextHop() != null
                || (!draft.has(HeaderName.AUTHORIZATION)
                        && !draft.has(HeaderName.PROXY_AUTHORIZATION))
                || FlowRoute.next(draft, shard.wire())) {
            return false;
        }
        Uri next =
                draft.has(HeaderName.ROUTE) ? draft.routes().getFirst().uri() : draft.requestUri();
        return next instanceof SipUri uri
                && uri.maddr() == null
                && shard.wire().isLocal(uri.host(), uri.port());
    }

    private static @Nullable Uri strictHop(ServletSession session) {
        Dialog dialog = session.dialog().own();
        return dialog == null ? null : dialog.strictHop();
    }

    /**
     * RFC 4028 7.3: "The UAC MAY retry the request, ... including a Min-SE header field with the
     * largest of those seen": the same request with the next CSeq, and the application hears
     * nothing of the first.
     *
     * @return null where it is not sent again
     */
    static @Nullable RequestAttempt again(
            ServletSession session,
            ServletRequest request,
            @Nullable RequestAttempt before,
            SipResponse refusal,
            AttemptUser user) {
        Hop hop = before == null ? null : before.hop();
        if (before == null || hop == null || !request.isInitial()) {
            return null;
        }
        MessageDraft draft = session.host().hooks().again(session, request, refusal);
        if (draft == null) {
            return null;
        }
        RequestAttempt next = before.shard().send(outgoing(session, draft, user).fixedHop(hop));
        SipRequest left = next.request();
        if (left != null) {
            request.replace(left);
        }
        return next;
    }

    /**
     * Sends the ACK for a 2xx, of which its dialog has known since it was made.
     *
     * @param invite what got the 2xx
     */
    static void acknowledge(ServletSession session, ServletRequest ack, UacTransaction invite) {
        session.touch();
        RequestAttempt accepted = invite.attempt();
        if (accepted == null) {
            return;
        }
        boolean here = accepted.shard().executor().inShard();
        MessageDraft draft = here ? ack.edit() : ack.copyDraft();
        Hop next = session.host().hooks().next(session, draft);
        accepted.acknowledge(draft, strictHop(session), next, HopDecorator.NONE);
        if (here && !draft.has(HeaderName.VIA)) {
            ack.unshare(); // printed later, when its hop is known
        }
        invite.request().pack();
    }
}

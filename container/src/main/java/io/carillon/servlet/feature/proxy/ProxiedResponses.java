package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.DerivedSession;
import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import javax.servlet.sip.SipSession;

/** What responses that pass make of proxied dialogs. With the turn held. */
final class ProxiedResponses {
    private ProxiedResponses() {}

    /**
     * State and routes follow a response that passes.
     *
     * @return the session that it belongs to: of another dialog, when it is another 2xx
     */
    static ServletSession follow(
            ServletProxy proxy, io.carillon.sip.proxy.ProxyBranch core, SipResponse response) {
        ServletSession session = proxy.session;
        ProxiedDialog dialog = ProxiedDialog.of(session);
        String method = proxy.request().getMethod();
        int status = response.status();
        if (proxy.subsequent) {
            if (dialog != null && status >= 200 && refreshes(method)) {
                refresh(proxy, dialog, core, response);
            }
            return session;
        }
        String tag = response.toTag();
        if (!UasTransaction.makesDialog(method) || tag == null) {
            return session;
        }
        ServletSession own = session;
        if (dialog != null) {
            if (dialog.belongsToOther(tag)) {
                if (status < 200) {
                    return session;
                }
                if (session.host().refusesFurther(session.parent(), session.countedAt())) {
                    // It goes on without a session, as one of too many forks does.
                    session.host().counters().refusedAddresses.increment();
                    return session;
                }
                // A second 2xx: another dialog, another session (SIP Servlet 1.1, 6.2.3.2).
                own = DerivedSession.of(session, tag);
                dialog = new ProxiedDialog(own, proxy);
                own.dialog().begin(dialog);
            }
            dialog.answered(response, core);
        }
        DialogLife.enter(own, status < 200 ? SipSession.State.EARLY : SipSession.State.CONFIRMED);
        return own;
    }

    /** RFC 3261 12.2.1.2: each end may give another target. */
    private static void refresh(
            ServletProxy proxy,
            ProxiedDialog dialog,
            io.carillon.sip.proxy.ProxyBranch core,
            SipResponse response) {
        SipRequest received = proxy.server().received();
        boolean byCaller = dialog.fromCaller(received);
        if (TargetRefresh.isOf(proxy, dialog, received)) {
            dialog.refreshed(byCaller, received.contact());
        } // else the other end may have sent it in this one's name
        if (DialogEnds.isOf(dialog, !byCaller, core)) {
            dialog.refreshed(!byCaller, response.contact());
        } // else whoever was named by the sender alone has answered
    }

    /** RFC 3261 12.2, RFC 3311 5, RFC 6665 4, RFC 3515 2.4: requests that bring another target. */
    private static boolean refreshes(String method) {
        return switch (method) {
            case Methods.INVITE, Methods.UPDATE, Methods.SUBSCRIBE, Methods.NOTIFY, Methods.REFER ->
                    true;
            default -> false;
        };
    }
}

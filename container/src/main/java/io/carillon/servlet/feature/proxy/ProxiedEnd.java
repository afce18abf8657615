package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.message.Methods;
import javax.servlet.sip.SipSession;

/** What the final response that a proxy passes on leaves of its session. With the turn held. */
final class ProxiedEnd {
    private ProxiedEnd() {}

    /**
     * @param status 0 where none was passed on
     * @param subsequent whether the request came within a dialog
     */
    static void follow(ServletSession session, String method, int status, boolean subsequent) {
        boolean success = status >= 200 && status < 300;
        if (method.equals(Methods.BYE) && status != 401 && status != 407) {
            if (session.dialog().keptBySubscriptions()) {
                DialogLife.hungUp(session);
                return;
            }
            DialogLife.enter(session, SipSession.State.TERMINATED);
        } else if (!subsequent
                && (session.dialog().proxied() == null
                        || (!success && UasTransaction.makesDialog(method)))) {
            DialogLife.enter(session, SipSession.State.TERMINATED);
        }
    }
}

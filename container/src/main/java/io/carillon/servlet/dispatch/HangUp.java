package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionDialog;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.message.Methods;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import org.jspecify.annotations.Nullable;

/**
 * Ends one call because an operator wants it, as {@link CallEnding} ends all of them: BYE to both
 * ends, CANCEL and an answer where it still rings. With the turn held.
 */
public final class HangUp {
    private HangUp() {}

    /**
     * Ends the call.
     *
     * @param status of the answer to a caller who still waits for one
     * @return what was done on each leg, a sentence each; empty when the call has ended before
     */
    public static List<String> of(ApplicationSession call, int status) {
        List<String> done = new ArrayList<>();
        if (!call.isValid()) {
            return done;
        }
        for (ServletSession leg : List.copyOf(call.sessions())) {
            int before = done.size();
            ringing(leg, status, done);
            LegEnding.abandonOpen(leg, status);
            confirmed(leg, done);
            if (done.size() == before) {
                done.add(peer(leg) + ": nothing to end, it is " + word(leg));
            }
        }
        return done;
    }

    private static void ringing(ServletSession leg, int status, List<String> done) {
        for (SipServletMessage open : List.copyOf(leg.open())) {
            if (open instanceof ServletResponse answer) {
                if (answer.getStatus() < 200) {
                    continue; // its INVITE gets the CANCEL
                }
                done.add(peer(leg) + ": its 2xx got ACK and BYE");
            } else if (open instanceof ServletRequest request) {
                ringing(leg, request, status, done);
            }
        }
    }

    private static void ringing(
            ServletSession leg, ServletRequest request, int status, List<String> done) {
        if (!request.getMethod().equals(Methods.INVITE)) {
            return; // it has an end of its own, within 64*T1
        }
        if (!request.incoming()) {
            done.add(peer(leg) + ": CANCEL");
        } else if (leg.dialog().role() == SessionDialog.Role.PROXY) {
            Proxy proxy = proxyOf(request);
            if (proxy != null && leg.dialog().proxied() == null) {
                proxy.cancel();
                done.add(peer(leg) + ": CANCEL to everybody who was called");
            }
        } else {
            UasTransaction server = request.uas();
            if (server != null && !server.finalSent()) {
                done.add(peer(leg) + ": " + status);
            }
        }
    }

    private static @Nullable Proxy proxyOf(ServletRequest request) {
        try {
            return request.getProxy(false);
        } catch (TooManyHopsException | IllegalStateException e) {
            return null; // then it has no branches that could be cancelled
        }
    }

    private static void confirmed(ServletSession leg, List<String> done) {
        if (leg.dialog().state() != SipSession.State.CONFIRMED
                || leg.dialog().refuses(Methods.BYE)) {
            return;
        }
        if (leg.dialog().proxied() != null) {
            done.add(
                    peer(leg)
                            + ": nothing was sent; the call goes through a proxy here, and only its"
                            + " ends can end it");
            return;
        }
        Dialog dialog = leg.dialog().own();
        if (dialog != null && dialog.state() != Dialog.State.TERMINATED) {
            LegEnding.bye(leg);
            done.add(peer(leg) + ": BYE");
        }
    }

    private static String peer(ServletSession leg) {
        return leg.dialog().remote().uri().toString();
    }

    private static String word(ServletSession leg) {
        return leg.dialog().state().name().toLowerCase(Locale.ROOT);
    }
}

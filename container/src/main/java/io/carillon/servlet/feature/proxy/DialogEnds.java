package io.carillon.servlet.feature.proxy;

import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * Which end of a dialog has said something that passes a proxy of ours? Both ends know both tags:
 * they tell the dialog, and not the end. Functions; with the turn held.
 */
final class DialogEnds {
    private DialogEnds() {}

    /**
     * A response to a request in the dialog came. It is that end's where the request went to that
     * end: each end may send through us to whomever it likes, also to itself.
     */
    static void answered(
            ProxiedDialog dialog, boolean caller, io.carillon.sip.proxy.ProxyBranch branch) {
        if (isOf(dialog, caller, branch)) {
            dialog.heard(caller, hop(branch));
        }
    }

    /** Has that end answered the branch, and nobody whom only the sender has named? */
    static boolean isOf(
            ProxiedDialog dialog, boolean caller, io.carillon.sip.proxy.ProxyBranch branch) {
        Hop hop = hop(branch);
        if (hop != null && (hop.internal() || isAt(dialog, caller, hop))) {
            return true; // what is between us and that end, if it is ours, asks the same
        }
        Uri asked = branch.target();
        SipRequest sent = branch.request();
        NameAddress top = sent == null ? null : sent.topRoute();
        return dialog.isTarget(!caller, asked)
                && (top == null || dialog.leadsTo(!caller, top.uri()));
    }

    /** Is that the address where that end was heard, or where the first request came from? */
    static boolean isAt(ProxiedDialog dialog, boolean caller, Hop hop) {
        long from = EndPlaces.source(hop);
        return from != 0
                && (caller
                        ? from == dialog.places.caller || dialog.session.path().isPeerAt(hop)
                        : from == dialog.places.callee);
    }

    /** Where the branch went. */
    static @Nullable Hop hop(io.carillon.sip.proxy.ProxyBranch branch) {
        RequestAttempt attempt = branch.attempt();
        return attempt == null ? null : attempt.hop();
    }
}

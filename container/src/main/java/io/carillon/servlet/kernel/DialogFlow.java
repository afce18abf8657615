package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.FlowSides;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RFC 5626: a dialog that began over a flow goes on over it. */
final class DialogFlow {
    private DialogFlow() {}

    /** The dialog of a request of ours, which left by that attempt. */
    static Dialog reached(Dialog dialog, @Nullable RequestAttempt by) {
        NameAddress flow = by == null ? null : by.flowRoute();
        if (flow != null) {
            dialog.reachedBy(flow, false);
        }
        return dialog;
    }

    /**
     * RFC 5626 4.3: the Contact of a user agent that can be reached over its flow only has {@code
     * ob}. Without a proxy between us the flow is the one by which the request came. So it is for a
     * GRUU, as a browser's phone writes it: the URI leads to the registrar of its domain.
     *
     * @param printed the response that begins the dialog
     */
    static void reach(Dialog dialog, ServerTransaction transaction, SipResponse printed) {
        Hop source = transaction.source();
        SipRequest received = transaction.request();
        NameAddress contact = received.contact();
        NameAddress own = printed.contact();
        if (contact == null
                || own == null
                || source.internal()
                || received.has(HeaderName.RECORD_ROUTE)
                || !(contact.uri() instanceof SipUri theirs)
                || !FlowSides.byFlow(received, source, theirs)
                || !(own.uri() instanceof SipUri ours)) {
            return;
        }
        NameAddress route =
                FlowRoute.through(ours, source, transaction.shard().config().flowTokens());
        if (route != null) {
            dialog.reachedBy(route, false);
        }
    }

    /**
     * RFC 3261 12.2.2: a target refresh says where the peer is from now on. Whoever has no address
     * but his connection is where the request came from: a browser keeps its name in Contact (RFC
     * 7118 B.1) when it connects from another network, and the phone with {@code ob} its address.
     *
     * @param printed the 2xx
     */
    static void moved(Dialog dialog, ServerTransaction transaction, SipResponse printed) {
        SipRequest received = transaction.request();
        Hop source = transaction.source();
        if (!source.transport().reliable()
                || source.internal()
                || !Dialog.refreshes(received.method())
                || received.count(HeaderName.VIA) != 1
                || !onlyByConnection(dialog, source, transaction.shard().wire())) {
            return;
        }
        NameAddress own = printed.contact();
        NameAddress route =
                own != null && own.uri() instanceof SipUri ours
                        ? FlowRoute.through(ours, source, transaction.shard().config().flowTokens())
                        : null;
        if (route != null && !List.of(route).equals(dialog.routeSet())) {
            dialog.reachedBy(route, true);
        }
    }

    private static boolean onlyByConnection(Dialog dialog, Hop source, Wire wire) {
        List<NameAddress> routes = dialog.routeSet();
        return routes.isEmpty()
                ? source.transport().webSocket()
                        && dialog.remoteTarget() instanceof SipUri theirs
                        && ViaRules.nowhere(theirs.host())
                : routes.size() == 1 && FlowRoute.token(routes.getFirst(), wire) != null;
    }
}

package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.FlowSides;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.SipUri;
import org.jspecify.annotations.Nullable;

/** RFC 5626: a dialog that began over a flow goes on over it. */
final class DialogFlow {
    private DialogFlow() {}

    /** The dialog of a request of ours, which left by that attempt. */
    static Dialog reached(Dialog dialog, @Nullable RequestAttempt by) {
        NameAddress flow = by == null ? null : by.flowRoute();
        if (flow != null) {
            dialog.reachedBy(flow);
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
            dialog.reachedBy(route);
        }
    }
}

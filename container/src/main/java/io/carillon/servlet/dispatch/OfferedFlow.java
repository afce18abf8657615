package io.carillon.servlet.dispatch;

import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * RFC 5626 6: "If the UAC has a direct flow with the registrar, the registrar MUST store enough
 * information to uniquely identify the network flow over which the request arrived." A REGISTER
 * that comes straight from its user agent has an attribute with the URI that stands for its flow;
 * an application that pushes it as a Route reaches the user agent by it. Stateless; on the shard.
 */
final class OfferedFlow {
    /** A SipURI. */
    private static final String ATTRIBUTE = "io.carillon.flow";

    private OfferedFlow() {}

    /**
     * @param came where the container got the request; null when an application made it
     * @param visited how many applications of ours passed it on
     */
    static void offer(
            Shard shard,
            ServletRequest request,
            SipRequest received,
            @Nullable Hop came,
            int visited) {
        if (came == null || came.internal() || received.vias().size() > visited + 1) {
            return;
        }
        String text = FlowRoute.uri(shard.config().flowTokens(), shard.wire(), came, false);
        if (text == null) {
            return;
        }
        try {
            request.setAttribute(ATTRIBUTE, Addresses.free(Uri.parse(text)));
        } catch (SipParseException e) {
            throw new IllegalStateException("a URI of ours: " + text, e);
        }
    }
}

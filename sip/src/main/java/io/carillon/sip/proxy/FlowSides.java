package io.carillon.sip.proxy;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;

/**
 * On which sides of a request that is forwarded a flow has to be remembered in Record-Route and
 * Path (RFC 5626 5.1 and 5.3). Immutable.
 *
 * @param firstHop nobody stands between us and the user agent that sent the request
 * @param client and its later requests can be sent to it by this flow only
 * @param target the request itself leaves by a flow
 */
public record FlowSides(boolean firstHop, boolean client, boolean target) {
    private static final FlowSides NONE = new FlowSides(false, false, false);
    private static final FlowSides FIRST = new FlowSides(true, false, false);

    static FlowSides of(SipRequest received, Hop source, boolean toFlow) {
        // 5.1: "The edge proxy can determine if it is the first hop by examining the Via header
        // field."
        boolean first = !source.internal() && oneVia(received);
        boolean client = first && onlyByFlow(received, source);
        if (!client && !toFlow) {
            return first ? FIRST : NONE;
        }
        return new FlowSides(first, client, toFlow);
    }

    /**
     * Can the user agent that began a dialog with us be reached by this flow only? One under
     * .invalid is found by its name (RFC 7118 B.1), also after it has connected again.
     *
     * @param source where the request came from
     * @param contact its Contact
     */
    public static boolean byFlow(SipRequest received, Hop source, SipUri contact) {
        if (contact.hasParam("ob")) {
            return true;
        }
        return !contact.host().endsWith(".invalid")
                && oneVia(received)
                && onlyByFlow(received, source);
    }

    private static boolean oneVia(SipRequest request) {
        int first = request.find(HeaderName.VIA, 0);
        return request.find(HeaderName.VIA, first + 1) < 0
                && Ascii.indexOf(
                                request.bytes(),
                                request.valueStart(first),
                                request.valueEnd(first),
                                ',')
                        < 0;
    }

    private static boolean onlyByFlow(SipRequest request, Hop source) {
        if (source.transport() == Transport.WS || source.transport() == Transport.WSS) {
            // RFC 7118 5: a WebSocket client "cannot listen for incoming connections".
            return true;
        }
        NameAddress contact = request.contact();
        if (contact == null || contact.wildcard() || !(contact.uri() instanceof SipUri uri)) {
            return false;
        }
        // 5.3.2: "the edge proxy can use the presence of the "ob" URI parameter in the UAC's
        // Contact URI". RFC 5627: a GRUU leads to the proxy of its domain, not to its user agent.
        // RFC 2606: nobody has a name under .invalid.
        return uri.hasParam("ob")
                || uri.hasParam("gr")
                || uri.host().endsWith(".invalid")
                || ownConnection(source, uri);
    }

    /**
     * RFC 5923 9: requests to an address do not go over a connection of TLS that somebody opened
     * from there, unless he proved a domain that they are for. But who names the end of his own
     * connection is reached by it: there he is, and nowhere else.
     */
    private static boolean ownConnection(Hop source, SipUri contact) {
        return source.transport() == Transport.TLS
                && contact.port() == source.remote().getPort()
                && contact.host().equals(source.remoteHost());
    }
}

package io.carillon.servlet.port;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The Contact of ours for each way. A few strings serve all messages: remembered by way, replaced
 * as ways change.
 */
public final class Contacts implements HopDecorator {
    /** Stands in a request until its hop is known; what an application adds to it is kept. */
    public static final String OPEN = "<sip:0.0.0.0>";

    private record Known(HostPort sentBy, Transport transport, boolean sips, String text) {}

    private volatile Known last = new Known(new HostPort("", -1), Transport.UDP, false, "");

    /** On the shard's thread: our Contact in an answer to a request that came by that hop. */
    public String of(Shard shard, SipRequest request, Hop from) {
        InetSocketAddress local = from.local();
        return text(
                shard.wire().sentBy(from.transport(), local, from.remote()),
                shard.wire().reachable(from.transport(), from.remote()),
                from.transport().secure() && Sips.asksOfAnswer(request));
    }

    private String text(HostPort sentBy, Transport transport, boolean sips) {
        Known known = last;
        if (known.transport == transport && known.sips == sips && known.sentBy.equals(sentBy)) {
            return known.text;
        }
        String parameter = parameter(transport, sips);
        String text =
                (sips ? "<sips:" : "<sip:")
                        + sentBy
                        + (parameter == null ? ">" : ";transport=" + parameter + ">");
        last = new Known(sentBy, transport, sips, text);
        return text;
    }

    /**
     * The transport parameter; null where it would say nothing. A sips URI means TLS without one
     * (RFC 5630 3.1.4), and WebSocket inside TLS with "ws" (RFC 7118 5.5).
     */
    private static @Nullable String parameter(Transport transport, boolean sips) {
        if (sips) {
            return transport.webSocket() ? "ws" : null;
        }
        return transport == Transport.UDP ? null : transport.parameter();
    }

    /** A host name, a port and a transport take the place of what stands there. */
    @Override
    public int mostBytes() {
        return 320;
    }

    /** Puts the way into the Contact of a request of ours. */
    @Override
    public void decorate(MessageDraft draft, Hop hop, HostPort sentBy) {
        decorate(draft, hop, sentBy, hop.transport());
    }

    @Override
    public void decorate(MessageDraft draft, Hop hop, HostPort sentBy, Transport back) {
        String open = draft.get(HeaderName.CONTACT);
        if (open == null) {
            return;
        }
        boolean sips = hop.transport().secure() && Sips.asksOfContact(draft);
        if (open.equals(OPEN)) {
            draft.set(HeaderName.CONTACT, text(sentBy, back, sips));
            return;
        }
        if (!open.contains("0.0.0.0")) {
            return;
        }
        try {
            NameAddress contact = NameAddress.parse(open);
            if (contact.uri() instanceof SipUri uri) {
                SipUri here = uri.withHost(sentBy.host()).withPort(sentBy.port()).withSecure(sips);
                String parameter = parameter(back, sips);
                if (parameter != null) {
                    here = here.withParam("transport", parameter);
                }
                draft.set(HeaderName.CONTACT, contact.withUri(here).toString());
            }
        } catch (SipParseException e) {
            throw new IllegalStateException("the Contact of a request of ours: " + open, e);
        }
    }
}

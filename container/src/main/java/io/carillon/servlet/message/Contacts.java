package io.carillon.servlet.message;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.HopDecorator;
import io.carillon.sip.stack.HostPort;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;

/**
 * The Contact of ours for each way. A few strings serve all messages: remembered by way, replaced
 * as ways change.
 */
public final class Contacts implements HopDecorator {
    /** Stands in a request until its hop is known; what an application adds to it is kept. */
    static final String OPEN = "<sip:0.0.0.0>";

    private record Known(HostPort sentBy, Transport transport, String text) {}

    private volatile Known last = new Known(new HostPort("", -1), Transport.UDP, "");

    /** On the shard's thread: our Contact for a peer that sent by that hop. */
    String of(Shard shard, Hop from) {
        InetSocketAddress local = from.local();
        return text(
                shard.wire().sentBy(from.transport(), local, from.remote()),
                shard.wire().reachable(from.transport(), from.remote()));
    }

    private String text(HostPort sentBy, Transport transport) {
        Known known = last;
        if (known.transport == transport && known.sentBy.equals(sentBy)) {
            return known.text;
        }
        String text =
                transport == Transport.UDP
                        ? "<sip:" + sentBy + ">"
                        : "<sip:" + sentBy + ";transport=" + transport.parameter() + ">";
        last = new Known(sentBy, transport, text);
        return text;
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
        if (open.equals(OPEN)) {
            draft.set(HeaderName.CONTACT, text(sentBy, back));
            return;
        }
        if (!open.contains("0.0.0.0")) {
            return;
        }
        try {
            NameAddress contact = NameAddress.parse(open);
            if (contact.uri() instanceof SipUri uri) {
                SipUri here = uri.withHost(sentBy.host()).withPort(sentBy.port());
                if (back != Transport.UDP) {
                    here = here.withParam("transport", back.parameter());
                }
                draft.set(HeaderName.CONTACT, contact.withUri(here).toString());
            }
        } catch (SipParseException e) {
            throw new IllegalStateException("the Contact of a request of ours: " + open, e);
        }
    }
}

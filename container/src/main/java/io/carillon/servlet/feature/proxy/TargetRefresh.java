package io.carillon.servlet.feature.proxy;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Whose is a target refresh that passes a proxy (RFC 3261 12.2)? Both ends know both tags, so
 * either could send one in the other's name and so have us lead to whomever it likes. Functions;
 * with the turn held.
 */
final class TargetRefresh {
    private TargetRefresh() {}

    /**
     * Is it from the end whose tag it has? So it is from where that end was heard, and from whom
     * the operator trusts; from the caller also with his credentials. Who has moved is believed
     * that he is where a connection of his comes from. A datagram, whose source may be forged,
     * leads no further than to the host of before and to its source.
     */
    static boolean isOf(ServletProxy proxy, ProxiedDialog dialog, SipRequest received) {
        boolean byCaller = dialog.fromCaller(received);
        Hop source = proxy.server().transaction().source();
        if (source.internal() || NextHop.trusted(proxy.server().transaction().shard(), source)) {
            return true; // the application of ours that is next to that end asks
        }
        if (byCaller && proxy.session.path().hasProvenCaller()) {
            return proxy.request().known().caller() != null;
        }
        SipUri contact = contact(received);
        if (contact == null) {
            return false;
        }
        boolean there = isSource(contact, source);
        if (source.transport().reliable()) {
            return there || DialogEnds.isAt(dialog, byCaller, source);
        }
        return DialogEnds.isAt(dialog, byCaller, source)
                && (there || sameHost(dialog.target(!byCaller), contact));
    }

    private static @Nullable SipUri contact(SipRequest received) {
        NameAddress contact = received.contact();
        return contact != null && !contact.wildcard() && contact.uri() instanceof SipUri uri
                ? uri
                : null;
    }

    private static boolean isSource(SipUri contact, Hop source) {
        InetAddress named = literal(contact.host());
        InetAddress from = source.remote().getAddress();
        return contact.maddr() == null
                && named != null
                && from != null
                && SourceKey.of(named) == SourceKey.of(from);
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    private static boolean sameHost(@Nullable Uri before, SipUri contact) {
        return before instanceof SipUri known
                && contact.maddr() == null
                && known.maddr() == null
                && known.host().equalsIgnoreCase(contact.host());
    }
}

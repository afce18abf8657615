package io.carillon.sip.shard;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds requests that a proxy or back-to-back user agent of ours has sent to ourselves by the wire,
 * and where what they are copies of came in first: {@link Hop.CameBack}.
 *
 * <p>Stateless; on the shard's thread.
 */
public final class SelfSent {
    /** Parameter of our Via: the source, in characters of a token. */
    private static final String MARK = "cb";

    /** RFC 3261 16.6 step 8: each proxy that it passed has left a Via; our own ones come first. */
    private static final int MOST_OWN = 70;

    /** Knows what we have sent. */
    public interface Sent {
        /**
         * Where the request came in that this one is a copy of, as long as that which we sent waits
         * for its final response; null when that is not known.
         */
        @Nullable Hop began(SipRequest received);
    }

    private SelfSent() {}

    /**
     * The hop of a new request, with what it is a copy of beside it where it is one of ours.
     *
     * @param top its topmost Via, as it came
     */
    public static Hop seen(ShardCore core, Sent sent, SipRequest request, Via top, Hop from) {
        String branch = top.branch();
        if (from.internal()
                || from.beside() == Hop.FROM_OUTSIDE
                || branch == null
                || !core.config().tokens().begins(branch)
                || !fromHere(core.wire(), top, from)) {
            return from;
        }
        Hop began = sent.began(request);
        if (began == null) {
            began = marked(top);
        }
        if (began == null) {
            began = byVias(core.wire(), request.vias(), from);
        }
        return began == null ? from : from.beside(new Hop.CameBack(began));
    }

    /** A stranger may write our address into his Via, but not into his packet. */
    private static boolean fromHere(Wire wire, Via top, Hop from) {
        InetAddress address = from.remote().getAddress();
        if (address == null || !wire.isLocal(top.host(), top.port())) {
            return false;
        }
        InetSocketAddress local = from.local();
        String digits = host(address.getHostAddress());
        return address.isLoopbackAddress()
                || (local != null && address.equals(local.getAddress()))
                || wire.isLocal(digits, from.remote().getPort())
                || wire.isLocal(digits, top.port());
    }

    /**
     * As what was sent is known on its own shard only, and not for ever: below the Vias of ours is
     * one that we got, with the address that it came from (18.2.1). Null when there is none: then
     * nobody else has sent it.
     */
    private static @Nullable Hop byVias(Wire wire, List<Via> vias, Hop from) {
        int most = Math.min(vias.size(), MOST_OWN);
        for (int i = 1; i < most; i++) {
            Via via = vias.get(i);
            String received = via.received();
            String host = host(received == null ? via.host() : received);
            if (wire.isLocal(via.host(), via.port())
                    && (wire.isLocal(host, via.port()) || wire.isLocal(host, via.rport()))) {
                continue;
            }
            InetAddress address = literal(host);
            if (address == null) {
                return null;
            }
            int port = via.rport() > 0 ? via.rport() : via.port();
            return unsure(
                    new InetSocketAddress(
                            address, port > 0 ? port : from.transport().defaultPort()));
        }
        return null;
    }

    /**
     * Our Via for a back-to-back user agent's request to ourselves: there is none below it. Any
     * shard may get it.
     */
    static Via mark(Via own, Hop began) {
        InetSocketAddress remote = began.remote();
        InetAddress address = remote.getAddress();
        return address == null
                ? own
                : own.withParam(
                        MARK,
                        address.getHostAddress().replace(':', '_').replace('%', '!')
                                + '~'
                                + remote.getPort());
    }

    private static @Nullable Hop marked(Via top) {
        String mark = top.param(MARK);
        int end = mark == null ? -1 : mark.lastIndexOf('~');
        if (mark == null || end < 1) {
            return null;
        }
        InetAddress address = literal(mark.substring(0, end).replace('_', ':').replace('!', '%'));
        long port = Ascii.parseDecimal(mark.substring(end + 1), 0xFFFF);
        return address == null || port < 0
                ? null
                : unsure(new InetSocketAddress(address, (int) port));
    }

    /**
     * By a datagram, for all that is known: how it came to us from ourselves says nothing of how it
     * came in first, and the transport in a Via is what its sender wrote. So a forged source is not
     * taken for one that a connection has proved.
     */
    private static Hop unsure(InetSocketAddress began) {
        return Hop.to(Transport.UDP, began);
    }

    private static String host(String text) {
        return text.indexOf(':') >= 0 && text.charAt(0) != '[' ? '[' + text + ']' : text;
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(
                    host.charAt(0) == '[' ? host.substring(1, host.length() - 1) : host);
        } catch (IllegalArgumentException e) {
            return null; // a name: what came by the wire has an address beside it
        }
    }
}

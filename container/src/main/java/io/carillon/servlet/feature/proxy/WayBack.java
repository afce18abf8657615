package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.MessageBytes;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.transaction.InviteClientTransaction;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the 2xx to the INVITE of a proxied call went. RFC 6026 7.1: "Any retransmission of the 2xx
 * response passed from the TU to the transaction while in the "Accepted" state MUST be passed to
 * the transport layer". Where that transaction was lost with its node this is what is left of it:
 * for 64*T1, and no more often than RFC 3261 13.3.1.4 repeats a 2xx.
 *
 * <p>Owner: the turn of the application session.
 */
final class WayBack {
    private final Hop hop;
    private final long cseq;
    private final long untilMillis;
    private int used;

    /**
     * @param cseq number of the INVITE
     * @param untilMillis since 1970
     */
    WayBack(Hop hop, long cseq, long untilMillis) {
        this.hop = hop;
        this.cseq = cseq;
        this.untilMillis = untilMillis;
    }

    /** That dialog gets the 2xx to its INVITE; null where there is none, or it is no call's. */
    static void begin(@Nullable ProxiedDialog answered, UasTransaction server) {
        if (answered != null && answered.call) {
            ServletSession session = answered.session;
            long repeatsNanos = session.parent().home().config().timers().timeoutNanos();
            answered.places.wayBack =
                    new WayBack(
                            server.transaction().responseHop(),
                            server.received().cseqNumber(),
                            session.host().millis() + TimeUnit.NANOSECONDS.toMillis(repeatsNanos));
        }
    }

    /** The 2xx is changed on its way: another node would not do so to what the callee repeats. */
    static void end(ApplicationSession call) {
        for (ServletSession session : call.sessions()) {
            ProxiedDialog dialog = ProxiedDialog.of(session);
            if (dialog != null) {
                dialog.places.wayBack = null;
            }
        }
    }

    /**
     * For that 2xx, once. Null where its transaction would be over, and by a connection that was
     * the other node's own.
     */
    @Nullable Hop take(SipResponse success, long nowMillis) {
        boolean lost = hop.reliable() && !hop.byRouter() && !hop.internal();
        if (lost
                || success.cseqNumber() != cseq
                || nowMillis >= untilMillis
                || used >= InviteClientTransaction.MOST_ACKS_AGAIN) {
            return null;
        }
        used++;
        return hop;
    }

    static void write(StateWriter out, @Nullable WayBack way) {
        MessageBytes.writeHop(out, way == null ? null : way.hop);
        if (way != null) {
            out.putVarint(way.cseq).putVarint(way.untilMillis).putVarint(way.used);
        }
    }

    static @Nullable WayBack read(StateReader in) {
        Hop hop = MessageBytes.readHop(in);
        if (hop == null) {
            return null;
        }
        WayBack way = new WayBack(hop, in.getVarint(), in.getVarint());
        way.used = in.getCount(InviteClientTransaction.MOST_ACKS_AGAIN);
        return way;
    }
}

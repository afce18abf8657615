package io.carillon.sip.proxy;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.token.ShardToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The second part of the branch parameter (RFC 5393 4.2): a hash over what decides where a request
 * goes. The same in CANCEL and ACK, since it leaves the method out. A hash for difference, not for
 * secrecy.
 */
final class LoopDetection {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int LOOPED = -1;

    /**
     * Vias of ours in a request beyond which it comes back no more: a call that is forwarded within
     * this server again and again, or passes several applications each time, has fewer.
     */
    private static final int MOST_PASSAGES = 10;

    /** Proxies of ours that a request may pass within this server before it counts as come back. */
    private static final int MOST_APPLICATIONS = 2;

    private LoopDetection() {}

    /**
     * The hash for the branch of a request that is forwarded because {@code received} arrived.
     * Never 0.
     */
    static long hash(SipRequest received) {
        // RFC 5393 4.2.1: "The second part MUST depend at least on the received Request-URI and any
        // Route header field values used when processing the received request." RFC 5393 4.2.4:
        // "The Call-ID and CSeq fields would be good inputs".
        long hash =
                mix(0xcbf29ce484222325L, received.bytes(), received.uriStart(), received.uriEnd());
        hash = mixAll(hash, received, HeaderName.ROUTE);
        hash = mixAll(hash, received, HeaderName.PROXY_REQUIRE);
        hash = mixAll(hash, received, HeaderName.PROXY_AUTHORIZATION);
        hash = mixAll(hash, received, HeaderName.CALL_ID);
        hash = mixed(hash ^ received.cseqNumber());
        return hash == 0 ? 1 : hash;
    }

    /**
     * RFC 5393 4.2.2: does one of our own Via values say that this very request was here before?
     */
    static boolean looped(SipRequest request, Wire wire) {
        return passages(request, wire) == LOOPED;
    }

    /**
     * Has the request been here, and come back for another target (RFC 3261 6, a spiral)?
     *
     * @param internal it comes from another application of ours: of those it may have passed some
     */
    static boolean comesBack(SipRequest request, Wire wire, boolean internal) {
        return passages(request, wire) > (internal ? MOST_APPLICATIONS : 0);
    }

    /** Does it come back more often than any call has to? */
    static boolean spiralsOn(SipRequest request, Wire wire) {
        return passages(request, wire) > MOST_PASSAGES;
    }

    /** How many Via values of our own it has; {@link #LOOPED} where one is of this very request. */
    private static int passages(SipRequest request, Wire wire) {
        // With one Via the request comes from its client, and nobody can have passed it on.
        int first = request.find(HeaderName.VIA, 0);
        if (request.find(HeaderName.VIA, first + 1) < 0
                && Ascii.indexOf(
                                request.bytes(),
                                request.valueStart(first),
                                request.valueEnd(first),
                                ',')
                        < 0) {
            return 0;
        }
        long hash = 0;
        int own = 0;
        List<Via> vias = request.vias();
        for (int i = 0; i < vias.size(); i++) {
            Via via = vias.get(i);
            String branch = via.branch();
            long printed = branch == null ? 0 : ShardToken.loopHash(branch);
            // "Each Via header field value in the request whose sent-by value matches a value
            // placed into previous requests by this proxy MUST be inspected for the "second part"".
            if (printed == 0 || !wire.isLocal(via.host(), via.port())) {
                continue;
            }
            if (hash == 0) {
                hash = hash(request);
            }
            if (printed == hash) {
                return LOOPED;
            }
            own++;
        }
        return own;
    }

    private static long mixAll(long seed, SipRequest request, HeaderName name) {
        long hash = seed;
        for (int i = request.find(name, 0); i >= 0; i = request.find(name, i + 1)) {
            hash = mix(hash, request.bytes(), request.valueStart(i), request.valueEnd(i));
        }
        return hash;
    }

    private static long mix(long seed, byte[] b, int from, int to) {
        long hash = seed;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            hash = mixed(hash ^ (long) WORDS.get(b, i));
        }
        // The length keeps two values from being taken for one.
        long rest = (long) to - from;
        for (; i < to; i++) {
            rest = (rest << 8) | (b[i] & 0xff);
        }
        return mixed(hash ^ rest);
    }

    private static long mixed(long z) {
        long hash = z * 0x9e3779b97f4a7c15L;
        return hash ^ (hash >>> 32);
    }
}

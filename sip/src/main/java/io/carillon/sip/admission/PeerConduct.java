package io.carillon.sip.admission;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import org.jspecify.annotations.Nullable;

/**
 * Learns how those who send us requests behave. A guard below the stack can then stop listening to
 * who only fails. Any thread; nothing here may block.
 */
public interface PeerConduct {
    /** What speaks against a peer. */
    enum Failure {
        /** Bytes that are no SIP, or a request that breaks its grammar. */
        MALFORMED("malformed messages"),
        /** A 404 to a request outside of a dialog: somebody tries names. */
        NOT_FOUND("names that do not exist"),
        /** A wrong answer to a challenge that we sent to this peer. */
        WRONG_CREDENTIALS("wrong credentials"),
        /** The User-Agent of a program that looks for victims. */
        SCANNER("a scanner's User-Agent");

        private final String text;

        Failure(String text) {
            this.text = text;
        }

        /** In words, for people. */
        public String text() {
            return text;
        }
    }

    /**
     * May a request outside of a dialog come in? If not, it is dropped without an answer.
     *
     * @param nowNanos the time, of the executor's clock
     */
    boolean admits(SipRequest initial, Hop from, long nowNanos);

    /**
     * A request that begins something came while new work is shed, and is no repeat of one that was
     * decided about.
     */
    default void newWork(Hop from, long nowNanos) {}

    /**
     * A peer failed.
     *
     * @param proven whether the peer surely gets what is sent to its address: never by a datagram
     *     alone, whose source may be forged
     */
    void failed(Failure how, Hop from, boolean proven, long nowNanos);

    /**
     * A peer has shown that it gets what is sent to its address, and is welcome. Who knows a secret
     * has shown that of the address that the secret was sent to, and of no other.
     */
    void proven(Hop from, long nowNanos);

    /** As {@link #proven}, by the right credentials of a user. */
    default void provenUser(Hop from, long nowNanos) {
        proven(from, nowNanos);
    }

    /** Has it shown so lately, by UDP at that very port of its address? */
    default boolean provenLately(Hop peer, long nowNanos) {
        return false;
    }

    /**
     * Are credentials from there not looked at for a while, as too many were wrong? Then guesses
     * end, without a ban of all who are behind that address.
     */
    default boolean holdsCredentials(Hop from, long nowNanos) {
        return false;
    }

    /**
     * Does the operator vouch for that peer, as for a trunk or a proxy of his own? Over UDP whoever
     * can send from its address is taken for it.
     */
    default boolean trusts(Hop from) {
        return false;
    }

    /**
     * A failure on a way: proven by a connection. Nothing where nobody listens, nor where it is not
     * the peer's own, but of somebody who speaks through it by a connection.
     *
     * @param request what failed; null where that cannot be read
     */
    static void failed(
            @Nullable PeerConduct conduct,
            Failure how,
            @Nullable SipRequest request,
            Hop from,
            long nowNanos) {
        if (conduct == null || from.internal()) {
            return;
        }
        Hop peer = from.initial();
        boolean proven = peer.transport().reliable();
        if (!proven || own(request, peer)) {
            conduct.failed(how, peer, proven, nowNanos);
        }
    }

    /**
     * RFC 3261 16.6 step 8: a proxy puts its Via above that of who sent the request; what a
     * User-Agent or a number says is not the proxy's. And a WebSocket (RFC 6455 10.2) may be that
     * of a page of any site, which speaks from the address of whoever looks at it.
     */
    private static boolean own(@Nullable SipRequest request, Hop peer) {
        return !peer.transport().webSocket()
                && (request == null || request.count(HeaderName.VIA) == 1);
    }
}

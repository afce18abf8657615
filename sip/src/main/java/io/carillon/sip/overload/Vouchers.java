package io.carillon.sip.overload;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TrustBoundary;
import org.jspecify.annotations.Nullable;

/**
 * Who is known, and believed.
 *
 * @param conduct who knows how peers behave; null: nobody does
 * @param boundary of the trust domain; null where there is none
 */
public record Vouchers(@Nullable PeerConduct conduct, @Nullable TrustBoundary boundary) {
    /** Does the operator vouch for that peer? */
    boolean vouched(Hop from) {
        return conduct != null && conduct.trusts(from);
    }

    /** Is a mark of that peer believed, which anybody can write? */
    public boolean believed(Hop from) {
        return boundary == null ? vouched(from) : boundary.trusts(from);
    }

    /** It begins something, and is no repeat. */
    void newWork(Hop from, long nowNanos) {
        if (conduct != null) {
            conduct.newWork(from, nowNanos);
        }
    }

    /** Has it shown lately that it gets our answers, and is welcome? */
    boolean proven(Hop from, long nowNanos) {
        return conduct != null && conduct.provenLately(from, nowNanos);
    }
}

package io.carillon.sip.overload;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.observe.Counter;
import java.util.concurrent.TimeUnit;

/** How refused requests are answered, while they are not too many. Owner: the shard's thread. */
final class Answers {
    /** No answer. RFC 3261 21.5.4: "Servers MAY [...] drop the request instead of" a 503. */
    static final Admission NONE = new Admission.Dropped(Counter.SHED_UNANSWERED);

    /** Answers for each second; what is refused beyond gets none. */
    private static final int MOST = 40_000;

    private static final long NANOS = TimeUnit.SECONDS.toNanos(1) / MOST;
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_KINDS = 60;

    /** By the Retry-After: made once, as a flood shall cost no more of them. */
    private final Admission[] refusals;

    private long answeredUntilNanos;

    /**
     * @param longestRetryAfter in seconds; 0 for none
     */
    Answers(int longestRetryAfter, long startNanos) {
        refusals = new Admission[Math.min(longestRetryAfter, MOST_KINDS) + 1];
        refusals[0] = new Admission.Refused(Counter.SHED, PeerTerms.STRANGER.refusal(), 0);
        for (int i = 1; i < refusals.length; i++) {
            int seconds = (int) Math.max(1, (long) longestRetryAfter * i / (refusals.length - 1));
            refusals[i] =
                    new Admission.Refused(Counter.SHED, PeerTerms.STRANGER.refusal(), seconds);
        }
        answeredUntilNanos = startNanos;
    }

    /**
     * The answer to a request.
     *
     * @param peer what is agreed with who sent it
     * @param phone is it no proxy?
     * @param hash of the request: its repeats get the same
     */
    Admission to(PeerTerms peer, boolean phone, long hash, long nowNanos) {
        if (answeredUntilNanos - nowNanos > AHEAD_NANOS) {
            return NONE;
        }
        answeredUntilNanos = Math.max(answeredUntilNanos, nowNanos) + NANOS;
        if (peer.refusal() != PeerTerms.STRANGER.refusal()) {
            return new Admission.Refused(Counter.SHED, peer.refusal(), 0);
        }
        // RFC 3261 21.5.4: a client "SHOULD NOT forward any other requests to that server for the
        // duration specified in the Retry-After header field": a proxy that is told so sends
        // nothing at all.
        boolean told = phone && !peer.ofPeer() && refusals.length > 1;
        return refusals[
                told ? 1 + (int) Long.remainderUnsigned(hash >>> 8, refusals.length - 1) : 0];
    }
}

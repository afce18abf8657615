package io.carillon.sip.server;

import io.carillon.sip.message.SipResponse;
import io.carillon.sip.outbox.Departures;

/**
 * A response that is kept back before it leaves its transaction.
 *
 * @param until a number of RSeq, {@link #ONCE} or {@link #UNTIL_ACK}
 */
record Departing(ServerTransaction from, SipResponse response, long until) implements Runnable {
    /** It is not repeated by a timer of the user agent core. */
    static final long ONCE = -1;

    static final long UNTIL_ACK = -2;

    /** The response leaves now, or when whoever keeps it back lets it. */
    static void begin(ServerTransaction from, SipResponse response, long until) {
        Departures keeper = from.core().outbox().departures();
        if (keeper == null || !kept(keeper, from, response, until)) {
            from.leave(response, until);
        }
    }

    private static boolean kept(
            Departures keeper, ServerTransaction from, SipResponse response, long until) {
        // What waits is decided: no CANCEL comes before it any more.
        boolean decided = response.status() < 200 || from.claimedAbove();
        return response.status() > 100
                && decided
                && keeper.keeps(from.attachment(), response, new Departing(from, response, until));
    }

    @Override
    public void run() {
        boolean cancelled = from.finalClaimed() && !from.claimedAbove();
        if (response.status() >= 200 || !cancelled) {
            from.leave(response, until);
        }
    }
}

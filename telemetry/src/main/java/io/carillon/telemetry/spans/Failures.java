package io.carillon.telemetry.spans;

import io.carillon.sip.observe.Counter;

/** Which calls have failed. Functions. */
final class Failures {
    private Failures() {}

    /**
     * Is a final response a failure? Not where somebody asks for credentials or for a longer
     * session, or two requests met; and not where a person had no wish to talk, which the network
     * effectiveness ratio (ITU-T E.425) does not count either.
     */
    static boolean is(int status) {
        return switch (status) {
            case 401, 407, 422, 486, 487, 491, 600, 603 -> false;
            default -> status >= 400;
        };
    }

    /** Is what befell a message one? */
    static boolean is(Counter what) {
        return switch (what) {
            case CLIENT_TIMEOUTS,
                    TRANSPORT_FAILURES,
                    UNRESOLVED,
                    FAILOVERS,
                    ACK_TIMEOUTS,
                    ACKS_MISSING,
                    PRACKS_MISSING,
                    EXPIRED_UNANSWERED,
                    RINGING_TOO_LONG,
                    EDGE_LINES_REFUSED ->
                    true;
            default -> false;
        };
    }

    /** Has the client transaction ended with it? */
    static boolean ends(Counter what) {
        return switch (what) {
            case CLIENT_TIMEOUTS, TRANSPORT_FAILURES, UNRESOLVED, FAILOVERS -> true;
            default -> false;
        };
    }
}

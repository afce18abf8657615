package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;

/** What came in for a call from anybody and what went out, and whether it may be so. One thread. */
final class CallBalance {
    /** What one answer to what the server asked may lead to: a target is asked, up to 11 times. */
    private static final int PACKETS_OF_AN_ANSWER = 40;

    private static final int BYTES_OF_A_PACKET = 1_500;

    /** What a call needs without anybody else. */
    private static final int PACKETS_OF_A_CALL = 120;

    /** Of an ACK that its routes, or a target at us, lead back: RFC 3261 16.3 ends the loop. */
    private static final int HOPS_TO_ITSELF = 4;

    private int strays;
    private int routed;
    private long routedBytes;
    private int answers;
    private boolean ledAway;
    private int toThird;
    private long toThirdBytes;
    private int toPeers;
    private int toItself;

    // ---- in ----

    /** A response or ACK of anybody. */
    void came(StrayMessages.Made made, int length) {
        ledAway |= made.leadsAway();
        if (made.asked()) {
            answers++;
        } else {
            strays++;
        }
        if (made.routed()) {
            routed++;
            routedBytes += length;
        }
    }

    /** Whether somebody has answered what the server asked. */
    boolean answered() {
        return answers > 0;
    }

    /**
     * Whether such an answer has named somebody else as its Contact or in a route: RFC 3261 12.1.2
     * and 12.2.1: from then on the call leads there, by any transport.
     */
    boolean ledAway() {
        return ledAway;
    }

    // ---- out ----

    void leftToPeer() {
        toPeers++;
    }

    /** Where its own Route, or a Contact at us, leads to it. */
    void leftToItself() {
        toItself++;
    }

    void leftToThird(int length) {
        toThird++;
        toThirdBytes += length;
    }

    /**
     * Who was never asked made the server send nothing to others, but an ACK as somebody of the
     * call, not much longer than it came.
     */
    void check() {
        int due = answers * PACKETS_OF_AN_ANSWER;
        if (toThird > routed + due
                || toThirdBytes > 2 * routedBytes + (long) due * BYTES_OF_A_PACKET) {
            throw new Finding(
                    String.format(
                            "%d packets and %d bytes to others after %d ACKs of %d bytes that may"
                                    + " go on, %d answers and %d strays",
                            toThird, toThirdBytes, routed, routedBytes, answers, strays));
        }
        if (toItself > HOPS_TO_ITSELF * (routed + due)) {
            throw new Finding(toItself + " packets to itself after " + routed + " ACKs");
        }
        if (toPeers > PACKETS_OF_A_CALL + strays + due) {
            throw new Finding(toPeers + " packets to the peers after " + strays);
        }
    }
}

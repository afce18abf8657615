package io.carillon.lab.load;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.time.WheelTimer;

/**
 * One side of one call, used again and again: flat, with one timer, so that a call leaves no
 * garbage that lives. Owner: the engine's thread.
 */
abstract class Leg extends WheelTimer {
    /** T1: RFC 3261 17.1.1.1. */
    static final long T1 = 500_000_000L;

    /** T2: RFC 3261 17.1.2.2. */
    static final long T2 = 4_000_000_000L;

    /** T4: RFC 3261 table 4, the longest time a message remains in the network. */
    static final long T4 = 5_000_000_000L;

    /** Timers B, F, H: RFC 3261 table 4. */
    static final long TIMEOUT = 64 * T1;

    private final int index;
    private int generation;
    private boolean used;

    Leg(int index) {
        this.index = index;
    }

    final int index() {
        return index;
    }

    final int generation() {
        return generation;
    }

    /** A new call begins. */
    final void take() {
        used = true;
    }

    /** The call is over, its late messages too. */
    final void giveBack() {
        used = false;
        generation++;
    }

    final boolean used() {
        return used;
    }

    /** The letter of {@link LegTokens}. */
    abstract char side();

    /**
     * An answer to a request of this leg.
     *
     * @param kind the letter that the leg wrote behind its token into the branch
     */
    abstract void response(SipResponse response, char kind, Hop from, long nowNanos);

    /** A request with the tag of this leg. */
    abstract void request(SipRequest request, Hop from, long nowNanos);

    /** The transport could not send a request of this leg. */
    abstract void sendFailed(long nowNanos);

    /**
     * The load ends before its time: what is up is ended.
     *
     * @return whether a timer was set to end it
     */
    abstract boolean stop(long atNanos);
}

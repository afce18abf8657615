package io.carillon.telemetry.records;

import io.carillon.sip.hop.Hop;

/**
 * Hears of what measures calls and handlers. Called on shards and turns: it neither waits nor
 * throws.
 */
public interface CallListener {
    /**
     * What a leg is counted by.
     *
     * @param in did the INVITE come, or did it leave?
     * @param application that has it; empty where none has, or where it is not known yet
     * @param listener of {@link #listeningPoint}
     * @param peer name of the peer in the configuration; empty for a stranger
     */
    record Kind(boolean in, String application, String listener, String peer) {}

    /**
     * The listening point that an INVITE came to or left from, in words; empty for none. Asked once
     * for each leg.
     */
    default String listeningPoint(Hop hop) {
        return "";
    }

    /** The first 18x of a leg, so long after its INVITE. */
    void rang(Kind kind, long nanos);

    /** The 2xx of a leg, so long after its INVITE. */
    void answered(Kind kind, long nanos);

    /**
     * A leg is over.
     *
     * @param status of its final response; 0 where there was none
     * @param endedBy in a word
     * @param nanos since the 2xx; negative for one that was not answered
     */
    void ended(Kind kind, int status, String endedBy, long nanos);

    /** So long an INVITE has waited for its handler, since it was read. */
    void waited(String application, long nanos);

    /**
     * A handler or listener has returned.
     *
     * @param what a method, a status code and its method, or the listener's method
     * @param threw did it end by an exception?
     */
    void handled(String application, String what, long nanos, boolean threw);

    /**
     * The name that a request goes to was looked up, and an answer had to be waited for.
     *
     * @param found was there any way?
     */
    void resolved(boolean found, long nanos);

    /** Nobody listens. */
    CallListener NONE =
            new CallListener() {
                @Override
                public void rang(Kind kind, long nanos) {}

                @Override
                public void answered(Kind kind, long nanos) {}

                @Override
                public void ended(Kind kind, int status, String endedBy, long nanos) {}

                @Override
                public void waited(String application, long nanos) {}

                @Override
                public void handled(String application, String what, long nanos, boolean threw) {}

                @Override
                public void resolved(boolean found, long nanos) {}
            };
}

package io.carillon.server.cdr;

/** Hears of what measures a call. Called on shards: it neither waits nor throws. */
public interface CallListener {
    /** Nobody listens. */
    CallListener NONE =
            new CallListener() {
                @Override
                public void rang(boolean in, long nanos) {}

                @Override
                public void answered(boolean in, long nanos) {}

                @Override
                public void ended(boolean in, int status, long nanos) {}
            };

    /**
     * The first 18x of a leg.
     *
     * @param in did the INVITE come, or did it leave?
     * @param nanos since the INVITE
     */
    void rang(boolean in, long nanos);

    /** The 2xx of a leg. */
    void answered(boolean in, long nanos);

    /**
     * A leg is over.
     *
     * @param status of its final response; 0 where there was none
     * @param nanos since the 2xx; negative for one that was not answered
     */
    void ended(boolean in, int status, long nanos);
}

package io.carillon.sip.client;

/** A request that leaves again when it comes again. Owner: the shard's thread. */
public interface Repeatable {
    /** It came again: it leaves once more. */
    void again();

    /** The request as it came, of one that is passed on. */
    interface Received {
        /** That one repeats the request when it comes again, and not by itself. */
        void passedOnBy(Repeatable sent);
    }
}

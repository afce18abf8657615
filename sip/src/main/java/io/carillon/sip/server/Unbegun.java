package io.carillon.sip.server;

/**
 * An INVITE that nobody has begun to work on. Its 100 (Trying) would say that somebody does (RFC
 * 3261 21.1.1), so the layer above is asked before it leaves.
 */
@FunctionalInterface
public interface Unbegun {
    /** In place of one whose caller has had a response: nobody is asked any more. */
    Unbegun TOLD = () -> false;

    /**
     * The 100 is due. On the shard's thread, once.
     *
     * @return true when it was refused with a final response in place of the 100
     */
    boolean refused();

    /** The 100 is held back until then, by the shard's clock; 0: it is not. */
    default long heldUntilNanos() {
        return 0;
    }
}

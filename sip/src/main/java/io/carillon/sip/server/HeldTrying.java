package io.carillon.sip.server;

import org.jspecify.annotations.Nullable;

/**
 * The 100 (Trying) of an INVITE while it is not known whose call it is: whoever has it does not
 * send the INVITE again, and it would be lost with this node.
 *
 * <p>Owner: the shard's thread.
 */
public final class HeldTrying implements Unbegun {
    private long untilNanos;

    private HeldTrying(long untilNanos) {
        this.untilNanos = untilNanos;
    }

    /**
     * Holds it back, once, and only where the INVITE is repeated.
     *
     * @param untilNanos by the shard's clock
     * @return null where it is not held back
     */
    public static @Nullable HeldTrying begin(ServerTransaction invite, long untilNanos) {
        if (!invite.invite() || invite.source().reliable() || invite.asked() != null) {
            return null;
        }
        HeldTrying held = new HeldTrying(untilNanos);
        invite.waits(held);
        return held;
    }

    /** It is known: the 100 leaves when it is due, soon where it was. */
    public void release() {
        untilNanos = 0;
    }

    @Override
    public long heldUntilNanos() {
        return untilNanos;
    }

    @Override
    public boolean refused() {
        return false;
    }
}

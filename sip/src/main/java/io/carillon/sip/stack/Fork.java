package io.carillon.sip.stack;

import org.jspecify.annotations.Nullable;

/**
 * A 2xx to an INVITE of ours that was seen, by To tag, and the ACK given to it: as bytes, for the
 * rare case that it is needed again.
 *
 * <p>Owner: the shard's thread.
 */
final class Fork {
    final String tag;
    byte @Nullable [] ack;
    @Nullable Hop hop;
    final @Nullable Fork next;

    /** Of the account of what is held: a large 2xx until its ACK was made, then a large ACK. */
    int held;

    Fork(String tag, int held, @Nullable Fork next) {
        this.tag = tag;
        this.held = held;
        this.next = next;
    }

    /** The one with that tag, or null. */
    static @Nullable Fork find(@Nullable Fork forks, @Nullable String tag) {
        String wanted = tag == null ? "" : tag;
        for (Fork f = forks; f != null; f = f.next) {
            if (f.tag.equals(wanted)) {
                return f;
            }
        }
        return null;
    }

    /**
     * 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the
     * transaction layer"; for a repeated one the same.
     */
    void repeatAck(Shard shard) {
        shard.counters().add(Counter.RESPONSE_RETRANSMISSIONS_SEEN);
        byte[] known = ack;
        Hop to = hop;
        if (known != null && to != null) {
            shard.outbox().sendAgain(to, known, shard.countFailure());
        }
    }
}

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

    Fork(String tag, @Nullable Fork next) {
        this.tag = tag;
        this.next = next;
    }
}

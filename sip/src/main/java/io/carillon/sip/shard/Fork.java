package io.carillon.sip.shard;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.transaction.InviteClientTransaction;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A 2xx to an INVITE of ours that was seen, by To tag, and the ACK given to it: as bytes, for the
 * rare case that it is needed again.
 *
 * <p>Owner: the shard's thread.
 */
final class Fork {
    /** An ACK may be larger than a 2xx without a body: Request-URI, Max-Forwards, credentials. */
    private static final int OWN_BYTES = 256;

    final String tag;
    byte @Nullable [] ack;
    @Nullable Hop hop;
    final @Nullable Fork next;

    /** Of the account of what is held: a large 2xx until its ACK was made, then a large ACK. */
    int held;

    private byte repeated;

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

    static int count(@Nullable Fork forks) {
        int count = 0;
        for (Fork f = forks; f != null; f = f.next) {
            count++;
        }
        return count;
    }

    /**
     * 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the
     * transaction layer"; for a repeated one the same, as often as one callee may need it. Where
     * the ACK goes the 2xx has said: elsewhere than to where the INVITE went it brings nobody more
     * than was sent.
     *
     * @param invited where the INVITE went
     * @param place where whoever made us send it is counted
     */
    void repeatAck(ShardCore core, SipResponse success, @Nullable Hop invited, int place) {
        core.counters().add(Counter.RESPONSE_RETRANSMISSIONS_SEEN);
        byte[] known = ack;
        Hop to = hop;
        if (known == null || to == null) {
            return;
        }
        if (repeated == InviteClientTransaction.MOST_ACKS_AGAIN
                || (known.length > success.length() + OWN_BYTES && !answeredFrom(to, invited))) {
            core.counters().add(Counter.ACKS_NOT_REPEATED);
            return;
        }
        repeated++;
        core.outbox()
                .sendAgain(
                        to,
                        known,
                        core.outbox().gate().arrived(),
                        core.countFailure().countedAt(place));
    }

    private static boolean answeredFrom(Hop to, @Nullable Hop invited) {
        if (to.internal()) {
            return true;
        }
        InetAddress there = to.remote().getAddress();
        InetAddress from = invited == null ? null : invited.remote().getAddress();
        return there != null && from != null && SourceKey.of(there) == SourceKey.of(from);
    }
}

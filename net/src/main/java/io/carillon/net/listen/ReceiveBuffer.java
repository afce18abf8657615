package io.carillon.net.listen;

/**
 * What a datagram socket asked of the kernel and what it got.
 *
 * @param point the listening point
 * @param shard the shard whose socket it is
 * @param askedBytes SO_RCVBUF asked for
 * @param grantedBytes SO_RCVBUF granted (Linux doubles the number for its own bookkeeping; this is
 *     the half that one may compare with what was asked)
 */
public record ReceiveBuffer(ListeningPoint point, int shard, int askedBytes, int grantedBytes) {

    /** True when the kernel gave less. */
    public boolean tooSmall() {
        return grantedBytes < askedBytes;
    }

    /** One sentence for people, with the remedy. */
    public String warning() {
        return point
                + ": asked for a receive buffer of "
                + askedBytes
                + " bytes, the kernel granted "
                + grantedBytes
                + "; bursts will be dropped. Allow it with: sysctl -w net.core.rmem_max="
                + askedBytes;
    }
}

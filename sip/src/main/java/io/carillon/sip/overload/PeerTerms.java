package io.carillon.sip.overload;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is agreed with a peer for the time when new work is shed. Immutable.
 *
 * @param status of a refusal: 503, or what the peer understands better
 * @param weight how many sources it counts as: all calls behind it come from one address
 */
public record PeerTerms(int status, int weight) {
    /** Knows who is a peer. Any thread; asked for each message while new work is shed. */
    @FunctionalInterface
    public interface Peers {
        /** Nobody is. */
        Peers NONE = address -> null;

        /** What is agreed with who sends from there; null for a stranger. */
        @Nullable PeerTerms of(InetAddress address);
    }

    /** Of a stranger. */
    public static final PeerTerms STRANGER = new PeerTerms(503, 1);

    public PeerTerms {
        if (status < 400 || status > 699 || weight < 1) {
            throw new IllegalArgumentException(
                    "a refusal has a status of 400 to 699, a weight is 1 at least: "
                            + status
                            + ", "
                            + weight);
        }
    }
}

package io.carillon.sip.guard;

/**
 * What is agreed with a peer for the moments when not everything has room. All calls behind a trunk
 * come from one address: its weight says how many sources it stands for. Immutable.
 *
 * @param weight its share is so many times that of another source; 1 to {@value #MOST_WEIGHT}
 * @param refusal status of the answer to new work that is shed
 */
public record PeerTerms(int weight, int refusal) {
    public static final int MOST_WEIGHT = 100;

    /** Of a source that nothing is agreed with. */
    public static final PeerTerms STRANGER = new PeerTerms(1, 503);

    public PeerTerms {
        if (weight < 1 || weight > MOST_WEIGHT) {
            throw new IllegalArgumentException("a weight is 1 to " + MOST_WEIGHT);
        }
        if (refusal < 400 || refusal > 699) {
            throw new IllegalArgumentException("a refusal's status is 400 to 699");
        }
    }

    /** Is anything agreed? */
    @SuppressWarnings("ReferenceEquality") // a peer may have the terms of a stranger
    public boolean ofPeer() {
        return this != STRANGER;
    }

    /** Who is a peer. Any thread; what it says of a source may change. */
    @FunctionalInterface
    public interface Table {
        /** Nobody is. */
        Table NOBODY = source -> STRANGER;

        /**
         * What is agreed with a source.
         *
         * @param source a {@link SourceKey}
         * @return {@link #STRANGER}, that very object, for one that is no peer
         */
        PeerTerms of(long source);
    }
}

package io.carillon.sip.server;

import io.carillon.sip.hop.LookupBudget;

/**
 * Of what is sent without a transaction, or after the end of the one that it was for.
 *
 * <p>Owner: the shard's thread.
 */
final class OwnBudget implements LookupBudget {
    private final int place;
    private int questions;

    /**
     * @param place as {@link #countedAt} says it
     */
    OwnBudget(int place) {
        this.place = place;
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public boolean takeQuestion(int most) {
        return questions++ < most;
    }
}

package io.carillon.sip.stack;

import org.jspecify.annotations.Nullable;

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

    /** That request's, where it is still there, else one of its own. */
    static LookupBudget of(@Nullable ServerTransaction request, int place) {
        return request == null ? new OwnBudget(place) : request;
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

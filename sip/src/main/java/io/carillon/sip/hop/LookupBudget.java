package io.carillon.sip.hop;

/**
 * On whose behalf names are looked up, and what that may still cost: one for each request that came
 * in, with all that is sent and answered because of it.
 *
 * <p>Owner: the shard's thread.
 */
public interface LookupBudget {
    /** Where whoever made us look is counted: a place of {@link io.carillon.sip.guard.Sources}. */
    int countedAt();

    /**
     * Takes one more question to the DNS.
     *
     * @param most questions in all
     * @return false when they have been taken
     */
    boolean takeQuestion(int most);
}

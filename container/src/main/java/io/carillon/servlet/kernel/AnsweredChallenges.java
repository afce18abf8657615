package io.carillon.servlet.kernel;

/**
 * The challenges that a session's application answered: what the session keeps of them for the
 * feature that reads and writes them.
 */
public interface AnsweredChallenges {
    /** Is none of them remembered? */
    boolean isEmpty();

    /** They go on at another node: the nonce counts rise by so much. */
    void skip(int counts);
}

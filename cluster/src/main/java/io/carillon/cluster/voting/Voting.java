package io.carillon.cluster.voting;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Agreement among the voters on one order of changes. Each change that a majority has is applied on
 * every voter in the same order, exactly once in that order; a change whose outcome is unknown may
 * be proposed again, so changes say of themselves whether they were made already.
 *
 * <p>Any thread. Nothing here waits.
 */
public interface Voting extends AutoCloseable {
    /**
     * Proposes a change.
     *
     * @param change its bytes
     * @return ends when a majority has it and it was applied here; fails when that is not known in
     *     time, or when this voter sees no majority
     */
    CompletionStage<Void> propose(byte[] change);

    /**
     * Does this voter lead now, as far as it knows? It may be wrong for the time of an election.
     */
    boolean leads();

    /** Called with each change, in order, on one thread. Set before {@link #start}. */
    void onApplied(Consumer<byte[]> applied);

    /** Takes part from now on. */
    void start();

    @Override
    void close();
}

package io.carillon.servlet.port;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of calls on other nodes, as bytes. A record belongs to a partition and has an id there; of
 * two states of it the one with the higher (term, sequence) stays, whatever comes first.
 *
 * <p>Any thread, event loops among them: nothing here waits. What comes back comes on a thread of
 * the store, never within the call itself.
 */
public interface CallStore extends AutoCloseable {
    /**
     * One state of a record.
     *
     * @param partition 0 to {@code Ownership.PARTITIONS} - 1
     * @param id of the application session; unique in its partition
     * @param term of the partition's owner who wrote it
     * @param sequence rises with each state of this record within a term
     * @param bytes null: the record is removed
     */
    @SuppressWarnings("ArrayRecordComponent") // told apart by its numbers
    record State(int partition, String id, long term, long sequence, byte @Nullable [] bytes) {
        /** Is it younger than the other state of the same record? */
        public boolean follows(State other) {
            return term != other.term ? term > other.term : sequence > other.sequence;
        }
    }

    /**
     * What became of a batch.
     *
     * @param holders nodes that have all of it now, this one among them when it is one
     * @param failure one sentence when it is not known to be anywhere; null when it was written
     */
    record Outcome(int holders, @Nullable String failure) {
        /** Would the calls outlive this node? */
        public boolean isProtected() {
            return failure == null && holders >= 2;
        }
    }

    /**
     * What became of the reading of one record.
     *
     * @param state null when there is none, or it could not be had; one without bytes when it was
     *     removed a moment ago, as a store remembers for a while
     * @param failure one sentence when it may be there all the same; null when the store knows
     */
    record Found(@Nullable State state, @Nullable String failure) {
        /** It is that one, or there is none. */
        public static Found of(@Nullable State state) {
            return new Found(state, null);
        }

        /** Was there one that was not removed? */
        public boolean isThere() {
            return state != null && state.bytes() != null;
        }

        /** It could not be had, for that reason. */
        public static Found failed(String why) {
            return new Found(null, why);
        }
    }

    /**
     * Writes states, of one partition or of several. An older state than the stored one is dropped
     * silently.
     *
     * @param done called once, also on failure
     */
    void write(List<State> batch, Consumer<Outcome> done);

    /**
     * Reads all records of a partition, wherever they lie.
     *
     * @param each called for each record, on one thread, in no order; more than once for one that
     *     had to be read again
     * @param end called once behind them: null, or one sentence when some may not have been read
     */
    void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end);

    /**
     * Reads one record.
     *
     * @param found called once, also on failure
     */
    void read(int partition, String id, Consumer<Found> found);

    /**
     * Parts of a divided grid met, and each has what the other had: there may be records of any
     * partition that no reading has shown before. Not told where they were apart for so long that
     * what comes to light may have been removed meanwhile.
     *
     * @param met called each time, on a thread of the store; for a short piece of work
     */
    default void onMeeting(Runnable met) {}

    /** Nodes that hold a copy of this partition's records now; 1 is this node alone. */
    int holders(int partition);

    /** Ends this node's part. What it holds alone is gone. */
    @Override
    void close();
}

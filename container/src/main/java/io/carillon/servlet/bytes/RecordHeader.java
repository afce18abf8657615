package io.carillon.servlet.bytes;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first section of a record: what a node has to know of a call that it may have to take over,
 * without making anything of it. Immutable.
 *
 * @param application its name
 * @param archive digest of the archive that wrote it; empty where that is not known
 * @param id of the application session
 * @param key of a keyed one; null for any other
 * @param partition 0 to 1023
 * @param term of the partition's owner who wrote it
 * @param sequence of this state within the term
 * @param deadlineMillis when something is due in it, by the wall clock; 0 for never
 * @param whole did all of it go? If not, it says what did not ({@code CallRecords.leftOut})
 * @param dialogs {@link DialogHash} of each dialog
 */
public record RecordHeader(
        String application,
        String archive,
        String id,
        @Nullable String key,
        int partition,
        long term,
        long sequence,
        long deadlineMillis,
        boolean whole,
        List<Long> dialogs) {
    /** The number of the section. */
    public static final int SECTION = 1;

    private static final int VERSION = 1;
    private static final int MOST_DIALOGS = 100_000;

    public RecordHeader {
        dialogs = List.copyOf(dialogs);
    }

    public void write(StateWriter out) {
        out.putVarint(SECTION);
        int section = out.begin(VERSION);
        out.putString(application).putString(archive).putString(id).putString(key);
        out.putVarint(partition).putVarint(term).putVarint(sequence);
        out.putVarint(deadlineMillis).putBoolean(whole);
        out.putVarint(dialogs.size());
        for (Long hash : dialogs) {
            out.putFixed(hash);
        }
        out.end(section);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws StateFormatException where a record does not begin like that
     */
    public static RecordHeader read(StateReader in) {
        if (in.getVarint() != SECTION) {
            throw new StateFormatException("a record without its header");
        }
        in.begin();
        String application = in.needString();
        String archive = in.needString();
        String id = in.needString();
        String key = in.getString();
        int partition = in.getCount(Integer.MAX_VALUE);
        long term = in.getVarint();
        long sequence = in.getVarint();
        long deadline = in.getVarint();
        boolean whole = in.getBoolean();
        List<Long> dialogs = new ArrayList<>();
        for (int i = in.getCount(MOST_DIALOGS); i > 0; i--) {
            dialogs.add(in.getFixed());
        }
        in.end();
        return new RecordHeader(
                application, archive, id, key, partition, term, sequence, deadline, whole, dialogs);
    }
}

package io.carillon.servlet.bytes;

import io.carillon.sip.bytes.StateFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Objects of the container that an application keeps, as bytes that another node reads: by value,
 * or by an id that it resolves. One for each record that is written or read; owner: whoever does
 * that.
 */
public interface ContainerValues {
    /**
     * The object as bytes.
     *
     * @return null where it is none of the container, or one that cannot go
     */
    byte @Nullable [] bytes(Object value);

    /**
     * The object that {@link #bytes} wrote, or a {@link Deferred} for one.
     *
     * @return null where what it names is no more
     * @throws StateFormatException for other bytes
     */
    @Nullable Object read(byte[] bytes);

    /** How much was written so far, for {@link #back}. */
    int mark();

    /** What was written since is not in the record: nothing later refers to it. */
    void back(int mark);

    /** An object that may not be there yet, as another call has it: asked for when it is used. */
    interface Deferred {
        /** Null where it is not there, or no more. */
        @Nullable Object get();
    }
}

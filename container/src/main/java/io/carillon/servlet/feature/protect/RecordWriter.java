package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import org.jspecify.annotations.Nullable;

/** Writes a call as bytes. Pure; called with the turn of the application session held. */
public interface RecordWriter {
    /**
     * A record of a call.
     *
     * @param bytes all of it that another node could go on with
     * @param missing what could not be written, for people; null when all of it is there
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Written(byte[] bytes, @Nullable String missing) {}

    /**
     * The state of the application session with its sessions and timers.
     *
     * @param term of its partition
     * @throws RuntimeException when it cannot be written at all
     */
    Written write(ApplicationSession session, long term);

    /**
     * What a record says, in one number: a record with the number of the one before is not written.
     *
     * @param record as {@link #write} made it
     */
    default long digest(byte[] record) {
        return RecordDigest.of(record);
    }
}

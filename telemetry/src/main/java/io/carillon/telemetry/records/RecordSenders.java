package io.carillon.telemetry.records;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Makes a sender that needs a library of its own, in a module of its own; found by {@link
 * ServiceLoader}.
 */
public interface RecordSenders {
    /** The place that it knows, as in the configuration. */
    String name();

    /**
     * Makes one. It opens no connection: the place may be away.
     *
     * @param target where that place is
     * @param topic what records are sent to there
     * @param settings file of further settings; null for none
     * @throws RecordException when that cannot be
     */
    RecordSender open(String target, String topic, @Nullable Path settings) throws RecordException;
}

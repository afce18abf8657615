package io.carillon.server.backup;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a backup says of itself: the file {@value #NAME} in it.
 *
 * @param format of the file; a number that is higher than ours is a newer Carillon's
 * @param version of the Carillon that made it
 * @param made when, in UTC
 * @param database where the database was
 * @param schema the version of its tables; null: the database is not in it
 * @param elsewhere what the server needs and is not in it, in words
 */
record Manifest(
        int format,
        String version,
        String made,
        String database,
        @Nullable String schema,
        List<String> elsewhere) {
    static final String NAME = "backup.json";

    /** The format that this build writes. */
    static final int FORMAT = 1;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    Manifest {
        elsewhere = List.copyOf(elsewhere);
    }

    byte[] bytes() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    }

    /**
     * @param file as errors name it
     * @throws BackupFailure when it is none, or a newer one's
     */
    static Manifest read(String file, byte[] bytes) throws BackupFailure {
        Manifest read;
        try {
            read = JSON.readValue(bytes, Manifest.class);
        } catch (JacksonException e) {
            throw new BackupFailure(
                    file + " is no backup of Carillon: its " + NAME + " cannot be read", e);
        }
        if (read.format > FORMAT) {
            throw new BackupFailure(
                    file
                            + " is a backup of Carillon "
                            + read.version
                            + " in format "
                            + read.format
                            + ", and this one reads format "
                            + FORMAT
                            + ": restore it with that version");
        }
        return read;
    }
}

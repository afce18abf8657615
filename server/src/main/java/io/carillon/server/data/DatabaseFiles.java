package io.carillon.server.data;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of an embedded database; neither need be there.
 *
 * @param database what H2 writes
 * @param password that it is opened with
 */
public record DatabaseFiles(Path database, Path password) {
    /** Is there a database? */
    public boolean there() {
        return Files.exists(database);
    }
}

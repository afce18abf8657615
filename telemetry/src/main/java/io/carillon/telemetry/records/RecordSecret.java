package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what a file of one line holds: a password, or a key. Stateless. */
final class RecordSecret {
    private RecordSecret() {}

    /**
     * The first line of a file.
     *
     * @param setting that names the file
     * @throws RecordException when there is none
     */
    static String read(Path file, String setting) throws RecordException {
        try {
            String line = Files.readString(file).lines().findFirst().orElse("").strip();
            if (line.isEmpty()) {
                throw new RecordException(setting + ": the first line of " + file + " is empty");
            }
            return line;
        } catch (IOException e) {
            throw new RecordException(setting + ": " + file + " cannot be read: " + e, e);
        }
    }
}

package io.carillon.server.data;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A copy of the database, asked for by the running server's owner or made without a server. */
public final class CopyRequest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * What was done.
     *
     * @param place where the database is ({@link Database#place})
     * @param embedded false: it is elsewhere, and whoever runs it makes copies
     * @param schema the version of the tables; null: nothing was copied
     * @param password the file with the password; null: it has none of ours, or nothing was copied
     */
    public record Answer(
            String place, boolean embedded, @Nullable String schema, @Nullable String password) {
        /** Was something copied? */
        public boolean copied() {
            return schema != null;
        }
    }

    private CopyRequest() {}

    /** By the name that the command line sends; its argument is the file to write. */
    public static Map<String, ControlCommand> of(Database database) {
        return Map.of(
                "database-copy", zip -> JSON.writeValueAsString(make(database, Path.of(zip))));
    }

    /** An answer of the running server. */
    public static Answer read(String json) {
        return JSON.readValue(json, Answer.class);
    }

    /**
     * Copies the database where there is one.
     *
     * @param zip the file to write; it may not be there
     */
    public static Answer make(Database database, Path zip) throws ControlFailure {
        DatabaseFiles files = database.files();
        if (files == null || !files.there()) {
            return new Answer(database.place(), files != null, null, null);
        }
        if (!zip.isAbsolute() || Files.exists(zip)) {
            throw new ControlFailure("a copy of the database needs a file that is not there yet");
        }
        try {
            String schema = database.copyTo(zip);
            Path password = files.password();
            return new Answer(
                    database.place(),
                    true,
                    schema,
                    Files.exists(password) ? password.toString() : null);
        } catch (SQLException e) {
            throw new ControlFailure(String.valueOf(e.getMessage()), e);
        }
    }
}

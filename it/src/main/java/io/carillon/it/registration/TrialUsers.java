package io.carillon.it.registration;

import io.carillon.server.HomeFolder;
import io.carillon.server.config.DatabaseSettings;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Users of a trial. */
public final class TrialUsers {
    private static final String REALM = "carillon";

    private TrialUsers() {}

    /** Adds users to the database of a server that does not run; {@code home} is its folder. */
    public static void add(
            DatabaseSettings settings, Path home, List<String> names, String password)
            throws IOException {
        try (Database database = new Database(settings, new HomeFolder(home).data())) {
            SqlUsers users = new SqlUsers(database);
            for (String name : names) {
                users.add(REALM, name, password, Set.of());
            }
        }
    }
}

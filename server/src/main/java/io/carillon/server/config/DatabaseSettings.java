package io.carillon.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The database of users and applications.
 *
 * @param url of JDBC
 * @param user of the database
 * @param password of that user
 * @param connections most at a time
 * @param maxWaiting requests that may wait for one
 * @param maxWait how long each
 */
public record DatabaseSettings(
        @Setting(
                        value =
                                "JDBC URL of the database, as in jdbc:postgresql://db.example/carillon; H2 and"
                                        + " PostgreSQL are known. H2 gets WRITE_DELAY=0; another value is refused.",
                        standardText = "H2 in .carillon/data in Carillon's folder",
                        common = true)
                @Nullable String url,
        @Setting(value = "The database's user.", standardText = "none", common = true)
                @Nullable String user,
        @Setting(value = "That user's password.", standardText = "none", common = true)
                @Nullable Secret password,
        @Setting(
                        reload = true,
                        value = "Connections at a time.",
                        standard = "10",
                        min = "2",
                        max = "1000",
                        metrics = "database.refused")
                int connections,
        @Setting(
                        value =
                                "Requests that may wait for a connection at a time; another one fails at once.",
                        standard = "10000",
                        min = "1",
                        max = "1000000",
                        metrics = {"database.waiting", "database.refused"})
                int maxWaiting,
        @Setting(
                        reload = true,
                        value =
                                "How long a request may wait for a connection. A caller who waits"
                                        + " longer gives up, and its work is for nobody.",
                        standard = "2 s",
                        min = "250 ms",
                        max = "1 min",
                        metrics = "database.refused")
                Duration maxWait) {
    public DatabaseSettings {
        if (url != null) {
            new DatabaseUrl(url);
        }
    }
}

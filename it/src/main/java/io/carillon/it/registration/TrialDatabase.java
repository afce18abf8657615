package io.carillon.it.registration;

import io.carillon.server.config.DatabaseSettings;
import io.carillon.server.config.Secret;
import io.carillon.testkit.database.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database of a trial, as the documents say how to configure one: what a server has without
 * configuration, H2 at a URL of one's own, or a PostgreSQL that lives as long as the trial.
 */
final class TrialDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final int MOST_WAITING = 10_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** Which there are. */
    enum Kind {
        STANDARD,
        H2,
        POSTGRESQL;

        /**
         * @throws IOException that says which there are
         */
        static Kind of(String name) throws IOException {
            return switch (name) {
                case "default" -> STANDARD;
                case "h2" -> H2;
                case "postgresql" -> POSTGRESQL;
                default ->
                        throw new IOException(
                                "--database is default, h2 or postgresql, not '" + name + "'");
            };
        }
    }

    private final DatabaseSettings settings;
    private final List<String> arguments;
    private final @Nullable PostgresProcess postgres;

    private TrialDatabase(
            DatabaseSettings settings, List<String> arguments, @Nullable PostgresProcess postgres) {
        this.settings = settings;
        this.arguments = arguments;
        this.postgres = postgres;
    }

    /**
     * Makes one.
     *
     * @param folder of the server; a database of H2's own URL lies in it
     * @param port for PostgreSQL, on 127.0.0.1
     * @throws IOException when PostgreSQL is not installed or does not start
     */
    static TrialDatabase make(Kind kind, Path folder, int port) throws IOException {
        return switch (kind) {
            case STANDARD -> new TrialDatabase(settings(null, null, null), List.of(), null);
            case H2 -> h2(folder, folder.resolve("own/users"));
            case POSTGRESQL -> postgres(folder, port);
        };
    }

    /**
     * H2 in a file of one's own.
     *
     * @param folder where the configuration is written
     * @param file without H2's suffix
     */
    static TrialDatabase h2(Path folder, Path file) throws IOException {
        return configured(
                folder, settings("jdbc:h2:file:" + file.toAbsolutePath(), null, null), null);
    }

    private static TrialDatabase postgres(Path folder, int port) throws IOException {
        PostgresProcess process = PostgresProcess.start(port);
        try {
            return configured(
                    folder,
                    settings(
                            process.url(),
                            PostgresProcess.USER,
                            Secret.inFile(process.passwordFile())),
                    process);
        } catch (IOException e) {
            process.close();
            throw e;
        }
    }

    private static TrialDatabase configured(
            Path folder, DatabaseSettings settings, @Nullable PostgresProcess postgres)
            throws IOException {
        List<String> lines = new ArrayList<>(List.of("database:", "  url: " + settings.url()));
        if (settings.user() != null) {
            lines.add("  user: " + settings.user());
        }
        Secret password = settings.password();
        if (password != null) {
            lines.add("  password-file: " + password.file());
        }
        Path file = folder.resolve("carillon.yaml");
        Files.createDirectories(folder);
        Files.write(file, lines);
        return new TrialDatabase(settings, List.of("--config", file.toString()), postgres);
    }

    private static DatabaseSettings settings(
            @Nullable String url, @Nullable String user, @Nullable Secret password) {
        return new DatabaseSettings(url, user, password, CONNECTIONS, MOST_WAITING, LONGEST_WAIT);
    }

    /** To open it from here while no server runs. */
    DatabaseSettings settings() {
        return settings;
    }

    /** Of {@code carillon run}. */
    List<String> arguments() {
        return arguments;
    }

    @Override
    public void close() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }
}

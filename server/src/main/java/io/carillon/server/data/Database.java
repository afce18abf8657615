package io.carillon.server.data;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.carillon.server.config.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of this server: opened, and brought to the present version of our tables, when
 * somebody needs it first. So a server whose applications keep nothing has no database. Any thread;
 * blocks.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final long WAIT_FOR_CONNECTION_MILLIS = 10_000;

    private final DatabaseSettings settings;

    /** Null where the settings name a database that is no file of H2's. */
    private final @Nullable EmbeddedDatabase embedded;

    private final LazyDataSource face;
    private @Nullable HikariDataSource pool;
    private boolean closed;

    /**
     * @param folder of the embedded database, where the settings name no other
     */
    public Database(DatabaseSettings settings, Path folder) {
        this.settings = settings;
        this.embedded = embedded(settings.url(), folder);
        this.face = new LazyDataSource(this, settings.maxWaiting());
    }

    private static @Nullable EmbeddedDatabase embedded(@Nullable String url, Path folder) {
        if (url == null) {
            return new EmbeddedDatabase(folder);
        }
        H2Url file = H2Url.of(url);
        return file == null ? null : new EmbeddedDatabase(file);
    }

    /** What is counted here, by the names of the status. Any thread. */
    public Map<String, Long> counters() {
        return Map.of(
                "database.waiting", (long) face.waiting(), "database.refused", face.refused());
    }

    /**
     * Takes the rights of others from the files of an embedded database that is there, opened or
     * not.
     *
     * @throws SQLException with a sentence for the user
     */
    public void closeToOthers() throws SQLException {
        EmbeddedDatabase files = embedded;
        if (files != null) {
            files.closeToOthersIfThere();
        }
    }

    /** Connections of the pool; the first one opens the database. */
    public DataSource dataSource() {
        return face;
    }

    /**
     * The open pool.
     *
     * @throws SQLException with a sentence for the user
     */
    synchronized HikariDataSource open() throws SQLException {
        if (closed) {
            throw new SQLException("the database is closed: the server is stopping");
        }
        HikariDataSource present = pool;
        if (present == null) {
            // The first to ask may be an application: its class loader does not know the drivers,
            // and the pool's threads must not keep it.
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(Database.class.getClassLoader());
            try {
                present = connect();
            } finally {
                thread.setContextClassLoader(before);
            }
            pool = present;
        }
        return present;
    }

    private HikariDataSource connect() throws SQLException {
        EmbeddedDatabase files = embedded;
        String url = files == null ? String.valueOf(settings.url()) : files.url();
        String user = settings.user() == null ? embeddedUser() : settings.user();
        String password;
        if (files != null) {
            files.closeToOthers();
        }
        try {
            password = password(user);
        } catch (SQLException e) {
            throw new SQLException("the database " + url + " cannot be opened: " + reason(e), e);
        }
        HikariConfig config = new HikariConfig();
        config.setPoolName("carillon");
        config.setJdbcUrl(url);
        if (url.startsWith("jdbc:h2:")) {
            config.setDriverClassName("org.h2.Driver");
        } else if (url.startsWith("jdbc:postgresql:")) {
            config.setDriverClassName("org.postgresql.Driver");
        }
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(WAIT_FOR_CONNECTION_MILLIS);
        config.setUsername(user);
        config.setPassword(password);
        HikariDataSource made = null;
        try {
            made = new HikariDataSource(config);
            Flyway.configure(Database.class.getClassLoader())
                    .dataSource(made)
                    .locations("classpath:db/carillon")
                    .table("carillon_schema")
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .load()
                    .migrate();
            if (files != null) {
                files.tightenWhatWasMade();
            }
            LOG.info("The database {} is open", url);
            return made;
        } catch (RuntimeException e) {
            if (made != null) {
                made.close();
            }
            throw new SQLException("the database " + url + " cannot be opened: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null
                && !(cause instanceof FlywayException)
                && !(cause instanceof SQLException own && own.getErrorCode() == 0)) {
            cause = cause.getCause();
        }
        String text = String.valueOf(cause.getMessage());
        if (text.contains("already in use") || text.contains("locked")) {
            return "another process has it open";
        }
        int line = text.indexOf('\n');
        return line < 0 ? text : text.substring(0, line);
    }

    private @Nullable String embeddedUser() {
        return settings.url() == null ? "carillon" : null;
    }

    private @Nullable String password(@Nullable String user) throws SQLException {
        Path file = settings.passwordFile();
        if (file == null) {
            EmbeddedDatabase files = embedded;
            return files != null && files.wantsPassword() ? files.password(user) : null;
        }
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? "" : lines.getFirst();
        } catch (IOException e) {
            throw new SQLException("database.password-file " + file + " cannot be read", e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        HikariDataSource present = pool;
        pool = null;
        if (present != null) {
            present.close();
            EmbeddedDatabase files = embedded;
            if (files != null) {
                files.tightenWhatWasMade(); // H2 may have rewritten its file
            }
        }
    }
}

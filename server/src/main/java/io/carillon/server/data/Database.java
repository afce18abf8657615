package io.carillon.server.data;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.carillon.server.config.DatabaseSettings;
import io.carillon.server.config.DatabaseUrl;
import io.carillon.server.config.Masks;
import io.carillon.server.config.Secret;
import io.carillon.telemetry.spans.CallTraces;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of this server: opened, and brought to the present version of our tables, when
 * somebody needs it first. So a server whose applications keep nothing has no database. Any thread;
 * blocks.
 */
@SuppressWarnings("SameNameButDifferent") // the pool's Override is no annotation
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    /** A database that has failed is opened again so often at most. */
    private static final long NANOS_BETWEEN_TRIES = 1_000_000_000L;

    private volatile DatabaseSettings settings;

    /** Null where the settings name a database that is no file of H2's. */
    private final @Nullable EmbeddedDatabase embedded;

    private final LazyDataSource face;
    private final LongSupplier nanos;
    private final AtomicLong failures = new AtomicLong();
    private @Nullable HikariDataSource pool;
    private @Nullable MeterRegistry registry;
    private boolean closed;

    /** The version of our tables in it; null: they have not been looked at. */
    private volatile @Nullable String schema;

    private long triedAt;

    /** Pools so far: what is heard of one that was closed says nothing of the present one. */
    private volatile int opened;

    /** Of the pool, or of the last try to open one; null while all is well. */
    private volatile @Nullable DatabaseFailure failure;

    /**
     * @param folder of the embedded database, where the settings name no other
     */
    public Database(DatabaseSettings settings, Path folder) {
        this(settings, folder, System::nanoTime);
    }

    Database(DatabaseSettings settings, Path folder, LongSupplier nanos) {
        this.nanos = nanos;
        this.settings = settings;
        this.embedded = embedded(settings.url(), folder);
        this.face = new LazyDataSource(this::open, settings.maxWaiting());
    }

    /** Where the data is: a URL, or a folder. Any thread. */
    public String place() {
        String given = settings.url();
        return given == null ? String.valueOf(embedded) : Masks.url(given);
    }

    private static @Nullable EmbeddedDatabase embedded(@Nullable String url, Path folder) {
        if (url == null) {
            return new EmbeddedDatabase(folder);
        }
        H2Url file = H2Url.of(new DatabaseUrl(url).toConnectBy());
        return file == null ? null : new EmbeddedDatabase(file);
    }

    /** What is counted here, by the names of the status. Any thread. */
    public Map<String, Long> counters() {
        return Map.of(
                "database.waiting",
                (long) face.waiting(),
                "database.refused",
                face.refused(),
                "database.failures",
                failures.get());
    }

    /** Why the database is of no use now, in a sentence; null while all is well. Any thread. */
    public @Nullable String failure() {
        DatabaseFailure present = failure;
        return present == null ? null : present.sentence();
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

    /** The pool's times go there; before it is opened. */
    public synchronized void measure(MeterRegistry meters) {
        registry = meters;
    }

    /**
     * From now on so many connections, waited for so long; the rest of the settings is as before.
     */
    public synchronized void resize(DatabaseSettings next) {
        settings = next;
        HikariDataSource present = pool;
        if (present != null) {
            present.setMaximumPoolSize(next.connections());
            present.setConnectionTimeout(next.maxWait().toMillis());
        }
    }

    /** Opens it where it is of no use now, if it can be; what is wrong then stays told. Blocks. */
    public void tryAgain() {
        try {
            open();
        } catch (SQLException e) {
            LOG.debug("The database is still of no use", e);
        }
    }

    /** Statements are spans of the calls that they are made for, from now on. Any thread. */
    public void follow(CallTraces traces) {
        face.watch(new StatementSpans(traces)::watched);
    }

    /** Where its data is; null where it is no file of H2's on this machine. Any thread. */
    public @Nullable DatabaseFiles files() {
        EmbeddedDatabase present = embedded;
        return present == null ? null : new DatabaseFiles(present.file(), present.passwordFile());
    }

    /**
     * Writes a copy of an embedded database into a ZIP file, while it is used: of one moment, with
     * all that was committed until then. Opens the database. Blocks.
     *
     * @return the version of the tables in it
     * @throws SQLException with a sentence for the user
     */
    public String copyTo(Path zip) throws SQLException {
        try (Connection connection = open().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("BACKUP TO '" + zip.toString().replace("'", "''") + "'");
        }
        return String.valueOf(schema);
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
        DatabaseFailure since = failure;
        HikariDataSource present = pool;
        if (since != null) {
            if (nanos.getAsLong() - triedAt < NANOS_BETWEEN_TRIES) {
                throw new SQLException(since.sentence(), since.cause());
            }
            if (present != null) {
                // H2 stays closed until every connection to it has gone.
                pool = null;
                present.close();
                present = null;
            }
        }
        if (present == null) {
            triedAt = nanos.getAsLong();
            // The first to ask may be an application: its class loader does not know the drivers,
            // and the pool's threads must not keep it.
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(Database.class.getClassLoader());
            try {
                present = connect();
            } catch (SQLException e) {
                failed(new DatabaseFailure(String.valueOf(e.getMessage()), e));
                throw e;
            } finally {
                thread.setContextClassLoader(before);
            }
            pool = present;
            if (since != null) {
                failure = null;
                LOG.warn("The database is open again");
            }
        }
        return present;
    }

    /**
     * Sees every exception of the pool's connections. Any thread, also one that waits for the
     * monitor's owner: takes none.
     */
    private SQLExceptionOverride.Override seen(int pool, String url, SQLException e) {
        if (pool != opened || !DatabaseFailure.isFatal(e)) {
            return SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
        failed(
                new DatabaseFailure(
                        "the database "
                                + Masks.url(url)
                                + " has failed: "
                                + DatabaseFailure.root(e)
                                + "; it is opened again when somebody needs it",
                        e));
        return SQLExceptionOverride.Override.MUST_EVICT;
    }

    private void failed(DatabaseFailure now) {
        boolean first = failure == null;
        failure = now;
        if (first) {
            failures.incrementAndGet();
            LOG.error("There is no database now: {}", now.sentence());
        }
    }

    private static void chooseDriver(HikariConfig config, String url) {
        if (url.startsWith("jdbc:h2:")) {
            config.setDriverClassName("org.h2.Driver");
        } else if (url.startsWith("jdbc:postgresql:")) {
            config.setDriverClassName("org.postgresql.Driver");
        }
    }

    private HikariDataSource connect() throws SQLException {
        EmbeddedDatabase files = embedded;
        String given = settings.url();
        String url =
                files != null ? files.url() : new DatabaseUrl(String.valueOf(given)).toConnectBy();
        String user = settings.user() == null ? embeddedUser() : settings.user();
        String password;
        if (files != null) {
            files.closeToOthers();
        }
        try {
            password = password(user);
        } catch (SQLException e) {
            throw notOpened(url, e);
        }
        HikariConfig config = new HikariConfig();
        config.setPoolName("carillon");
        config.setJdbcUrl(url);
        chooseDriver(config, url);
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.maxWait().toMillis());
        if (registry != null) {
            config.setMetricRegistry(registry);
        }
        config.setUsername(user);
        config.setPassword(password);
        int number = opened + 1;
        opened = number; // with our monitor
        config.setExceptionOverride(
                new SQLExceptionOverride() {
                    @java.lang.Override
                    public Override adjudicate(SQLException e) {
                        return seen(number, url, e);
                    }
                });
        HikariDataSource made = null;
        try {
            made = new HikariDataSource(config);
            if (schema != null) {
                tryToWrite(made);
            } else {
                schema = Tables.bringUpToDate(made);
            }
            if (files != null) {
                files.tightenWhatWasMade();
            }
            LOG.info("The database {} is open", Masks.url(url));
            warnOfMemory(given);
            return made;
        } catch (RuntimeException | SQLException e) {
            if (made != null) {
                made.close();
            }
            throw notOpened(url, e);
        }
    }

    private static void warnOfMemory(@Nullable String url) {
        if (url != null && new DatabaseUrl(url).isInMemory()) {
            LOG.warn(
                    "The database {} is in memory: it is lost when this process ends",
                    Masks.url(url));
        }
    }

    private static SQLException notOpened(String url, Exception why) {
        return new SQLException(
                "the database " + Masks.url(url) + " cannot be opened: " + reason(why), why);
    }

    /** A database that opens may be on a disk that is full all the same. */
    private static void tryToWrite(DataSource made) throws SQLException {
        try (Connection connection = made.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COMMENT ON TABLE \""
                            + Tables.SCHEMA
                            + "\" IS 'opened again at "
                            + Instant.now()
                            + "'");
        }
    }

    private static String reason(Exception e) {
        if (DatabaseFailure.isOfFiles(e)) {
            return DatabaseFailure.root(e);
        }
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
        Secret given = settings.password();
        if (given == null) {
            EmbeddedDatabase files = embedded;
            return files != null && files.wantsPassword() ? files.password(user) : null;
        }
        try {
            return given.value();
        } catch (IOException e) {
            throw new SQLException("database.password-file: " + e.getMessage(), e);
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

package io.carillon.server.data;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The data source that applications see: opens the database with the first connection. */
final class LazyDataSource implements DataSource {
    /** What opens the database. */
    @FunctionalInterface
    interface Opening {
        /**
         * The open pool.
         *
         * @throws SQLException with a sentence for the user
         */
        DataSource open() throws SQLException;
    }

    private final Opening database;
    private final int most;
    private final AtomicInteger asking = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable UnaryOperator<Connection> watch;

    /**
     * @param most threads that may be asking for a connection at once
     */
    LazyDataSource(Opening database, int most) {
        this.database = database;
        this.most = most;
    }

    /**
     * @throws SQLTransientConnectionException when none became free in time, or too many wait
     */
    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (asking.incrementAndGet() > most) {
                throw new SQLTransientConnectionException(
                        most + " requests wait for a connection to the database already");
            }
            Connection connection = database.open().getConnection();
            UnaryOperator<Connection> around = watch;
            return around == null ? connection : around.apply(connection);
        } catch (SQLTransientConnectionException none) {
            refused.increment();
            throw none;
        } finally {
            asking.decrementAndGet();
        }
    }

    /** Connections are given to that one first, from now on. */
    void watch(UnaryOperator<Connection> around) {
        watch = around;
    }

    /** Threads that wait for a connection now. */
    int waiting() {
        return asking.get();
    }

    /** Requests that got no connection, since the start. */
    long refused() {
        return refused.sum();
    }

    /** The pool has one user. */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the pool's connections have the pool's user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return database.open().getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        database.open().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.open().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.open().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the pool does not log by java.util.logging");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : database.open().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || database.open().isWrapperFor(type);
    }
}

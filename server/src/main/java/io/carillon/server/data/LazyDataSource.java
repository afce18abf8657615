package io.carillon.server.data;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The data source that applications see: opens the database with the first connection. */
final class LazyDataSource implements DataSource {
    private final Database database;

    LazyDataSource(Database database) {
        this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return database.open().getConnection();
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

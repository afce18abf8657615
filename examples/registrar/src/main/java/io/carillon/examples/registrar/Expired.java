package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Takes away what has expired and is never registered again, and the GRUUs that went with it: once
 * a minute, a bounded number, with a REGISTER of whomsoever. Without any REGISTER nothing grows.
 * Any thread; one at a time does it, the others go on.
 */
final class Expired {
    private static final long EVERY_MILLIS = 60_000;
    private static final int MOST = 500;

    private final DataSource database;
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    private static final class Row {
        final String aor;
        final String contact;
        final String instance;

        Row(String aor, String contact, String instance) {
            this.aor = aor;
            this.contact = contact;
            this.instance = instance;
        }
    }

    Expired(DataSource database) {
        this.database = database;
    }

    /** Where it is time. As long as there is more, the next call goes on. */
    void sweep(long nowMillis) throws SQLException {
        long due = next.get();
        if (nowMillis < due || !next.compareAndSet(due, nowMillis + EVERY_MILLIS)) {
            return;
        }
        if (remove(nowMillis) == MOST) {
            next.set(nowMillis);
        }
    }

    private int remove(long nowMillis) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                List<Row> rows = rows(connection, nowMillis);
                for (Row row : rows) {
                    remove(connection, row, nowMillis);
                }
                connection.commit();
                return rows.size();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** In the order in which a change locks them, so that neither waits for the other for ever. */
    private static List<Row> rows(Connection connection, long nowMillis) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT aor, contact, instance FROM (SELECT aor, contact, instance FROM"
                                + " registrar_binding WHERE expires_at <= ? ORDER BY expires_at"
                                + " FETCH FIRST "
                                + MOST
                                + " ROWS ONLY) gone ORDER BY aor, contact")) {
            select.setLong(1, nowMillis);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(row.getString(1), row.getString(2), row.getString(3)));
                }
            }
        }
        return rows;
    }

    /** Not what has been registered anew since. */
    private static void remove(Connection connection, Row row, long nowMillis) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM registrar_binding"
                                + " WHERE aor = ? AND contact = ? AND expires_at <= ?")) {
            delete.setString(1, row.aor);
            delete.setString(2, row.contact);
            delete.setLong(3, nowMillis);
            delete.executeUpdate();
        }
        if (!row.instance.isEmpty()) {
            try (PreparedStatement delete =
                    connection.prepareStatement(
                            "DELETE FROM registrar_gruu WHERE aor = ? AND instance = ?"
                                    + " AND NOT EXISTS (SELECT 1 FROM registrar_binding b"
                                    + " WHERE b.aor = ? AND b.instance = ?)")) {
                delete.setString(1, row.aor);
                delete.setString(2, row.instance);
                delete.setString(3, row.aor);
                delete.setString(4, row.instance);
                delete.executeUpdate();
            }
        }
    }
}

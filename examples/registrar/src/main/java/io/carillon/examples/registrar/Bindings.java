package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;

/** The bindings in the database. A change is there, or it is not: one transaction. */
final class Bindings {
    private final DataSource database;

    Bindings(DataSource database) throws SQLException {
        this.database = database;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS registrar_binding (aor VARCHAR(300) NOT NULL,"
                            + " contact VARCHAR(500) NOT NULL, q REAL NOT NULL, expires_at BIGINT NOT NULL,"
                            + " call_id VARCHAR(300) NOT NULL, cseq BIGINT NOT NULL, path VARCHAR(2000) NOT NULL,"
                            + " PRIMARY KEY (aor, contact))");
        }
    }

    /** What is bound now, best first. */
    List<Binding> of(String aor, long nowMillis) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return of(connection, aor, nowMillis);
        }
    }

    private static List<Binding> of(Connection connection, String aor, long nowMillis)
            throws SQLException {
        List<Binding> found = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT contact, q, expires_at, call_id, cseq, path FROM registrar_binding"
                                + " WHERE aor = ? AND expires_at > ? ORDER BY q DESC, contact")) {
            select.setString(1, aor);
            select.setLong(2, nowMillis);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    String path = row.getString(6);
                    found.add(
                            new Binding(
                                    row.getString(1),
                                    row.getFloat(2),
                                    row.getLong(3),
                                    row.getString(4),
                                    row.getLong(5),
                                    path.isEmpty() ? List.of() : Arrays.asList(path.split("\n"))));
                }
            }
        }
        return found;
    }

    /** Puts these in place of those with the same contact; removes the others named. */
    List<Binding> change(String aor, List<String> gone, List<Binding> put, long nowMillis)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                delete(connection, aor, gone);
                insert(connection, aor, put);
                List<Binding> now = of(connection, aor, nowMillis);
                connection.commit();
                return now;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private static void delete(Connection connection, String aor, List<String> contacts)
            throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement(
                        "DELETE FROM registrar_binding WHERE aor = ? AND contact = ?")) {
            for (String contact : contacts) {
                delete.setString(1, aor);
                delete.setString(2, contact);
                delete.executeUpdate();
            }
        }
    }

    private static void insert(Connection connection, String aor, List<Binding> put)
            throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO registrar_binding (aor, contact, q, expires_at, call_id, cseq, path)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            for (Binding one : put) {
                insert.setString(1, aor);
                insert.setString(2, one.contact);
                insert.setFloat(3, one.q);
                insert.setLong(4, one.expiresAtMillis);
                insert.setString(5, one.callId);
                insert.setLong(6, one.cseq);
                insert.setString(7, String.join("\n", one.path));
                insert.executeUpdate();
            }
        }
    }
}

package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.servlet.ServletException;
import javax.sql.DataSource;

/** The bindings in the database. A change is there, or it is not: one transaction. */
final class Bindings {
    private static final int TRIES = 5;
    private static final Comparator<Binding> BEST_FIRST =
            Comparator.<Binding>comparingDouble(binding -> -binding.q)
                    .thenComparing(binding -> binding.contact);

    private final DataSource database;

    /** So that many registrations of one phone wait here, and not each with a connection. */
    private final Object[] turns = Stream.generate(Object::new).limit(256).toArray();

    /** Says what becomes of the bindings of an address of record; may be asked again. */
    interface Decision {
        List<Binding> after(List<Binding> before) throws ServletException;
    }

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
            return live(select(connection, aor, "").values(), nowMillis);
        }
    }

    /** Changes what is bound, and answers it. What has expired goes away with the change. */
    List<Binding> change(String aor, long nowMillis, Decision decision)
            throws SQLException, ServletException {
        synchronized (turns[Math.floorMod(aor.hashCode(), turns.length)]) {
            return changeAlone(aor, nowMillis, decision);
        }
    }

    private List<Binding> changeAlone(String aor, long nowMillis, Decision decision)
            throws SQLException, ServletException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int tries = 1; ; tries++) {
                try {
                    // Locked, so that the later one sees the earlier one's, of another server too.
                    Map<String, Binding> before = select(connection, aor, " FOR UPDATE");
                    List<Binding> after = decision.after(live(before.values(), nowMillis));
                    write(connection, aor, before, after);
                    connection.commit();
                    return live(after, nowMillis);
                } catch (SQLException e) {
                    connection.rollback();
                    if (tries == TRIES || !isRace(e)) {
                        throw e;
                    }
                } catch (ServletException | RuntimeException e) {
                    connection.rollback();
                    throw e;
                }
            }
        }
    }

    /** Nothing is locked where nothing was: another one may have inserted the same contact. */
    private static boolean isRace(SQLException e) {
        return "23505".equals(e.getSQLState()) || "40001".equals(e.getSQLState());
    }

    private static List<Binding> live(Iterable<Binding> all, long nowMillis) {
        List<Binding> live = new ArrayList<>();
        for (Binding one : all) {
            if (one.expiresAtMillis > nowMillis) {
                live.add(one);
            }
        }
        live.sort(BEST_FIRST);
        return live;
    }

    private static Map<String, Binding> select(Connection connection, String aor, String lock)
            throws SQLException {
        Map<String, Binding> found = new LinkedHashMap<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "SELECT contact, q, expires_at, call_id, cseq, path FROM registrar_binding"
                                + " WHERE aor = ? ORDER BY contact"
                                + lock)) {
            select.setString(1, aor);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    String path = row.getString(6);
                    found.put(
                            row.getString(1),
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

    private static void write(
            Connection connection, String aor, Map<String, Binding> before, List<Binding> after)
            throws SQLException {
        Map<String, Binding> gone = new LinkedHashMap<>(before);
        for (Binding one : after) {
            Binding old = gone.remove(one.contact);
            if (old == null) {
                put(
                        connection,
                        "INSERT INTO registrar_binding (q, expires_at, call_id, cseq, path, aor, contact)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        aor,
                        one);
            } else if (old != one) {
                put(
                        connection,
                        "UPDATE registrar_binding SET q = ?, expires_at = ?, call_id = ?, cseq = ?,"
                                + " path = ? WHERE aor = ? AND contact = ?",
                        aor,
                        one);
            }
        }
        for (String contact : gone.keySet()) {
            try (PreparedStatement delete =
                    connection.prepareStatement(
                            "DELETE FROM registrar_binding WHERE aor = ? AND contact = ?")) {
                delete.setString(1, aor);
                delete.setString(2, contact);
                delete.executeUpdate();
            }
        }
    }

    private static void put(Connection connection, String sql, String aor, Binding one)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFloat(1, one.q);
            statement.setLong(2, one.expiresAtMillis);
            statement.setString(3, one.callId);
            statement.setLong(4, one.cseq);
            statement.setString(5, String.join("\n", one.path));
            statement.setString(6, aor);
            statement.setString(7, one.contact);
            statement.executeUpdate();
        }
    }
}

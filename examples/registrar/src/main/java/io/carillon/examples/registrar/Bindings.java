package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.sql.DataSource;

/** The bindings in the database. A change is there, or it is not: one transaction. */
final class Bindings {
    private static final int TRIES = 5;
    private static final Comparator<Binding> BEST_FIRST =
            Comparator.<Binding>comparingDouble(binding -> -binding.q)
                    .thenComparing(binding -> -binding.updatedAtMillis)
                    .thenComparing(Binding::key);
    private static final List<String> ADDED =
            List.of(
                    "uri VARCHAR(500) DEFAULT '' NOT NULL",
                    "instance VARCHAR(300) DEFAULT '' NOT NULL",
                    "reg_id INT DEFAULT 0 NOT NULL",
                    "flow VARCHAR(500) DEFAULT '' NOT NULL",
                    "params VARCHAR(2000) DEFAULT '' NOT NULL",
                    "updated_at BIGINT DEFAULT 0 NOT NULL");
    private static final String COLUMNS =
            "q, expires_at, call_id, cseq, path, uri, instance, reg_id, flow, params, updated_at";

    private final DataSource database;

    private final Turns turns = new Turns();

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
            // Rows of before are whole: what they have not is the default. The column contact is
            // the key, see Binding.key; uri is the Contact where that is another text.
            for (String column : ADDED) {
                statement.execute(
                        "ALTER TABLE registrar_binding ADD COLUMN IF NOT EXISTS " + column);
            }
            statement.execute(
                    "CREATE INDEX IF NOT EXISTS registrar_binding_expires"
                            + " ON registrar_binding (expires_at)");
            statement.execute(Gruus.TABLE);
            EarlierTables.convert(connection);
        }
    }

    /** What is bound now, best first. */
    List<Binding> of(String aor, long nowMillis) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return live(select(connection, aor, "").values(), nowMillis);
        }
    }

    /**
     * Changes what is bound, and answers it. What has expired goes away with the change.
     *
     * @throws Refused 503 where too many changes of this address of record wait
     */
    List<Binding> change(String aor, long nowMillis, Decision decision)
            throws SQLException, ServletException {
        return turns.take(aor, () -> changeAlone(aor, nowMillis, decision));
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
                        "SELECT "
                                + COLUMNS
                                + ", contact FROM registrar_binding"
                                + " WHERE aor = ? ORDER BY contact"
                                + lock)) {
            select.setString(1, aor);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    found.put(row.getString("contact"), binding(row));
                }
            }
        }
        return found;
    }

    private static Binding binding(ResultSet row) throws SQLException {
        String path = row.getString("path");
        String uri = row.getString("uri");
        return new Binding.Draft(
                        uri.isEmpty() ? row.getString("contact") : uri, row.getLong("expires_at"))
                .q(row.getFloat("q"))
                .by(row.getString("call_id"), row.getLong("cseq"), row.getLong("updated_at"))
                .path(path.isEmpty() ? List.of() : Arrays.asList(path.split("\n")))
                .instance(row.getString("instance"), row.getInt("reg_id"))
                .flow(row.getString("flow"))
                .params(row.getString("params"))
                .build();
    }

    private static void write(
            Connection connection, String aor, Map<String, Binding> before, List<Binding> after)
            throws SQLException {
        Map<String, Binding> gone = new LinkedHashMap<>(before);
        for (Binding one : after) {
            Binding old = gone.remove(one.key());
            if (old == null) {
                put(
                        connection,
                        "INSERT INTO registrar_binding ("
                                + COLUMNS
                                + ", aor, contact) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        aor,
                        one);
            } else if (old != one) {
                put(
                        connection,
                        "UPDATE registrar_binding SET "
                                + COLUMNS.replace(",", " = ?,")
                                + " = ? WHERE aor = ? AND contact = ?",
                        aor,
                        one);
            }
        }
        for (String key : gone.keySet()) {
            try (PreparedStatement delete =
                    connection.prepareStatement(
                            "DELETE FROM registrar_binding WHERE aor = ? AND contact = ?")) {
                delete.setString(1, aor);
                delete.setString(2, key);
                delete.executeUpdate();
            }
        }
        Set<String> left = new HashSet<>();
        after.forEach(one -> left.add(one.instance));
        for (Binding one : gone.values()) {
            if (!one.instance.isEmpty() && left.add(one.instance)) {
                Gruus.forget(connection, aor, one.instance);
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
            statement.setString(6, one.contact);
            statement.setString(7, one.instance);
            statement.setInt(8, one.regId);
            statement.setString(9, one.flow);
            statement.setString(10, one.params);
            statement.setLong(11, one.updatedAtMillis);
            statement.setString(12, aor);
            statement.setString(13, one.key());
            statement.executeUpdate();
        }
    }
}

package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of an earlier version of this example, which had an address of record for each host that a
 * user wrote: they become those of his one address of record. Of two that are alike now one stays.
 */
final class EarlierTables {
    private static final int AT_ONCE = 1000;

    private EarlierTables() {}

    static void convert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "DELETE FROM registrar_gruu WHERE NOT EXISTS (SELECT 1 FROM registrar_binding b"
                            + " WHERE b.aor = registrar_gruu.aor"
                            + " AND b.instance = registrar_gruu.instance)");
        }
        for (List<String> some = earlier(connection); !some.isEmpty(); some = earlier(connection)) {
            for (String aor : some) {
                move(connection, "registrar_gruu", "instance", aor);
                move(connection, "registrar_binding", "contact", aor);
            }
        }
    }

    private static List<String> earlier(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT DISTINCT aor FROM registrar_binding WHERE aor NOT LIKE '%"
                                        + Binding.ANY_HOST
                                        + "' FETCH FIRST "
                                        + AT_ONCE
                                        + " ROWS ONLY")) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }

    private static void move(Connection connection, String table, String key, String aor)
            throws SQLException {
        String user = aor.substring("sip:".length(), aor.lastIndexOf('@'));
        String one = Binding.addressOfRecord(user);
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE "
                                + table
                                + " SET aor = ? WHERE aor = ? AND NOT EXISTS (SELECT 1 FROM "
                                + table
                                + " b WHERE b.aor = ? AND b."
                                + key
                                + " = "
                                + table
                                + "."
                                + key
                                + ")")) {
            update.setString(1, one);
            update.setString(2, aor);
            update.setString(3, one);
            update.executeUpdate();
        }
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM " + table + " WHERE aor = ?")) {
            delete.setString(1, aor);
            delete.executeUpdate();
        }
    }
}

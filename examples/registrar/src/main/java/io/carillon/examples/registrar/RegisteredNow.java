package io.carillon.examples.registrar;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Tells administrators who is registered: the server finds it in the context, as the attribute
 * {@code io.carillon.registrations} (docs/guides/administration.md). Any thread; asks the database.
 */
final class RegisteredNow implements Function<Map<String, String>, List<Map<String, String>>> {
    static final String ATTRIBUTE = "io.carillon.registrations";
    private static final String QUERY =
            "SELECT aor, contact, uri, q, expires_at, instance, path, updated_at"
                    + " FROM registrar_binding WHERE expires_at > ?"
                    + " AND (aor > ? OR (aor = ? AND contact > ?))"
                    + " AND (LOWER(aor) LIKE ? ESCAPE '!' OR LOWER(contact) LIKE ? ESCAPE '!')"
                    + " ORDER BY aor, contact LIMIT ?";

    private final DataSource database;

    RegisteredNow(DataSource database) {
        this.database = database;
    }

    @Override
    public List<Map<String, String>> apply(Map<String, String> question) {
        String after = question.get("after");
        int blank = after.indexOf(' ');
        String aor = blank < 0 ? after : after.substring(0, blank);
        String contact = blank < 0 ? "" : after.substring(blank + 1);
        String like =
                "%"
                        + question.get("text")
                                .toLowerCase(Locale.ROOT)
                                .replace("!", "!!")
                                .replace("%", "!%")
                                .replace("_", "!_")
                        + "%";
        List<Map<String, String>> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(QUERY)) {
            select.setLong(1, System.currentTimeMillis());
            select.setString(2, aor);
            select.setString(3, aor);
            select.setString(4, contact);
            select.setString(5, like);
            select.setString(6, like);
            select.setInt(7, Integer.parseInt(question.get("limit")));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(row(row));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("bindings: " + e.getMessage(), e);
        }
        return rows;
    }

    private static Map<String, String> row(ResultSet row) throws SQLException {
        String uri = row.getString("uri");
        String contact = row.getString("contact");
        Map<String, String> shown = new LinkedHashMap<>();
        // An address of record has no blank.
        shown.put("place", row.getString("aor") + " " + contact);
        shown.put("aor", row.getString("aor"));
        shown.put("contact", uri.isEmpty() ? contact : uri);
        shown.put("expires", Instant.ofEpochMilli(row.getLong("expires_at")).toString());
        shown.put("updated", Instant.ofEpochMilli(row.getLong("updated_at")).toString());
        shown.put("q", Float.toString(row.getFloat("q")));
        shown.put("instance", row.getString("instance"));
        shown.put("path", row.getString("path").replace('\n', ','));
        return shown;
    }
}

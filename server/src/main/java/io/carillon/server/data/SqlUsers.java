package io.carillon.server.data;

import io.carillon.servlet.feature.security.UserStore;
import io.carillon.sip.auth.DigestAlgorithm;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** Users in the database. Any thread; blocks. */
public final class SqlUsers implements UserStore {
    private final Jdbi jdbi;
    private final String place;
    private volatile Runnable changed = () -> {};

    /** A user without what stands for the password. */
    public record Listed(String realm, String name, List<String> roles) {}

    public SqlUsers(Database database) {
        this.place = database.place();
        this.jdbi = Jdbi.create(database.dataSource());
    }

    /** Where they are, as {@link Database#place} says. */
    public String place() {
        return place;
    }

    /** Called after each change, so that what was remembered is forgotten. */
    public void onChange(Runnable listener) {
        changed = listener;
    }

    @Override
    public @Nullable User find(String realm, String name) {
        try {
            return jdbi.withHandle(handle -> find(handle, realm, name));
        } catch (JdbiException e) {
            String message = "users cannot be read: " + e.getMessage();
            if (e.getCause() instanceof SQLTransientException) {
                throw new Busy(message, e); // no connection became free
            }
            throw new IllegalStateException(message, e);
        }
    }

    private static @Nullable User find(Handle handle, String realm, String name) {
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        handle.select(
                        "SELECT algorithm, ha1 FROM carillon_user_digest WHERE realm = ? AND name = ?",
                        realm,
                        name)
                .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(entry -> {
                    DigestAlgorithm algorithm = DigestAlgorithm.of(entry.getKey());
                    if (algorithm != null) {
                        ha1.put(algorithm, entry.getValue());
                    }
                });
        return ha1.isEmpty() ? null : new User(name, ha1, Set.copyOf(roles(handle, realm, name)));
    }

    private static List<String> roles(Handle handle, String realm, String name) {
        return handle.select(
                        "SELECT role FROM carillon_user_role WHERE realm = ? AND name = ? ORDER BY role",
                        realm,
                        name)
                .mapTo(String.class)
                .list();
    }

    /** False when there is one of that name. */
    public boolean add(String realm, String name, String password, Set<String> roles) {
        boolean added =
                jdbi.inTransaction(handle -> {
                    if (exists(handle, realm, name)) {
                        return false;
                    }
                    handle.execute(
                            "INSERT INTO carillon_user (realm, name) VALUES (?, ?)", realm, name);
                    digests(handle, realm, name, password);
                    setRoles(handle, realm, name, roles);
                    return true;
                });
        changed.run();
        return added;
    }

    private static boolean exists(Handle handle, String realm, String name) {
        return handle.select(
                                "SELECT COUNT(*) FROM carillon_user WHERE realm = ? AND name = ?",
                                realm,
                                name)
                        .mapTo(Integer.class)
                        .one()
                        .intValue()
                > 0;
    }

    private static void digests(Handle handle, String realm, String name, String password) {
        handle.execute(
                "DELETE FROM carillon_user_digest WHERE realm = ? AND name = ?", realm, name);
        for (DigestAlgorithm one : DigestAlgorithm.values()) {
            handle.execute(
                    "INSERT INTO carillon_user_digest (realm, name, algorithm, ha1) VALUES (?, ?, ?, ?)",
                    realm,
                    name,
                    one.token(),
                    one.ha1(name, realm, password));
        }
    }

    private static void setRoles(Handle handle, String realm, String name, Set<String> roles) {
        handle.execute("DELETE FROM carillon_user_role WHERE realm = ? AND name = ?", realm, name);
        for (String role : new TreeSet<>(roles)) {
            handle.execute(
                    "INSERT INTO carillon_user_role (realm, name, role) VALUES (?, ?, ?)",
                    realm,
                    name,
                    role);
        }
    }

    /** False when there is none of that name. */
    public boolean remove(String realm, String name) {
        int rows =
                jdbi.withHandle(handle ->
                        handle.execute(
                                "DELETE FROM carillon_user WHERE realm = ? AND name = ?",
                                realm,
                                name));
        changed.run();
        return rows > 0;
    }

    /** False when there is none of that name. */
    public boolean password(String realm, String name, String password) {
        boolean known =
                jdbi.inTransaction(handle -> {
                    if (!exists(handle, realm, name)) {
                        return false;
                    }
                    digests(handle, realm, name, password);
                    return true;
                });
        changed.run();
        return known;
    }

    /** Replaces the roles. False when there is no user of that name. */
    public boolean roles(String realm, String name, Set<String> roles) {
        boolean known =
                jdbi.inTransaction(handle -> {
                    if (!exists(handle, realm, name)) {
                        return false;
                    }
                    setRoles(handle, realm, name, roles);
                    return true;
                });
        changed.run();
        return known;
    }

    /** All users by realm and name: one question, however many they are. */
    public List<Listed> list() {
        return listed("carillon_user");
    }

    /**
     * Some of them, in the order of realm and name.
     *
     * @param text anywhere in name or realm, whatever its case; empty: all
     * @param limit so many at most
     * @param after the last of the page before; empty texts for the first page
     */
    public List<Listed> page(String text, int limit, Listed after) {
        String like = "%" + text.toLowerCase(Locale.ROOT).replaceAll("([!%_])", "!$1") + "%";
        return listed(
                "(SELECT realm, name FROM carillon_user"
                        + " WHERE (realm > ? OR (realm = ? AND name > ?))"
                        + " AND (LOWER(name) LIKE ? ESCAPE '!' OR LOWER(realm) LIKE ? ESCAPE '!')"
                        + " ORDER BY realm, name LIMIT ?)",
                after.realm(),
                after.realm(),
                after.name(),
                like,
                like,
                limit);
    }

    /** The one of that name; empty where there is none. */
    public List<Listed> list(String realm, String name) {
        return listed(
                "(SELECT realm, name FROM carillon_user WHERE realm = ? AND name = ?)",
                realm,
                name);
    }

    private List<Listed> listed(String those, Object... values) {
        record Key(String realm, String name) {}
        Map<Key, List<String>> all = new LinkedHashMap<>();
        jdbi.useHandle(handle ->
                handle.select(
                                "SELECT u.realm, u.name, r.role FROM "
                                        + those
                                        + " u LEFT JOIN carillon_user_role r"
                                        + " ON r.realm = u.realm AND r.name = u.name"
                                        + " ORDER BY u.realm, u.name, r.role",
                                values)
                        .map((row, context) -> {
                            List<String> roles =
                                    all.computeIfAbsent(
                                            new Key(row.getString(1), row.getString(2)),
                                            same -> new ArrayList<>(1));
                            String role = row.getString(3);
                            return role == null || roles.add(role);
                        })
                        .list());
        return all.entrySet().stream()
                .map(one -> new Listed(one.getKey().realm(), one.getKey().name(), one.getValue()))
                .toList();
    }
}

package io.carillon.server.data;

import io.carillon.server.audit.AuditedCommands;
import io.carillon.server.control.ControlFailure;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What {@code carillon users} asks for, of the running server or of the database alone. */
public final class UserRequests {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LONGEST = 255;

    /** What is to be done. */
    public enum Action {
        ADD,
        REMOVE,
        PASSWD,
        ROLES,
        LIST
    }

    /**
     * One line on the control socket, which only the server's owner may open.
     *
     * @param realm null: the server's default
     * @param name of the user; null for a list of all
     * @param password for ADD and PASSWD
     * @param roles for ADD and ROLES
     * @param database which one is meant ({@link Database#place}); null: the server's
     * @param page for LIST; null: all
     */
    public record Asked(
            Action action,
            @Nullable String realm,
            @Nullable String name,
            @Nullable String password,
            @Nullable List<String> roles,
            @Nullable String database,
            @Nullable Page page) {
        /** Without a page. */
        public Asked(
                Action action,
                @Nullable String realm,
                @Nullable String name,
                @Nullable String password,
                @Nullable List<String> roles,
                @Nullable String database) {
            this(action, realm, name, password, roles, database, null);
        }

        /** Of some users. */
        public static Asked of(Page page) {
            return new Asked(Action.LIST, null, null, null, null, null, page);
        }

        /** The same of that database alone. */
        public Asked of(@Nullable String meant) {
            return new Asked(action, realm, name, password, roles, meant, page);
        }

        /** As one line. */
        public String line() {
            return JSON.writeValueAsString(this);
        }

        @Override
        public String toString() {
            return action + " " + name + "@" + realm; // no password in logs
        }
    }

    /** Some users, as {@link SqlUsers#page} takes it. */
    public record Page(String text, int limit, SqlUsers.Listed after) {}

    private final SqlUsers users;
    private final String defaultRealm;
    private final String database;

    /**
     * @param database where the users are, as {@link Database#place} says
     */
    public UserRequests(SqlUsers users, String defaultRealm, String database) {
        this.users = users;
        this.defaultRealm = defaultRealm;
        this.database = database;
    }

    /** What is asked for, without passwords; null: it changes nothing, or cannot be read. */
    public static @Nullable String told(String line) {
        try {
            Asked asked = JSON.readValue(line, Asked.class);
            return asked.action() == Action.LIST ? null : asked.toString();
        } catch (JacksonException e) {
            return null; // it will be refused
        }
    }

    /** Where it is seen how the user stands whom it is about; null: it cannot be read. */
    public static AuditedCommands.@Nullable Look look(String command, String line) {
        try {
            Asked asked = JSON.readValue(line, Asked.class);
            String name = asked.name() == null ? "" : asked.name();
            return new AuditedCommands.Look(
                    command,
                    new Asked(Action.LIST, asked.realm(), name, null, null, asked.database())
                            .line(),
                    name);
        } catch (JacksonException e) {
            return null; // it will be refused
        }
    }

    /**
     * Does it.
     *
     * @return JSON: the users for LIST, of which a name may be given; else the user
     */
    public String answer(String line) throws ControlFailure {
        Asked asked;
        try {
            asked = JSON.readValue(line, Asked.class);
        } catch (JacksonException e) {
            throw new ControlFailure("the request for users cannot be read", e);
        }
        String meant = asked.database();
        if (meant != null && !meant.equals(database)) {
            throw new ControlFailure(
                    "the running server keeps its users in "
                            + database
                            + ", and the file of --config names "
                            + meant
                            + "; leave --config out, or stop the server first");
        }
        try {
            return JSON.writeValueAsString(
                    asked.action() == Action.LIST ? listed(asked) : done(asked));
        } catch (JdbiException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String reason =
                    DatabaseFailure.isOfFiles(e)
                            ? "the database cannot be used: " + DatabaseFailure.root(e)
                            : String.valueOf(cause.getMessage());
            int end = reason.indexOf('\n');
            throw new ControlFailure(end < 0 ? reason : reason.substring(0, end), e);
        }
    }

    private List<SqlUsers.Listed> listed(Asked asked) {
        String name = asked.name();
        Page page = asked.page();
        if (page != null) {
            return users.page(page.text(), page.limit(), page.after());
        }
        return name == null
                ? users.list()
                : users.list(asked.realm() == null ? defaultRealm : asked.realm(), name);
    }

    private SqlUsers.Listed done(Asked asked) throws ControlFailure {
        String realm = text("realm", asked.realm() == null ? defaultRealm : asked.realm());
        String name = text("name", asked.name());
        List<String> given = asked.roles();
        Set<String> roles = given == null ? Set.of() : Set.copyOf(given);
        for (String role : roles) {
            text("role", role);
        }
        boolean known =
                switch (asked.action()) {
                    case ADD -> {
                        if (!users.add(realm, name, password(asked), roles)) {
                            throw new ControlFailure(
                                    "user " + name + " exists in realm " + realm + " already");
                        }
                        yield true;
                    }
                    case REMOVE -> users.remove(realm, name);
                    case PASSWD -> users.password(realm, name, password(asked));
                    case ROLES -> users.roles(realm, name, roles);
                    case LIST -> true;
                };
        if (!known) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND,
                    "there is no user " + name + " in realm " + realm);
        }
        return new SqlUsers.Listed(realm, name, roles.stream().sorted().toList());
    }

    private static String password(Asked asked) throws ControlFailure {
        String password = asked.password();
        if (password == null || password.isEmpty()) {
            throw new ControlFailure(ControlFailure.Kind.BAD, "the password is empty");
        }
        return password;
    }

    /** RFC 7616 3.4.2: a colon would make H(user:realm:password) ambiguous. */
    private static String text(String what, @Nullable String value) throws ControlFailure {
        if (value == null || value.isBlank() || value.length() > LONGEST) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD,
                    "the " + what + " must have 1 to " + LONGEST + " characters");
        }
        boolean bad = value.chars().anyMatch(c -> Character.isISOControl(c) || c == '"');
        if (bad || (what.equals("name") && value.indexOf(':') >= 0)) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD,
                    "the " + what + " '" + value + "' has a character that is not allowed");
        }
        return value;
    }

    /** Reads the answer to a list. */
    public static List<SqlUsers.Listed> readList(String json) {
        return List.of(JSON.readValue(json, SqlUsers.Listed[].class));
    }

    /** Reads the answer to everything else. */
    public static SqlUsers.Listed readOne(String json) {
        return JSON.readValue(json, SqlUsers.Listed.class);
    }
}

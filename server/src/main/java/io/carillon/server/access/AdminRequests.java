package io.carillon.server.access;

import io.carillon.server.audit.AuditedCommands;
import io.carillon.server.control.ControlFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code carillon admin} asks for, of the running server or of the file of accounts alone.
 * Answers are JSON. Any thread.
 */
public final class AdminRequests {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration USUAL_LIFE = Duration.ofDays(90);

    private final Accounts accounts;
    private final @Nullable Sessions sessions;

    /** What is to be done. */
    public enum Action {
        ADD,
        REMOVE,
        PASSWD,
        ROLES,
        LIST,
        TOKEN,
        TOKENS,
        REVOKE
    }

    /**
     * One line on the control socket.
     *
     * @param name of the account; of REVOKE the token's id; null for LIST, and for TOKENS of all
     * @param password for ADD and PASSWD
     * @param roles for ADD, ROLES and TOKEN
     * @param label for TOKEN
     * @param seconds that the TOKEN counts; null: 90 days
     */
    public record Asked(
            Action action,
            @Nullable String name,
            @Nullable String password,
            @Nullable List<String> roles,
            @Nullable String label,
            @Nullable Long seconds) {
        /** As one line. */
        public String line() {
            return JSON.writeValueAsString(this);
        }

        @Override
        public String toString() {
            return action + " " + name + (roles == null ? "" : " " + roles); // no password
        }
    }

    /**
     * @param sessions of browsers, which end with their account; null: no server runs
     */
    public AdminRequests(Accounts accounts, @Nullable Sessions sessions) {
        this.accounts = accounts;
        this.sessions = sessions;
    }

    /** What is asked for, without passwords; null: it changes nothing, or cannot be read. */
    public static @Nullable String told(String line) {
        try {
            Asked asked = JSON.readValue(line, Asked.class);
            return asked.action() == Action.LIST || asked.action() == Action.TOKENS
                    ? null
                    : asked.toString();
        } catch (JacksonException e) {
            return null; // it will be refused
        }
    }

    /** Where it is seen how the account or token stands that it is about; null: nowhere. */
    public static AuditedCommands.@Nullable Look look(String command, String line) {
        try {
            Asked asked = JSON.readValue(line, Asked.class);
            boolean token = asked.action() == Action.TOKEN || asked.action() == Action.REVOKE;
            Action shows = token ? Action.TOKENS : Action.LIST;
            return new AuditedCommands.Look(
                    command,
                    new Asked(shows, null, null, null, null, null).line(),
                    asked.name() == null ? "" : asked.name());
        } catch (JacksonException e) {
            return null; // it will be refused
        }
    }

    /** Does it. */
    public String answer(String line) throws ControlFailure {
        Asked asked;
        try {
            asked = JSON.readValue(line, Asked.class);
        } catch (JacksonException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD, "the request for accounts cannot be read", e);
        }
        try {
            return JSON.writeValueAsString(done(asked));
        } catch (Accounts.Refused e) {
            throw new ControlFailure(e.kind(), String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(ControlFailure.Kind.BAD, String.valueOf(e.getMessage()), e);
        }
    }

    private Object done(Asked asked) throws Accounts.Refused {
        return switch (asked.action()) {
            case LIST -> accounts.list();
            case ADD -> accounts.add(name(asked), roles(asked), password(asked));
            case REMOVE -> ended(accounts.remove(name(asked)));
            case PASSWD -> ended(accounts.password(name(asked), password(asked)));
            case ROLES -> accounts.roles(name(asked), roles(asked));
            case TOKENS -> accounts.tokens(asked.name());
            case TOKEN ->
                    accounts.token(
                            name(asked),
                            roles(asked),
                            asked.label() == null ? "" : asked.label(),
                            asked.seconds() == null
                                    ? USUAL_LIFE
                                    : Duration.ofSeconds(asked.seconds()));
            case REVOKE -> accounts.revoke(name(asked));
        };
    }

    private Accounts.Shown ended(Accounts.Shown account) {
        if (sessions != null) {
            sessions.endAll(account.name());
        }
        return account;
    }

    private static Set<Role> roles(Asked asked) {
        return Role.of(asked.roles() == null ? List.of() : asked.roles());
    }

    private static String name(Asked asked) {
        return given("a name", asked.name());
    }

    private static String password(Asked asked) {
        return given("a password", asked.password());
    }

    private static String given(String what, @Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException(what + " is missing");
        }
        return value;
    }

    /** Reads the answer to LIST. */
    public static List<Accounts.Shown> readList(String json) {
        return List.of(JSON.readValue(json, Accounts.Shown[].class));
    }

    /** Reads the answer to ADD, REMOVE, PASSWD and ROLES. */
    public static Accounts.Shown readOne(String json) {
        return JSON.readValue(json, Accounts.Shown.class);
    }

    /** Reads the answer to TOKENS. */
    public static List<Accounts.ShownToken> readTokens(String json) {
        return List.of(JSON.readValue(json, Accounts.ShownToken[].class));
    }

    /** Reads the answer to TOKEN. */
    public static Accounts.Made readMade(String json) {
        return JSON.readValue(json, Accounts.Made.class);
    }

    /** Reads the answer to REVOKE. */
    public static Accounts.ShownToken readToken(String json) {
        return JSON.readValue(json, Accounts.ShownToken.class);
    }
}

package io.carillon.server.api;

import io.carillon.server.access.Accounts;
import io.carillon.server.access.AdminRequests;
import io.carillon.server.access.AdminRequests.Action;
import io.carillon.server.access.Role;
import io.carillon.server.audit.AuditEntry;
import io.carillon.server.audit.AuditReader;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.data.UserRequests;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Operations about who may administer, who may call, and what was changed. */
final class AccountOperations {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ACCESS = "access";
    private static final String USERS = "users";
    private static final String AUDIT = "audit";
    private static final String ADMIN_COMMAND = "admin";
    private static final String USERS_COMMAND = "users";
    private static final String NAME = "name";
    private static final List<String> STAGES = List.of("begun", "done", "failed", "refused");

    private final Commands commands;
    private final Logins logins;

    AccountOperations(Commands commands, Logins logins) {
        this.commands = commands;
        this.logins = logins;
    }

    /**
     * A new account, or user.
     *
     * @param name of it
     * @param password of it
     * @param roles of it
     */
    record New(String name, String password, @Nullable List<String> roles) {
        @Override
        public String toString() {
            return name; // no password in logs
        }
    }

    /**
     * A new password.
     *
     * @param password itself
     */
    record NewPassword(String password) {
        @Override
        public String toString() {
            return "a password"; // not in logs
        }
    }

    /**
     * Roles, in place of those before.
     *
     * @param roles in words
     */
    record Roles(List<String> roles) {}

    /**
     * A token that is wanted.
     *
     * @param account whose; null: of who asks
     * @param roles fewer than the account's; null: those
     * @param label what it is for
     * @param seconds how long it counts; null: 90 days
     */
    record NewToken(
            @Nullable String account,
            @Nullable List<String> roles,
            @Nullable String label,
            @Nullable Long seconds) {}

    List<Operation> all() {
        return List.of(
                Operation.post("logIn", "/session")
                        .about(ACCESS, "Begins a session: the answer sets its cookie.")
                        .takes(Logins.Login.class)
                        .secret()
                        .answers(Logins.Shown.class)
                        .onlyLooks() // it writes what it does itself
                        .does(logins::logIn),
                Operation.get("whoAmI", "/session")
                        .role(Role.VIEWER)
                        .about(
                                ACCESS,
                                "Who asks, with which roles, and what changes have to bring.")
                        .answers(Logins.Shown.class)
                        .does(logins::show),
                Operation.delete("logOut", "/session")
                        .role(Role.VIEWER)
                        .about(ACCESS, "Ends the session.")
                        .does(logins::logOut),
                listAccounts(),
                addAccount(),
                removeAccount(),
                accountPassword(),
                accountRoles(),
                tokens(),
                newToken(),
                revoke(),
                listUsers(),
                addUser(),
                removeUser(),
                userPassword(),
                userRoles(),
                audit(),
                Operation.get("verifyAudit", "/audit/verification")
                        .role(Role.ADMIN)
                        .about(AUDIT, "Whether the audit log is as it was written.")
                        .command("audit-verify")
                        .answers(AuditReader.Verdict.class)
                        .heavy()
                        .does(call -> ApiAnswer.json(commands.ask(call, "audit-verify", ""))));
    }

    // ---- accounts ----

    private ApiAnswer admin(ApiCall call, AdminRequests.Asked asked)
            throws ControlFailure, Problem {
        return ApiAnswer.json(commands.ask(call, ADMIN_COMMAND, asked.line()));
    }

    private static AdminRequests.Asked asked(
            Action action,
            @Nullable String name,
            @Nullable String password,
            @Nullable List<String> roles) {
        return new AdminRequests.Asked(action, name, password, roles, null, null);
    }

    private @Nullable String accounts(ApiCall call) throws ControlFailure {
        return commands.look(ADMIN_COMMAND, asked(Action.LIST, null, null, null).line());
    }

    private Operation listAccounts() {
        return Operation.get("listAccounts", "/accounts")
                .role(Role.ADMIN)
                .about(ACCESS, "Lists the accounts of administrators.")
                .command(ADMIN_COMMAND)
                .answersList(Accounts.Shown.class)
                .does(call -> admin(call, asked(Action.LIST, null, null, null)));
    }

    private Operation addAccount() {
        return Operation.post("addAccount", "/accounts")
                .role(Role.ADMIN)
                .about(ACCESS, "Makes an account.")
                .command(ADMIN_COMMAND)
                .takes(New.class)
                .secret()
                .answers(Accounts.Shown.class)
                .looksAt(this::accounts)
                .does(call -> {
                    New made = call.body(New.class);
                    return admin(
                            call, asked(Action.ADD, made.name(), made.password(), made.roles()));
                });
    }

    private static Operation.Builder onAccount(Operation.Builder one) {
        return one.role(Role.ADMIN).command(ADMIN_COMMAND).on(NAME, "The account's name.");
    }

    private Operation removeAccount() {
        return onAccount(Operation.delete("removeAccount", "/accounts/{name}"))
                .about(ACCESS, "Takes an account away, with its tokens and sessions.")
                .answers(Accounts.Shown.class)
                .looksAt(this::accounts)
                .does(call -> admin(call, asked(Action.REMOVE, call.text(NAME), null, null)));
    }

    private Operation accountPassword() {
        return onAccount(Operation.put("setAccountPassword", "/accounts/{name}/password"))
                .about(ACCESS, "Gives an account another password; its sessions end.")
                .takes(NewPassword.class)
                .secret()
                .answers(Accounts.Shown.class)
                .does(call ->
                        admin(
                                call,
                                asked(
                                        Action.PASSWD,
                                        call.text(NAME),
                                        call.body(NewPassword.class).password(),
                                        null)));
    }

    private Operation accountRoles() {
        return onAccount(Operation.put("setAccountRoles", "/accounts/{name}/roles"))
                .about(ACCESS, "Gives an account these roles and no others.")
                .takes(Roles.class)
                .answers(Accounts.Shown.class)
                .looksAt(this::accounts)
                .does(call ->
                        admin(
                                call,
                                asked(
                                        Action.ROLES,
                                        call.text(NAME),
                                        null,
                                        call.body(Roles.class).roles())));
    }

    // ---- tokens ----

    private Operation tokens() {
        return Operation.get("listTokens", "/tokens")
                .role(Role.ADMIN)
                .about(ACCESS, "Lists tokens, without themselves.")
                .command(ADMIN_COMMAND)
                .with(Parameter.text("account", "Those of one account."))
                .answersList(Accounts.ShownToken.class)
                .does(call -> {
                    String account = call.text("account");
                    return admin(
                            call,
                            asked(Action.TOKENS, account.isEmpty() ? null : account, null, null));
                });
    }

    private Operation newToken() {
        return Operation.post("makeToken", "/tokens")
                .role(Role.ADMIN)
                .about(ACCESS, "Makes a bearer token; it is told once.")
                .command(ADMIN_COMMAND)
                .takes(NewToken.class)
                .secret()
                .answers(Accounts.Made.class)
                .looksAt(this::allTokens)
                .does(call -> {
                    NewToken wanted = call.body(NewToken.class);
                    String account =
                            wanted.account() == null ? call.known().name() : wanted.account();
                    return admin(
                            call,
                            new AdminRequests.Asked(
                                    Action.TOKEN,
                                    account,
                                    null,
                                    wanted.roles(),
                                    wanted.label(),
                                    wanted.seconds()));
                });
    }

    private @Nullable String allTokens(ApiCall call) throws ControlFailure {
        return commands.look(ADMIN_COMMAND, asked(Action.TOKENS, null, null, null).line());
    }

    private Operation revoke() {
        return Operation.delete("revokeToken", "/tokens/{id}")
                .role(Role.ADMIN)
                .about(ACCESS, "Revokes a token: its next request is refused.")
                .command(ADMIN_COMMAND)
                .on("id", "The token's id.")
                .answers(Accounts.ShownToken.class)
                .does(call -> admin(call, asked(Action.REVOKE, call.text("id"), null, null)));
    }

    // ---- users of applications ----

    private ApiAnswer user(
            ApiCall call,
            UserRequests.Action action,
            @Nullable String name,
            @Nullable String password,
            @Nullable List<String> roles)
            throws ControlFailure, Problem {
        String realm = call.text("realm");
        return ApiAnswer.json(
                commands.ask(
                        call,
                        USERS_COMMAND,
                        new UserRequests.Asked(
                                        action,
                                        realm.isEmpty() ? null : realm,
                                        name,
                                        password,
                                        roles,
                                        null)
                                .line()));
    }

    private @Nullable String users(ApiCall call) throws ControlFailure, Problem {
        String realm = call.text("realm");
        return commands.look(
                USERS_COMMAND,
                new UserRequests.Asked(
                                UserRequests.Action.LIST,
                                realm.isEmpty() ? null : realm,
                                call.target(),
                                null,
                                null,
                                null)
                        .line());
    }

    private static Operation.Builder ofUsers(Operation.Builder one) {
        return one.command(USERS_COMMAND)
                .with(Parameter.text("realm", "Without it security.realm of the configuration."));
    }

    private Operation listUsers() {
        return ofUsers(Operation.get("listUsers", "/users"))
                .role(Role.VIEWER)
                .about(USERS, "Lists the users that applications may ask for.")
                .heavy()
                .with(Parameter.text("text", "Anywhere in the name or the realm."))
                .with(Parameter.number("limit", 0, 0, 10_000, "At most so many; 0: all."))
                .with(Parameter.text("after", "The name of the last one of the page before."))
                .with(Parameter.text("afterRealm", "The realm of that one."))
                .answersList(SqlUsers.Listed.class)
                .does(call -> {
                    int limit = call.count("limit");
                    return ApiAnswer.json(
                            commands.ask(
                                    call,
                                    USERS_COMMAND,
                                    UserRequests.Asked.of(
                                                    new UserRequests.Page(
                                                            call.text("text"),
                                                            limit == 0 ? Integer.MAX_VALUE : limit,
                                                            new SqlUsers.Listed(
                                                                    call.text("afterRealm"),
                                                                    call.text("after"),
                                                                    List.of())))
                                            .line()));
                });
    }

    private Operation addUser() {
        return ofUsers(Operation.post("addUser", "/users"))
                .role(Role.ADMIN)
                .about(USERS, "Adds a user.")
                .takes(New.class)
                .secret()
                .answers(SqlUsers.Listed.class)
                .looksAt(this::users)
                .does(call -> {
                    New made = call.body(New.class);
                    return user(
                            call,
                            UserRequests.Action.ADD,
                            made.name(),
                            made.password(),
                            made.roles());
                });
    }

    private static Operation.Builder onUser(Operation.Builder one) {
        return ofUsers(one).role(Role.ADMIN).on(NAME, "The user's name.");
    }

    private Operation removeUser() {
        return onUser(Operation.delete("removeUser", "/users/{name}"))
                .about(USERS, "Removes a user.")
                .answers(SqlUsers.Listed.class)
                .looksAt(this::users)
                .does(call -> user(call, UserRequests.Action.REMOVE, call.text(NAME), null, null));
    }

    private Operation userPassword() {
        return onUser(Operation.put("setUserPassword", "/users/{name}/password"))
                .about(USERS, "Gives a user another password.")
                .takes(NewPassword.class)
                .secret()
                .answers(SqlUsers.Listed.class)
                .does(call ->
                        user(
                                call,
                                UserRequests.Action.PASSWD,
                                call.text(NAME),
                                call.body(NewPassword.class).password(),
                                null));
    }

    private Operation userRoles() {
        return onUser(Operation.put("setUserRoles", "/users/{name}/roles"))
                .about(USERS, "Gives a user these roles and no others.")
                .takes(Roles.class)
                .answers(SqlUsers.Listed.class)
                .looksAt(this::users)
                .does(call ->
                        user(
                                call,
                                UserRequests.Action.ROLES,
                                call.text(NAME),
                                null,
                                call.body(Roles.class).roles()));
    }

    // ---- audit ----

    private Operation audit() {
        return Operation.get("getAudit", "/audit")
                .role(Role.ADMIN)
                .about(AUDIT, "Who did what, when, from where: the last lines, the oldest first.")
                .command("audit")
                .with(Parameter.text("who", "Of that account or user."))
                .with(Parameter.text("what", "Of operations that begin so."))
                .with(Parameter.oneOf("stage", STAGES, "Of that stage."))
                .with(Parameter.text("since", "Of that time and later, ISO 8601."))
                .with(Parameter.number("limit", 100, 1, 1_000, "The last so many."))
                .answersList(AuditEntry.class)
                .heavy()
                .does(call ->
                        ApiAnswer.json(
                                commands.ask(
                                        call,
                                        "audit",
                                        JSON.writeValueAsString(
                                                new AuditReader.Filter(
                                                        call.text("who"),
                                                        call.text("what"),
                                                        call.text("stage"),
                                                        call.text("since"),
                                                        call.count("limit"))))));
    }
}

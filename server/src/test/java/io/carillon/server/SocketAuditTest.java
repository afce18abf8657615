package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.AdminRequests;
import io.carillon.server.audit.AuditEntry;
import io.carillon.server.audit.AuditLog;
import io.carillon.server.audit.AuditReader;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.audit.AuditedCommands;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.data.UserRequests;
import io.carillon.server.data.UserRequests.Action;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands of the control socket change is in the audit log as it was, and as it is. */
class SocketAuditTest {
    private static final AuditReader.Filter DONE = new AuditReader.Filter("", "", "done", "", 100);

    @TempDir private Path folder;
    private final Map<String, ControlCommand> plain = new HashMap<>();
    private @Nullable Database database;

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private ControlCommand audited(String name) {
        AuditTrail trail =
                new AuditTrail(
                        new AuditLog(folder.resolve("audit"), 1 << 20, 1 << 24), System::nanoTime);
        return Objects.requireNonNull(
                AuditedCommands.of(
                                plain,
                                trail,
                                new AdminSide.Told(Set.of("undeploy", "log-set", "reload")))
                        .get(name));
    }

    private AuditEntry last() throws Exception {
        List<AuditEntry> all = AuditReader.read(folder.resolve("audit"), DONE);
        return all.getLast();
    }

    @Test
    void ofAnApplicationThatGoesTheVersionStandsThere() throws Exception {
        AtomicReference<String> now =
                new AtomicReference<>(
                        "[{\"name\":\"shop\",\"version\":\"1\"},{\"name\":\"uas\",\"version\":\"7\"}]");
        plain.put("applications", nothing -> now.get());
        plain.put(
                "undeploy",
                name -> {
                    now.set("[{\"name\":\"uas\",\"version\":\"7\"}]");
                    return "undeployed " + name;
                });
        audited("undeploy").answer("shop");
        assertThat(last().before()).isEqualTo("[{\"name\":\"shop\",\"version\":\"1\"}]");
        assertThat(last().after()).isEqualTo("[]");
        assertThat(last().asked()).isEqualTo("shop");
    }

    @Test
    void ofAUserTheRolesStandThereAndNoPassword() throws Exception {
        Database opened =
                new Database(ConfigurationReader.standard().database(), folder.resolve("data"));
        database = opened;
        plain.put(
                "users",
                new UserRequests(new SqlUsers(opened), "carillon", opened.place())::answer);
        ControlCommand users = audited("users");
        users.answer(asked(Action.ADD, "alice", "s3cret", List.of("staff")));
        assertThat(last().before()).isEqualTo("[]");
        assertThat(last().after())
                .isEqualTo("[{\"realm\":\"carillon\",\"name\":\"alice\",\"roles\":[\"staff\"]}]");
        users.answer(asked(Action.ADD, "bob", "s3cret", List.of()));
        users.answer(asked(Action.ROLES, "alice", null, List.of("admin")));
        assertThat(last().before()).contains("staff").doesNotContain("bob");
        assertThat(last().after()).contains("admin").doesNotContain("bob", "staff");
        assertThat(AuditReader.read(folder.resolve("audit"), DONE).toString())
                .doesNotContain("s3cret");
    }

    private static String asked(
            Action action, String name, @Nullable String password, List<String> roles) {
        return new UserRequests.Asked(action, null, name, password, roles, null).line();
    }

    @Test
    void ofAnAccountTheRolesStandThere() throws Exception {
        Accounts accounts = new Accounts(new AccountFile(folder.resolve("admin")));
        plain.put("admin", new AdminRequests(accounts, null)::answer);
        ControlCommand admin = audited("admin");
        admin.answer(account(AdminRequests.Action.ADD, List.of("viewer")));
        assertThat(last().before()).isEqualTo("[]");
        assertThat(last().after()).contains("anna", "viewer").doesNotContain("a long password");
        admin.answer(account(AdminRequests.Action.ROLES, List.of("operator")));
        assertThat(last().before()).contains("viewer");
        assertThat(last().after()).contains("operator").doesNotContain("viewer");
    }

    private static String account(AdminRequests.Action action, List<String> roles) {
        return new AdminRequests.Asked(action, "anna", "a long password", roles, null, null).line();
    }

    /** What nobody can look at is done all the same, and says what was answered. */
    @Test
    void aCommandWithoutAnythingToLookAtSaysItsAnswer() throws Exception {
        plain.put("reload", nothing -> "reloaded");
        audited("reload").answer("");
        assertThat(last().before()).isNull();
        assertThat(last().after()).isEqualTo("reloaded");
    }
}

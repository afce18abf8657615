package io.carillon.server;

import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.AdminRequests;
import io.carillon.server.access.LoginLimits;
import io.carillon.server.access.OidcLogin;
import io.carillon.server.access.Sessions;
import io.carillon.server.api.Api;
import io.carillon.server.api.ApiHandler;
import io.carillon.server.apps.Registrations;
import io.carillon.server.audit.AuditCommands;
import io.carillon.server.audit.AuditLog;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.audit.AuditedCommands;
import io.carillon.server.config.AdminSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.data.UserRequests;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Administration by HTTP: composes accounts, the audit log, and the operations. One thread. */
final class AdminSide {
    private final AdminSettings settings;
    private final Path folder;
    private final Accounts accounts;
    private final Sessions sessions;
    private final AuditTrail trail;

    AdminSide(AdminSettings settings, HomeFolder home) {
        this.settings = settings;
        this.folder = folder(settings, home);
        this.accounts = new Accounts(new AccountFile(folder));
        this.sessions =
                new Sessions(settings.sessionIdle(), settings.sessionMax(), System::nanoTime);
        this.trail = new AuditTrail(log(settings, folder), System::nanoTime);
    }

    /** Where it is all kept. */
    static Path folder(AdminSettings settings, HomeFolder home) {
        Path configured = settings.directory();
        return configured == null ? home.admin() : configured;
    }

    static AuditLog log(AdminSettings settings, Path folder) {
        return new AuditLog(
                folder.resolve("audit"),
                settings.auditFile().bytes(),
                settings.auditKeep().bytes());
    }

    /**
     * Lets the operations in.
     *
     * @param others commands of the control socket, but those of administration itself
     * @return all commands for the control socket, those that change something audited
     */
    Map<String, ControlCommand> serve(
            ApiHandler handler,
            Map<String, ControlCommand> others,
            Supplier<Configuration> configuration,
            Registrations registrations) {
        Map<String, ControlCommand> commands = new HashMap<>(others);
        AdminRequests requests = new AdminRequests(accounts, sessions);
        commands.put("admin", requests::answer);
        commands.putAll(AuditCommands.of(trail.log().folder()));
        Api api =
                new Api(
                        commands,
                        new Api.Access(
                                accounts,
                                sessions,
                                new LoginLimits(System::nanoTime),
                                new OidcLogin(settings.oidc(), System::nanoTime),
                                trail),
                        new Api.Bounds(
                                settings.maxStreams(),
                                folder.resolve("archives"),
                                settings.maxArchive().bytes()),
                        new Api.Sources(configuration, registrations),
                        Version.current());
        api.serve(handler);
        Set<String> changing = api.changing();
        return AuditedCommands.of(commands, trail, new Told(changing));
    }

    /** What the audit log has of the commands, of which some change something. */
    record Told(Set<String> changing) implements AuditedCommands.Told {
        @Override
        public @Nullable String of(String name, String argument) {
            return switch (name) {
                case "admin" -> AdminRequests.told(argument);
                case "users" -> UserRequests.told(argument);
                default -> changing.contains(name) ? argument : null;
            };
        }

        @Override
        public AuditedCommands.@Nullable Look look(String name, String argument) {
            return switch (name) {
                case "admin" -> AdminRequests.look(name, argument);
                case "users" -> UserRequests.look(name, argument);
                case "deploy", "replace" -> new AuditedCommands.Look("applications", "", "");
                case "undeploy", "undeploy-now" ->
                        new AuditedCommands.Look("applications", "", argument);
                case "log-set", "log-reset", "log-raise", "log-end" ->
                        new AuditedCommands.Look("log-show", "", "");
                case "bans-clear" -> new AuditedCommands.Look("bans", "", argument);
                default -> null;
            };
        }
    }

    /** How the first account is made; empty: there is one. */
    String firstStep() {
        try {
            return accounts.none()
                    ? "Administer:  ./carillon admin add NAME --role admin   makes the first account\n"
                    : "";
        } catch (Accounts.Refused e) {
            return "Administer:  " + e.getMessage() + "\n";
        }
    }
}

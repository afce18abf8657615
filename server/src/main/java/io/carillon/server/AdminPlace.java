package io.carillon.server;

import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.AdminRequests;
import io.carillon.server.audit.AuditCommands;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.audit.AuditedCommands;
import io.carillon.server.config.AdminSettings;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Accounts and the audit log while no server runs: by their files, and audited too. */
public final class AdminPlace {
    private final Map<String, ControlCommand> commands;
    private final Map<String, ControlCommand> reading;

    private AdminPlace(AdminSettings settings, Path folder) {
        AdminRequests requests = new AdminRequests(new Accounts(new AccountFile(folder)), null);
        AuditTrail trail = new AuditTrail(AdminSide.log(settings, folder), System::nanoTime);
        Map<String, ControlCommand> plain = new HashMap<>();
        plain.put("admin", requests::answer);
        this.commands = AuditedCommands.of(plain, trail, new AdminSide.Told(Set.of()));
        this.reading = AuditCommands.of(trail.log().folder());
    }

    /** That of a configuration. */
    public static AdminPlace of(AdminSettings settings, HomeFolder home) {
        return new AdminPlace(settings, AdminSide.folder(settings, home));
    }

    /** As the command {@code admin} of a running server. */
    public String answer(String line) throws ControlFailure {
        CallerCommand admin = (CallerCommand) Objects.requireNonNull(commands.get("admin"));
        return admin.answer(line, System.getProperty("user.name", "somebody"));
    }

    /** As a command of a running server that shows the audit log. */
    public String audit(String command, String argument) throws ControlFailure {
        return Objects.requireNonNull(reading.get(command)).answer(argument);
    }
}

package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.data.UserRequests;
import io.carillon.server.data.UserRequests.Action;
import io.carillon.server.data.UserRequests.Asked;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code carillon users}: who may call. Through the running server, or the database itself when
 * none runs. A password comes from the prompt or standard input, never from the arguments, which
 * every process of the machine can see.
 */
@Command(
        name = "users",
        description = "Users that applications may ask for: add, remove, list, passwd, roles.",
        mixinStandardHelpOptions = true)
final class UsersCommand implements Runnable {
    @Option(names = "--json", description = "As JSON.", scope = ScopeType.INHERIT)
    private boolean json;

    @Option(
            names = "--realm",
            paramLabel = "REALM",
            description = "The realm; without it security.realm of the configuration.",
            scope = ScopeType.INHERIT)
    private @Nullable String realm;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "users needs one of add, remove, list, passwd, roles");
    }

    @Command(name = "add", description = "Adds a user; asks for the password.")
    int add(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--role", paramLabel = "ROLE", description = "A role; may be repeated.")
                    @Nullable List<String> roles,
            @Mixin ControlTarget target)
            throws Exception {
        return one(target, Action.ADD, name, PasswordPrompt.read(), roles, "added");
    }

    @Command(name = "remove", description = "Removes a user.")
    int remove(@Parameters(paramLabel = "NAME") String name, @Mixin ControlTarget target)
            throws Exception {
        return one(target, Action.REMOVE, name, null, null, "removed");
    }

    @Command(name = "passwd", description = "Changes a password; asks for it.")
    int passwd(@Parameters(paramLabel = "NAME") String name, @Mixin ControlTarget target)
            throws Exception {
        return one(target, Action.PASSWD, name, PasswordPrompt.read(), null, "has a new password");
    }

    @Command(name = "roles", description = "Gives a user these roles and no others.")
    int roles(
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(index = "1..*", paramLabel = "ROLE") @Nullable List<String> roles,
            @Mixin ControlTarget target)
            throws Exception {
        return one(target, Action.ROLES, name, null, roles, "changed");
    }

    @Command(name = "list", description = "Lists users with their roles.")
    int list(@Mixin ControlTarget target) throws Exception {
        String answer = ask(target, new Asked(Action.LIST, realm, null, null, null, null));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            for (SqlUsers.Listed user : UserRequests.readList(answer)) {
                out.println(
                        user.name() + "@" + user.realm() + " " + String.join(" ", user.roles()));
            }
        }
        out.flush();
        return 0;
    }

    private int one(
            ControlTarget target,
            Action action,
            String name,
            @Nullable String password,
            @Nullable List<String> roles,
            String done)
            throws Exception {
        String answer = ask(target, new Asked(action, realm, name, password, roles, null));
        SqlUsers.Listed user = UserRequests.readOne(answer);
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? answer : user.name() + "@" + user.realm() + " " + done);
        out.flush();
        return 0;
    }

    private static String ask(ControlTarget target, Asked asked)
            throws IOException, ConfigurationException, ControlFailure {
        if (target.remote()) {
            return target.ask("users", asked.line());
        }
        Path socket = target.socketOrNull();
        Configuration configuration = target.configuration();
        try (Database database =
                new Database(configuration.database(), HomeFolder.current().data())) {
            if (socket != null) {
                String meant = target.hasConfig() ? database.place() : null;
                return ControlClient.ask(socket, "users", asked.of(meant).line());
            }
            return new UserRequests(
                            new SqlUsers(database),
                            configuration.security().realm(),
                            database.place())
                    .answer(asked.line());
        }
    }
}

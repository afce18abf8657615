package io.carillon.server.cli;

import io.carillon.server.AdminPlace;
import io.carillon.server.HomeFolder;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.AdminRequests;
import io.carillon.server.access.AdminRequests.Action;
import io.carillon.server.access.AdminRequests.Asked;
import java.io.PrintWriter;
import java.time.Duration;
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
 * {@code carillon admin}: who may administer by HTTP. Through the running server, or the file of
 * accounts itself when none runs.
 */
@Command(
        name = "admin",
        description =
                "Accounts and tokens for administration by HTTP: add, remove, passwd, roles, list,"
                        + " token, tokens, revoke.",
        mixinStandardHelpOptions = true)
final class AdminCommand implements Runnable {
    @Option(names = "--json", description = "As JSON.", scope = ScopeType.INHERIT)
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "admin needs one of add, remove, passwd, roles, list, token, tokens, revoke");
    }

    @Command(name = "add", description = "Adds an account; asks for the password.")
    int add(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description =
                                    "One of viewer, operator, deployer, admin; may be repeated.")
                    List<String> roles,
            @Mixin ControlTarget target)
            throws Exception {
        return one(target, asked(Action.ADD, name, PasswordPrompt.read(), roles), "added");
    }

    @Command(name = "remove", description = "Removes an account, with its tokens and sessions.")
    int remove(@Parameters(paramLabel = "NAME") String name, @Mixin ControlTarget target)
            throws Exception {
        return one(target, asked(Action.REMOVE, name, null, null), "removed");
    }

    @Command(name = "passwd", description = "Changes a password; asks for it.")
    int passwd(@Parameters(paramLabel = "NAME") String name, @Mixin ControlTarget target)
            throws Exception {
        return one(
                target,
                asked(Action.PASSWD, name, PasswordPrompt.read(), null),
                "has a new password");
    }

    @Command(name = "roles", description = "Gives an account these roles and no others.")
    int roles(
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "ROLE") List<String> roles,
            @Mixin ControlTarget target)
            throws Exception {
        return one(target, asked(Action.ROLES, name, null, roles), "changed");
    }

    @Command(name = "list", description = "Lists accounts with their roles.")
    int list(@Mixin ControlTarget target) throws Exception {
        String answer = ask(target, asked(Action.LIST, null, null, null));
        TextTable table = new TextTable("NAME", "ROLES", "TOKENS", "CREATED");
        for (Accounts.Shown one : AdminRequests.readList(answer)) {
            table.row(
                    one.name(),
                    String.join(" ", one.roles()),
                    Integer.toString(one.tokens()),
                    one.created());
        }
        return print(answer, table.empty() ? "no accounts" : table.text().stripTrailing());
    }

    @Command(
            name = "token",
            description = "Makes a bearer token of an account, and prints it: once, here.")
    int token(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            description = "Fewer than the account's; may be repeated.")
                    @Nullable List<String> roles,
            @Option(names = "--label", paramLabel = "TEXT", description = "What it is for.")
                    @Nullable String label,
            @Option(
                            names = "--for",
                            paramLabel = "TIME",
                            converter = DurationConverter.class,
                            description = "How long it counts, as in 24h; 90 days without it.")
                    @Nullable Duration lives,
            @Mixin ControlTarget target)
            throws Exception {
        Asked asked =
                new Asked(
                        Action.TOKEN,
                        name,
                        null,
                        roles,
                        label,
                        lives == null ? null : (Long) lives.toSeconds());
        String answer = ask(target, asked);
        // Alone on standard output: a script keeps it.
        return print(answer, AdminRequests.readMade(answer).token());
    }

    @Command(name = "tokens", description = "Lists tokens, without themselves.")
    int tokens(
            @Parameters(arity = "0..1", paramLabel = "NAME", description = "Of one account.")
                    @Nullable String name,
            @Mixin ControlTarget target)
            throws Exception {
        String answer = ask(target, asked(Action.TOKENS, name, null, null));
        TextTable table = new TextTable("ID", "ACCOUNT", "ROLES", "EXPIRES", "LABEL");
        for (Accounts.ShownToken one : AdminRequests.readTokens(answer)) {
            table.row(
                    one.id(),
                    one.account(),
                    one.roles().isEmpty() ? "the account's" : String.join(" ", one.roles()),
                    one.expires(),
                    one.label());
        }
        return print(answer, table.empty() ? "no tokens" : table.text().stripTrailing());
    }

    @Command(name = "revoke", description = "Revokes a token: its next request is refused.")
    int revoke(@Parameters(paramLabel = "ID") String id, @Mixin ControlTarget target)
            throws Exception {
        String answer = ask(target, asked(Action.REVOKE, id, null, null));
        return print(answer, "revoked a token of " + AdminRequests.readToken(answer).account());
    }

    private int one(ControlTarget target, Asked asked, String done) throws Exception {
        String answer = ask(target, asked);
        return print(answer, AdminRequests.readOne(answer).name() + " " + done);
    }

    private int print(String answer, String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? answer : text);
        out.flush();
        return 0;
    }

    private static Asked asked(
            Action action,
            @Nullable String name,
            @Nullable String password,
            @Nullable List<String> roles) {
        return new Asked(action, name, password, roles, null, null);
    }

    private static String ask(ControlTarget target, Asked asked) throws Exception {
        return target.runs()
                ? target.ask("admin", asked.line())
                : AdminPlace.of(target.configuration().admin(), HomeFolder.current())
                        .answer(asked.line());
    }
}

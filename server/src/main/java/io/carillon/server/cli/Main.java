package io.carillon.server.cli;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Entry of the server and of the commands to it. Exit codes: 0 done, 1 failed, 2 wrong arguments.
 */
@Command(
        name = "carillon",
        description = "A SIP application server for the JVM.%n",
        customSynopsis = "Usage: carillon COMMAND [ARGUMENTS]",
        synopsisHeading = "",
        footer = {
            "",
            "carillon COMMAND --help tells all of one. CARILLON_HOME names the folder of",
            "data and settings, CARILLON_JAVA_OPTS more JVM options (docs/README.md)."
        },
        subcommands = {
            RunCommand.class,
            RehearseCommand.class,
            RouteCommand.class,
            RouterCommand.class,
            WitnessCommand.class,
            ClusterCommand.class,
            StatusCommand.class,
            StopCommand.class,
            ApplicationsCommand.class,
            CheckCommand.class,
            ConfigCommand.class,
            ReloadCommand.class,
            DoctorCommand.class,
            SupportCommand.class,
            TraceCommand.class,
            CallsCommand.class,
            CallCommand.class,
            HangupCommand.class,
            LogCommand.class,
            DeployCommand.class,
            WatchCommand.class,
            UndeployCommand.class,
            UsersCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            BansCommand.class,
            AdminCommand.class,
            AuditCommand.class,
            TlsCommand.class,
            LoadPlace.class,
            LabPlace.class,
            ExampleCommand.class,
            BridgeCommand.class,
            VersionCommand.class,
            HelpCommand.class
        },
        versionProvider = Main.VersionLine.class)
public final class Main implements Runnable {
    // picocli acts on these two.
    @SuppressWarnings("unused")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            hidden = true)
    private boolean help;

    @SuppressWarnings("unused")
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            hidden = true)
    private boolean version;

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Runs the command that the arguments name. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.getHelpSectionMap()
                .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandGroups());
        line.setExecutionStrategy(Main::execute);
        line.setParameterExceptionHandler(Main::wrongArguments);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("carillon: " + reason(failure));
            return 1;
        });
        return line;
    }

    /** Help has colours; whatever else is printed may come from strangers. */
    private static int execute(ParseResult parsed) throws ExecutionException {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        CommandLine line = parsed.commandSpec().commandLine();
        line.setOut(TerminalWriter.before(line.getOut()));
        line.setErr(TerminalWriter.before(line.getErr()));
        return new RunLast().execute(parsed);
    }

    private static int wrongArguments(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String message = e.getMessage();
        if (e instanceof UnmatchedArgumentException unmatched
                && command.getParent() == null
                && !unmatched.getUnmatched().isEmpty()) {
            message = "there is no command '" + unmatched.getUnmatched().getFirst() + "'";
        }
        command.getErr().println("carillon: " + message);
        command.getErr().println("Try: carillon help");
        return 2;
    }

    /** Failures that are meant for users carry a sentence; of others at least the kind is named. */
    private static String reason(Exception failure) {
        String message = failure.getMessage();
        boolean ours =
                failure.getClass().getName().startsWith("io.carillon.")
                        || failure instanceof IOException;
        if (ours && message != null) {
            return message;
        }
        return "internal error: " + failure;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    static final class VersionLine implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            return VersionCommand.lines().toArray(String[]::new);
        }
    }
}

package io.carillon.lab;

import io.carillon.lab.load.LoadCommand;
import io.carillon.lab.overload.OverloadCommand;
import io.carillon.lab.study.ConvergedCommand;
import io.carillon.lab.study.EchoCommand;
import io.carillon.lab.study.JvmCommand;
import io.carillon.lab.study.RampCommand;
import io.carillon.lab.study.TransportsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The load lab's commands; {@code ./carillon load ...} is {@code load} here. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        subcommands = {
            LoadCommand.class,
            JvmCommand.class,
            RampCommand.class,
            ConvergedCommand.class,
            TransportsCommand.class,
            OverloadCommand.class,
            EchoCommand.class
        },
        description =
                "The load lab: makes load, and finds the settings at which nothing is sent twice.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** A wrong argument is one line, not the whole help. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setParameterExceptionHandler((wrong, arguments) -> {
            CommandLine command = wrong.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            command.getErr()
                    .printf(
                            "carillon %s: %s (--help tells all options)%n",
                            name.replace("lab load", "load"),
                            String.valueOf(wrong.getMessage()).lines().findFirst().orElse(""));
            return CommandLine.ExitCode.USAGE;
        });
        return line;
    }
}

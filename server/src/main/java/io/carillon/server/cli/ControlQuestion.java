package io.carillon.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that asks the running server something, and prints the answer for people or as JSON.
 */
abstract class ControlQuestion implements Callable<Integer> {
    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    private final String command;

    /**
     * @param command of the control socket, where no option chooses another
     */
    ControlQuestion(String command) {
        this.command = command;
    }

    /** The command of the control socket. */
    String command() {
        return command;
    }

    /** What the command is asked of; null where it has no argument. */
    @Nullable String argument() throws IOException {
        return null;
    }

    /** Prints the answer, which is JSON, for people. */
    abstract void print(String answer, PrintWriter out);

    /** What is thrown where options do not go together. */
    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Override
    public final Integer call() throws Exception {
        String argument = argument();
        String answer = argument == null ? target.ask(command()) : target.ask(command(), argument);
        PrintWriter out = out();
        if (json) {
            out.println(answer);
        } else {
            print(answer, out);
        }
        out.flush();
        return 0;
    }
}

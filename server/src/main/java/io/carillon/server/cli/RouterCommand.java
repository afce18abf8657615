package io.carillon.server.cli;

import io.carillon.server.control.ControlClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon router}: the application router of the running server. */
@Command(
        name = "router",
        description = "Commands to the application router of the running server.",
        subcommands = RouterCommand.Reload.class,
        mixinStandardHelpOptions = true)
final class RouterCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed: reload");
    }

    /** {@code carillon router reload}. */
    @Command(
            name = "reload",
            description =
                    "Reads the router's file again now. A wrong one is told with its line, and the old"
                            + " rules stay.",
            mixinStandardHelpOptions = true)
    static final class Reload implements Callable<Integer> {
        @Mixin private ControlTarget target = new ControlTarget();

        @Spec private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws Exception {
            String answer = ControlClient.ask(target.socket(), "router-reload");
            spec.commandLine().getOut().println(answer.strip());
            return 0;
        }
    }
}

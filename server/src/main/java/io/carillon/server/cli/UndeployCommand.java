package io.carillon.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon undeploy}: no new calls, those that run may end. */
@Command(
        name = "undeploy",
        description = "Takes an application out of service; its calls may end.",
        mixinStandardHelpOptions = true)
final class UndeployCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The application's name.")
    private String name = "";

    @Option(names = "--now", description = "Its calls get BYE instead of time.")
    private boolean now;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String answer = target.ask(now ? "undeploy-now" : "undeploy", name);
        spec.commandLine().getOut().println(answer.strip());
        return 0;
    }
}

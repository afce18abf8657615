package io.carillon.server.cli;

import io.carillon.server.control.ControlClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code carillon stop}: the same as SIGTERM. */
@Command(
        name = "stop",
        description = "Drains and stops the running server, as SIGTERM does.",
        mixinStandardHelpOptions = true)
final class StopCommand implements Callable<Integer> {
    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        spec.commandLine().getOut().println(ControlClient.ask(target.socket(), "stop").strip());
        return 0;
    }
}

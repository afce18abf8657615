package io.carillon.server.cli;

import io.carillon.server.control.ControlClient;
import io.carillon.server.measure.StatusText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code carillon status}: what the running server does. */
@Command(
        name = "status",
        description = "Prints what the running server does.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String answer = ControlClient.ask(target.socket(), "status");
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            out.print(StatusText.terminal(StatusText.parse(answer)));
        }
        out.flush();
        return 0;
    }
}

package io.carillon.server.cli;

import io.carillon.server.apps.ApplicationsText;
import io.carillon.server.control.ControlClient;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code carillon applications}: what is deployed. */
@Command(
        name = "applications",
        description = "Lists the applications of the running server: versions, states, sessions.",
        mixinStandardHelpOptions = true)
final class ApplicationsCommand implements Callable<Integer> {
    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String answer = ControlClient.ask(target.socket(), "applications");
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            out.print(ApplicationsText.terminal(ApplicationsText.parse(answer)));
        }
        out.flush();
        return 0;
    }
}

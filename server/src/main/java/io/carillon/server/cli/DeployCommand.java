package io.carillon.server.cli;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.ApplicationsText;
import io.carillon.server.control.ControlClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon deploy}: running calls end on the old version. */
@Command(
        name = "deploy",
        description =
                "Deploys an archive into the running server, or replaces the version that runs.",
        mixinStandardHelpOptions = true)
final class DeployCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ARCHIVE", description = "A .war, .sar, or a folder.")
    private Path archive = Path.of("");

    @Option(
            names = "--replace",
            description =
                    "In the place of another archive that has the application's name; without it, only another version of the same archive gives way.")
    private boolean replace;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String answer =
                ControlClient.ask(
                        target.socket(),
                        replace ? "replace" : "deploy",
                        archive.toAbsolutePath().toString());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            ApplicationStatus status = ApplicationsText.parseOne(answer);
            out.println("deployed " + status.name() + " version " + status.version());
        }
        out.flush();
        return 0;
    }
}

package io.carillon.server.cli;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.ApplicationsText;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carillon deploy}: running calls end on the old version. */
@Command(
        name = "deploy",
        description =
                "Deploys an archive into the running server, or replaces the version that runs.",
        mixinStandardHelpOptions = true)
final class DeployCommand extends ControlQuestion {
    @Parameters(paramLabel = "ARCHIVE", description = "A .war, .sar, or a folder.")
    private Path archive = Path.of("");

    @Option(
            names = "--replace",
            description =
                    "In the place of another archive that has the application's name; without it, only another version of the same archive gives way.")
    private boolean replace;

    DeployCommand() {
        super("deploy");
    }

    @Override
    String command() {
        return replace ? "replace" : "deploy";
    }

    @Override
    String argument() {
        return archive.toAbsolutePath().toString();
    }

    @Override
    void print(String answer, PrintWriter out) {
        ApplicationStatus status = ApplicationsText.parseOne(answer);
        out.println("deployed " + status.name() + " version " + status.version());
    }
}

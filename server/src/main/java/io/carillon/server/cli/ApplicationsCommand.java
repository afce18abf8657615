package io.carillon.server.cli;

import io.carillon.server.apps.ApplicationsText;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code carillon applications}: what is deployed. */
@Command(
        name = "applications",
        description = "Lists the applications of the running server: versions, states, sessions.",
        mixinStandardHelpOptions = true)
final class ApplicationsCommand extends ControlQuestion {
    ApplicationsCommand() {
        super("applications");
    }

    @Override
    void print(String answer, PrintWriter out) {
        out.print(ApplicationsText.terminal(ApplicationsText.parse(answer)));
    }
}

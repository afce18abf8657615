package io.carillon.server.cli;

import io.carillon.server.measure.StatusText;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code carillon status}: what the running server does. */
@Command(
        name = "status",
        description = "Prints what the running server does.",
        mixinStandardHelpOptions = true)
final class StatusCommand extends ControlQuestion {
    StatusCommand() {
        super("status");
    }

    @Override
    void print(String answer, PrintWriter out) {
        out.print(StatusText.terminal(StatusText.parse(answer)));
    }
}

package io.carillon.server.cli;

import io.carillon.server.reload.ConfigurationText;
import io.carillon.server.reload.Reloading;
import io.carillon.server.reload.ShownChange;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code carillon reload}: the running server reads its configuration again. */
@Command(
        name = "reload",
        description = {
            "The running server reads its configuration again: files, conf.d, secrets, routes.",
            "What can change while it runs changes; what needs a restart is named. With a fault nothing changes."
        },
        mixinStandardHelpOptions = true)
final class ReloadCommand extends ControlQuestion {
    ReloadCommand() {
        super("reload");
    }

    @Override
    void print(String answer, PrintWriter out) {
        Reloading.Outcome outcome = ConfigurationText.readOutcome(answer);
        if (outcome.changed().isEmpty()) {
            out.println("Read again; no value that a reload changes is another");
        }
        print("Changed", outcome.changed(), out);
        print("Needs a restart", outcome.restart(), out);
    }

    private static void print(String what, List<ShownChange> changes, PrintWriter out) {
        for (ShownChange one : changes) {
            out.println(
                    what
                            + ": "
                            + one.key()
                            + " from "
                            + (one.before().isEmpty() ? "nothing" : one.before())
                            + " to "
                            + (one.after().isEmpty() ? "nothing" : one.after())
                            + " ("
                            + one.origin()
                            + ")");
        }
    }
}

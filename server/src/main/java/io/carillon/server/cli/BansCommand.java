package io.carillon.server.cli;

import io.carillon.server.guard.BansText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carillon bans}: who is not listened to, and {@code bans clear}, which changes that. */
@Command(
        name = "bans",
        description = "Lists the sources that the running server does not listen to, and why.",
        mixinStandardHelpOptions = true)
final class BansCommand extends ControlQuestion {
    BansCommand() {
        super("bans");
    }

    @Override
    void print(String answer, PrintWriter out) {
        out.print(BansText.terminal(BansText.parse(answer)));
    }

    @Command(name = "clear", description = "Lifts the ban of an address, or all of them.")
    int clear(
            @Parameters(
                            paramLabel = "ADDRESS",
                            arity = "0..1",
                            description = "As the list shows it; without it all bans are lifted.")
                    @Nullable String address,
            @Mixin ControlTarget where)
            throws Exception {
        String answer = where.ask("bans-clear", address == null ? "" : address);
        PrintWriter out = out();
        out.print(answer);
        out.flush();
        return 0;
    }
}

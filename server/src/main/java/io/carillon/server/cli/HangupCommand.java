package io.carillon.server.cli;

import io.carillon.server.calls.Calls;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon hangup}: ends one call. */
@Command(
        name = "hangup",
        description =
                "Ends a call: BYE to its ends, CANCEL and an answer where it still rings. Says what"
                        + " was done.",
        mixinStandardHelpOptions = true)
final class HangupCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Parameters(paramLabel = "ID", description = "As ./carillon calls lists it, or a Call-ID.")
    private String id = "";

    HangupCommand() {
        super("hangup");
    }

    @Override
    String argument() {
        return id;
    }

    @Override
    void print(String answer, PrintWriter out) {
        List<Calls.Ended> ended = JSON.readValue(answer, new TypeReference<>() {});
        for (Calls.Ended call : ended) {
            out.println("call " + call.id() + " of " + call.application());
            if (call.done().isEmpty()) {
                out.println("  it has just ended by itself");
            }
            call.done().forEach(done -> out.println("  " + done));
        }
    }
}

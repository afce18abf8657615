package io.carillon.server.cli;

import io.carillon.server.calls.Calls;
import io.carillon.server.control.ControlClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon hangup}: ends one call. */
@Command(
        name = "hangup",
        description =
                "Ends a call: BYE to its ends, CANCEL and an answer where it still rings. Says what"
                        + " was done.",
        mixinStandardHelpOptions = true)
final class HangupCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Parameters(paramLabel = "ID", description = "As ./carillon calls lists it, or a Call-ID.")
    private String id = "";

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String answer = ControlClient.ask(target.socket(), "hangup", id);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer);
        } else {
            List<Calls.Ended> ended = JSON.readValue(answer, new TypeReference<>() {});
            for (Calls.Ended call : ended) {
                out.println("call " + call.id() + " of " + call.application());
                if (call.done().isEmpty()) {
                    out.println("  it has just ended by itself");
                }
                call.done().forEach(done -> out.println("  " + done));
            }
        }
        out.flush();
        return 0;
    }
}

package io.carillon.server.cli;

import io.carillon.server.control.ControlClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code carillon stop}: the same as SIGTERM, and waits for the end of the process. */
@Command(
        name = "stop",
        description =
                "Drains and stops the running server, as SIGTERM does, and waits for its end.",
        mixinStandardHelpOptions = true)
final class StopCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;

    @Option(names = "--no-wait", description = "Returns at once, while the server drains.")
    private boolean noWait;

    @Option(
            names = "--hand-over",
            description =
                    "Only where other nodes of the cluster take its calls over: none of them ends"
                            + " (docs/guides/clustering.md).")
    private boolean handOver;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String command = handOver ? "hand-over" : "stop";
        if (target.remote()) { // whose process cannot be seen from here
            spec.commandLine().getOut().println(target.ask(command).strip());
            return 0;
        }
        Path socket = target.socket();
        Optional<ProcessHandle> server = ProcessHandle.of(ControlTarget.pid(socket));
        PrintWriter out = spec.commandLine().getOut();
        long begin = System.nanoTime();
        out.println(ControlClient.ask(socket, command).strip());
        out.flush();
        if (!noWait && server.isPresent()) {
            server.get().onExit().get();
            double seconds = (System.nanoTime() - begin) / NANOS;
            out.printf(Locale.ROOT, "stopped after %.1f s%n", seconds);
            out.flush();
        }
        return 0;
    }
}

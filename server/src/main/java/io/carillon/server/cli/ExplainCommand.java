package io.carillon.server.cli;

import io.carillon.server.calls.CallDetail;
import io.carillon.server.cluster.CallPlace;
import io.carillon.server.cluster.ClusterCommands;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.routes.RouteText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon router explain}: where is this call, and why. */
@Command(
        name = "explain",
        description =
                "Says which node of the cluster gets a call or a message, and why, who would take over, and"
                        + " which applications it would visit. Nothing is sent; a node on this machine"
                        + " is asked.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String URI_PATTERN = "(?i)(sips?|tel|urn):.*";

    @Parameters(
            paramLabel = "CALL-ID|URI|FILE",
            description = "A Call-ID, the Request-URI of a new call, or a file with a message.")
    private String about = "";

    @Option(names = "--from", paramLabel = "URI", description = "With a URI: who calls.")
    private @Nullable String from;

    @Option(names = "--json", description = "As JSON, without the applications.")
    private boolean json;

    @Option(names = "--pid", paramLabel = "PID", description = "The node that is asked.")
    private @Nullable Long pid;

    @Mixin private ClusterCommand.ConfiguredFolder folder = new ClusterCommand.ConfiguredFolder();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        ControlFolder sockets = folder.folder();
        List<Path> running =
                pid == null ? ControlClient.running(sockets) : List.of(sockets.socket(pid));
        Path file = file();
        PrintWriter out = spec.commandLine().getOut();
        if (file != null) {
            byte[] message = RouteCommand.fromFile(file);
            print(out, ask(running, sockets, "where-message", message));
            if (!json && !isResponse(message)) {
                applications(out, running, message);
            }
        } else if (about.matches(URI_PATTERN)) {
            byte[] request = RouteCommand.request("INVITE", about, from);
            print(out, ask(running, sockets, "where-message", request));
            if (!json) {
                out.println("             (a call with another Call-ID may go elsewhere)");
                applications(out, running, request);
            }
        } else {
            byte[] id = about.getBytes(StandardCharsets.UTF_8);
            print(out, ask(running, sockets, "where-call", id));
            if (!json) {
                held(out, running);
            }
        }
        out.flush();
        return 0;
    }

    private @Nullable Path file() {
        try {
            Path path = Path.of(about);
            return Files.isRegularFile(path) ? path : null;
        } catch (InvalidPathException noFile) {
            return null;
        }
    }

    private static boolean isResponse(byte[] message) {
        return new String(message, StandardCharsets.UTF_8).startsWith("SIP/");
    }

    private static String ask(
            List<Path> running, ControlFolder sockets, String command, byte[] about)
            throws IOException {
        IOException last =
                new IOException(
                        "no node is running on this machine (looked in "
                                + sockets
                                + "); ask where one does");
        String argument = Base64.getEncoder().encodeToString(about);
        for (Path socket : running) {
            try {
                return ControlClient.ask(socket, command, argument);
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private void print(PrintWriter out, String answer) {
        if (json) {
            out.println(answer);
            return;
        }
        CallPlace place = ClusterCommands.place(answer);
        out.println(about);
        out.print(place.terminal());
    }

    private static void applications(PrintWriter out, List<Path> running, byte[] request)
            throws IOException {
        String argument = Base64.getEncoder().encodeToString(request);
        for (Path socket : running) {
            try {
                out.print(RouteText.terminal(RouteText.parse(ask(socket, "route", argument))));
                return;
            } catch (IOException e) {
                out.println("applications: " + e.getMessage());
            }
        }
    }

    private static String ask(Path socket, String command, String argument) throws IOException {
        return ControlClient.ask(socket, command, argument);
    }

    /** Who has the call now: a node that has not asks the others, so all may say the same. */
    private void held(PrintWriter out, List<Path> running) {
        List<String> silent = new ArrayList<>();
        Set<String> said = new LinkedHashSet<>();
        for (Path socket : running) {
            String answer;
            try {
                answer = ask(socket, "call", about);
            } catch (IOException notThere) {
                silent.add(Long.toString(ControlTarget.pid(socket)));
                continue;
            }
            List<CallDetail> calls = JSON.readValue(answer, new TypeReference<>() {});
            calls.forEach(call -> said.add(words(call, ControlTarget.pid(socket))));
        }
        if (said.isEmpty()) {
            said.add(
                    "nobody has it, as the processes "
                            + String.join(", ", silent)
                            + " say: it is over, has not begun, or waits as a record for its first"
                            + " message");
        }
        said.forEach(line -> out.printf("%-12s %s%n", "call", line));
    }

    private static String words(CallDetail call, long process) {
        CallDetail.Cluster at = call.cluster();
        String what = ": application " + call.application() + ", session " + call.id();
        return at == null
                ? "process " + process + what
                : "node " + at.node() + ", partition " + at.partition() + what;
    }
}

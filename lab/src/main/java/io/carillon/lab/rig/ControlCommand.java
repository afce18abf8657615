package io.carillon.lab.rig;

import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands of the launcher to a running server, as a user gives them. Stateless. */
public final class ControlCommand {
    private ControlCommand() {}

    /**
     * Gives one to this server and waits for its end; what it printed.
     *
     * @throws IOException when it fails, with what it printed
     */
    public static String run(ServerProcess server, String... words) throws IOException {
        return run(server, Map.of(), words);
    }

    /**
     * The same to a server with a {@linkplain CarillonLaunch#home home of its own}.
     *
     * @throws IOException when it fails, with what it printed
     */
    public static String runAt(Path home, ServerProcess server, String... words)
            throws IOException {
        return run(server, Map.of("CARILLON_HOME", home.resolve(".carillon").toString()), words);
    }

    private static String run(
            ServerProcess server, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(Folders.launcher()));
        command.addAll(List.of(words));
        command.addAll(List.of("--pid", Long.toString(server.pid())));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process client = builder.start();
        String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (client.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said.strip());
            }
        } catch (InterruptedException e) {
            client.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return said;
    }
}

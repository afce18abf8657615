package io.carillon.lab.rig;

import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands of the launcher to a running server, as a user gives them. Stateless. */
public final class ControlCommand {
    private static final String HOME = "CARILLON_HOME";

    private ControlCommand() {}

    /**
     * Gives one to this server and waits for its end; what it printed.
     *
     * @throws IOException when it fails, with what it printed
     */
    public static String run(ServerProcess server, String... words) throws IOException {
        return run(withPid(server, words), Map.of(), "");
    }

    /**
     * The same to a server with a {@linkplain CarillonLaunch#home home of its own}.
     *
     * @throws IOException when it fails, with what it printed
     */
    public static String runAt(Path home, ServerProcess server, String... words)
            throws IOException {
        return run(withPid(server, words), Map.of(HOME, home.resolve(".carillon").toString()), "");
    }

    /**
     * Gives one for what lies in the folder of CARILLON_HOME, whether its server runs or not; what
     * it printed.
     *
     * @param line its standard input
     * @throws IOException when it fails, with what it printed
     */
    public static String at(Path home, String line, String... words) throws IOException {
        return run(List.of(words), Map.of(HOME, home.toString()), line);
    }

    private static List<String> withPid(ServerProcess server, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--pid", Long.toString(server.pid())));
        return all;
    }

    private static String run(List<String> words, Map<String, String> environment, String line)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(Folders.launcher()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process client = builder.start();
        try (Writer input = client.outputWriter(StandardCharsets.UTF_8)) {
            input.write(line);
        }
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

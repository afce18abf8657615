package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say which running server is meant. */
final class ControlTarget {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The file that the server was started with, where it sets control.directory.")
    private @Nullable Path config;

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "The server's process, where several run.")
    private @Nullable Long pid;

    @Mixin private RemoteTarget remote = new RemoteTarget();

    /** Is a server elsewhere meant? */
    boolean remote() throws IOException {
        return pid == null && remote.named();
    }

    /** Is there a server to ask? */
    boolean runs() throws IOException, ConfigurationException {
        return remote() || socketOrNull() != null;
    }

    /** Has the server do a command, and waits for its whole answer. */
    String ask(String command) throws IOException, ConfigurationException {
        return remote() ? remote.ask(command, "") : ControlClient.ask(socket(), command);
    }

    /** As the other, with an argument. */
    String ask(String command, String argument) throws IOException, ConfigurationException {
        return remote()
                ? remote.ask(command, argument)
                : ControlClient.ask(socket(), command, argument);
    }

    /**
     * The socket of the running server.
     *
     * @throws IOException when there is none, or more than one and no pid
     */
    Path socket() throws IOException, ConfigurationException {
        ControlFolder folder =
                ControlFolder.of(
                        configuration().control().directory(), HomeFolder.current().control());
        List<Path> running = ControlClient.running(folder);
        if (pid != null) {
            Path wanted = folder.socket(pid);
            if (running.contains(wanted)) {
                return wanted;
            }
            throw new IOException(
                    "no running server has the process " + pid + " (looked in " + folder + ")");
        }
        if (running.isEmpty()) {
            throw new IOException(
                    "no server is running (looked in "
                            + folder
                            + "); start one with ./carillon run");
        }
        if (running.size() > 1) {
            throw new IOException(
                    "several servers are running: choose one with --pid " + pids(running));
        }
        return running.getFirst();
    }

    /** The server's process, which its socket is named by. */
    static long pid(Path socket) {
        return Long.parseLong(socket.getFileName().toString().replace(".sock", ""));
    }

    /** The socket of the running server, null when none runs and none is named by its process. */
    @Nullable Path socketOrNull() throws IOException, ConfigurationException {
        ControlFolder folder =
                ControlFolder.of(
                        configuration().control().directory(), HomeFolder.current().control());
        return pid == null && ControlClient.running(folder).isEmpty() ? null : socket();
    }

    /** What {@code --config} says, else the owner's configuration, else the defaults. */
    Configuration configuration() throws ConfigurationException {
        return ConfigurationReader.read(file());
    }

    /** What {@code --config} names, else the owner's configuration; null: neither is there. */
    @Nullable Path file() {
        Path own = HomeFolder.current().configuration();
        return config == null && Files.isRegularFile(own) ? own : config;
    }

    /** Did somebody name a file? */
    boolean hasConfig() {
        return config != null;
    }

    private static String pids(List<Path> sockets) {
        return String.join(" or ", sockets.stream().map(ControlTarget::named).toList());
    }

    /** The process, and where it listens if it says so. */
    private static String named(Path socket) {
        String process = Long.toString(pid(socket));
        try {
            ServerStatus status = StatusText.parse(ControlClient.ask(socket, "status"));
            return process + " (" + String.join(", ", status.sip()) + ")";
        } catch (IOException | IllegalArgumentException e) {
            return process + " (does not answer: " + e.getMessage() + ")";
        }
    }
}

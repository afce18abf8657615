package io.carillon.bench.load;

import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process under test. */
final class Peer implements AutoCloseable {
    static final int CARILLON_PORT = 5060;
    static final int KAMAILIO_PORT = 5062;
    private static final int BASELINE_PORT = 5064;
    private static final long START_SECONDS = 60;

    private final String name;
    private final int port;
    private final Process process;

    private Peer(String name, int port, Process process) {
        this.name = name;
        this.port = port;
        this.process = process;
    }

    /**
     * Carillon with one archive, by the launcher of this checkout.
     *
     * @param cpus CPUs to run on, as taskset takes them; empty: any
     * @param more arguments for {@code carillon run}
     */
    static Peer carillon(Path root, String cpus, Path archive, Path folder, List<String> more)
            throws IOException {
        List<String> command = launcher(root, cpus, archive, CARILLON_PORT, 18_080);
        command.addAll(more);
        return start("carillon", CARILLON_PORT, command, folder, "READY");
    }

    /** The same by the launcher of another checkout, on ports of its own. */
    static Peer baseline(Path root, String cpus, Path archive, Path folder, List<String> more)
            throws IOException {
        List<String> command = launcher(root, cpus, archive, BASELINE_PORT, 18_082);
        command.addAll(more);
        return start("baseline", BASELINE_PORT, command, folder, "READY");
    }

    private static List<String> launcher(
            Path root, String cpus, Path archive, int port, int httpPort) {
        List<String> command = pinned(cpus);
        command.addAll(List.of(root + "/carillon", "run", archive.toString()));
        String sip = "udp:127.0.0.1:" + port + ",tcp:127.0.0.1:" + port;
        command.addAll(List.of("--sip", sip, "--http", "127.0.0.1:" + httpPort));
        return command;
    }

    /** Carillon with one example, on ports of its own. */
    static Peer carillon(Path root, Path folder, String example, int port, int httpPort)
            throws IOException {
        List<String> command = launcher(root, "", example(root, example), port, httpPort);
        return start("carillon", port, command, folder, "READY");
    }

    /** Carillon with all examples, as {@code carillon run} without archives deploys them. */
    static Peer examples(Path root, Path folder, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "run"));
        String sip = "udp:127.0.0.1:" + CARILLON_PORT + ",tcp:127.0.0.1:" + CARILLON_PORT;
        command.addAll(List.of("--sip", sip));
        command.addAll(more);
        return start("carillon", CARILLON_PORT, command, folder, "READY");
    }

    /** Carillon by the launcher of this checkout, with archives and options as given. */
    static Peer carillon(Path root, int port, List<String> arguments, Path folder)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "run"));
        String sip = "udp:127.0.0.1:" + port + ",tcp:127.0.0.1:" + port;
        command.addAll(List.of("--sip", sip, "--http", "127.0.0.1:0"));
        command.addAll(arguments);
        return start("carillon", port, command, folder, "READY");
    }

    static Path example(Path root, String name) {
        return root.resolve("examples/" + name + "/target/" + name + ".war");
    }

    static Peer kamailio(Path root, String cpus, boolean trying, Path folder) throws IOException {
        List<String> command = pinned(cpus);
        command.addAll(List.of("kamailio", "-f", root + "/bench/kamailio/proxy.cfg", "-DD", "-E"));
        command.addAll(List.of("-m", "1024", "-x", "fm", "-X", "fm"));
        command.addAll(List.of("-w", folder.toString(), "-Y", folder.toString()));
        command.addAll(List.of("-A", "LISTEN=udp:127.0.0.1:" + KAMAILIO_PORT));
        command.addAll(List.of("-A", "TRYING=" + (trying ? 1 : 0)));
        return start("kamailio", KAMAILIO_PORT, command, folder, "Listening on");
    }

    private static List<String> pinned(String cpus) {
        return cpus.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of("taskset", "-c", cpus));
    }

    private static Peer start(String name, int port, List<String> command, Path folder, String sign)
            throws IOException {
        Files.createDirectories(folder);
        Path log = folder.resolve(name + ".log");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Peer peer = new Peer(name, port, process);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.readString(log).contains(sign)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                peer.close();
                throw new IOException(name + " did not start; it said: " + Files.readString(log));
            }
            Pause.millis(100);
        }
        return peer;
    }

    /** What {@code carillon status} prints. */
    static String status(Path root, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "status"));
        command.addAll(List.of(options));
        Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(
                client.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.toHandle());
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + " ended", e);
        }
    }
}

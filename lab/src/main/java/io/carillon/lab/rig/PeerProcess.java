package io.carillon.lab.rig;

import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.lab.process.ProcessGuard;
import io.carillon.lab.process.ResidentMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server process under test; it ends with this process, also when that is interrupted. */
public final class PeerProcess implements AutoCloseable {
    public static final int CARILLON_PORT = 5060;
    private static final long START_SECONDS = 60;

    /** The page's phones are on this machine. */
    private static final List<String> PHONES_HERE =
            List.of("--param", "click-to-call.allowed=127.0.0.1");

    private final String name;
    private final int port;
    private final Process process;
    private final ProcessGuard leash;
    private final Path log;

    private PeerProcess(String name, int port, Process process, Path log) {
        this.log = log;
        this.name = name;
        this.port = port;
        this.process = process;
        this.leash = ProcessGuard.on(process);
    }

    /**
     * Carillon with one archive, by the launcher of this checkout.
     *
     * @param cpus CPUs to run on, as taskset takes them; empty: any
     * @param more arguments for {@code carillon run}
     */
    public static PeerProcess carillon(
            Path root, String cpus, Path archive, Path folder, List<String> more)
            throws IOException {
        List<String> command = launcher(root, cpus, archive, CARILLON_PORT, 18_080);
        command.addAll(more);
        return start("carillon", CARILLON_PORT, command, folder, "READY");
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
    public static PeerProcess carillon(
            Path root, Path folder, String example, int port, int httpPort) throws IOException {
        List<String> command = launcher(root, "", example(root, example), port, httpPort);
        if (example.equals("click-to-call")) {
            command.addAll(PHONES_HERE);
        }
        return start("carillon", port, command, folder, "READY");
    }

    /** Carillon with all examples, as {@code carillon run} without archives deploys them. */
    public static PeerProcess examples(Path root, Path folder, List<String> more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "run"));
        String sip = "udp:127.0.0.1:" + CARILLON_PORT + ",tcp:127.0.0.1:" + CARILLON_PORT;
        command.addAll(List.of("--sip", sip));
        command.addAll(PHONES_HERE);
        command.addAll(more);
        return start("carillon", CARILLON_PORT, command, folder, "READY");
    }

    /** Carillon by the launcher of this checkout, with archives and options as given. */
    public static PeerProcess carillon(Path root, int port, List<String> arguments, Path folder)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "run"));
        String sip = "udp:127.0.0.1:" + port + ",tcp:127.0.0.1:" + port;
        command.addAll(List.of("--sip", sip, "--http", "127.0.0.1:0"));
        command.addAll(arguments);
        return start("carillon", port, command, folder, "READY");
    }

    public static Path example(Path root, String name) {
        return root.resolve("examples/" + name + "/target/" + name + ".war");
    }

    private static List<String> pinned(String cpus) {
        return cpus.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of("taskset", "-c", cpus));
    }

    private static PeerProcess start(
            String name, int port, List<String> command, Path folder, String sign)
            throws IOException {
        return start(new Launch(name, port, command, Map.of(), List.of(sign), List.of()), folder);
    }

    /**
     * How a server process is started.
     *
     * @param port where it listens for SIP
     * @param environment what is added to this process's environment
     * @param signs what its output says once it takes calls: all of them
     * @param faults what its output says when it will take none: any of them
     */
    public record Launch(
            String name,
            int port,
            List<String> command,
            Map<String, String> environment,
            List<String> signs,
            List<String> faults) {}

    /** Starts a server and waits until it takes calls; its output goes to NAME.log. */
    public static PeerProcess start(Launch launch, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path log = folder.resolve(launch.name() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(launch.command())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().putAll(launch.environment());
        PeerProcess peer = new PeerProcess(launch.name(), launch.port(), builder.start(), log);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            // Asked before the output is read: what it said last is in there then.
            boolean ended = !peer.process.isAlive() || System.nanoTime() - deadline > 0;
            String said = Files.readString(log);
            if (launch.faults().stream().anyMatch(said::contains)) {
                ended = true;
            } else if (launch.signs().stream().allMatch(said::contains)) {
                return peer;
            }
            if (ended) {
                peer.close();
                throw new IOException(launch.name() + " did not start; it said: " + lastWords(log));
            }
            Pause.millis(100);
        }
    }

    /** The end of a log in one line, without the places of stack traces. */
    private static String lastWords(Path log) throws IOException {
        List<String> lines =
                Files.readString(log)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.matches("at .*|\\.\\.\\. .*"))
                        .toList();
        String end = String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        return (end.isEmpty() ? "nothing" : end) + "; all of it is in " + log;
    }

    /** What {@code carillon status} prints. */
    public static String status(Path root, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon", "status"));
        command.addAll(List.of(options));
        Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(
                client.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }

    public String name() {
        return name;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Sees that it still runs.
     *
     * @throws IOException saying that it does not
     */
    public void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(name + " ended by itself; it said: " + lastWords(log));
        }
    }

    /** CPU nanoseconds (utime + stime) of it and its living descendants. */
    public long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.toHandle());
    }

    /** Bytes of memory that it and its descendants hold: what they share counts once. */
    public long memoryBytes() throws IOException {
        return ResidentMemory.bytes(process.toHandle());
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        leash.release();
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

package io.carillon.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server under test: started once, kept warm, measured in turn with the other. */
final class Peer implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final String name;
    private final int port;
    private final Process process;

    private Peer(String name, int port, Process process) {
        this.name = name;
        this.port = port;
        this.process = process;
    }

    /** Carillon with one of its example applications, from the launcher of this checkout. */
    static Peer carillon(Settings settings, Path folder) throws IOException {
        List<String> command = pinned(settings);
        command.add(settings.root() + "/carillon");
        command.add("run");
        command.add(
                settings.root() + "/examples/%s/target/%1$s.war".formatted(settings.application()));
        command.addAll(List.of("--sip", "udp:127.0.0.1:5060", "--http", "127.0.0.1:18080"));
        command.addAll(List.of("--config", settings.configFile(folder).toString()));
        command.addAll(settings.serverArguments());
        return start("carillon", 5060, command, folder, "READY");
    }

    static Peer kamailio(Settings settings, Path folder) throws IOException {
        List<String> command = pinned(settings);
        command.addAll(
                List.of(
                        "kamailio",
                        "-f",
                        settings.root() + "/bench/kamailio/proxy.cfg",
                        "-DD",
                        "-E",
                        "-m",
                        "1024",
                        "-x",
                        "fm",
                        "-X",
                        "fm",
                        "-w",
                        folder.toString(),
                        "-Y",
                        folder.toString(),
                        "-A",
                        "LISTEN=udp:127.0.0.1:5062",
                        "-A",
                        "TRYING=" + (settings.trying() ? 1 : 0)));
        return start("kamailio", 5062, command, folder, "Listening on");
    }

    private static List<String> pinned(Settings settings) {
        return new ArrayList<>(List.of("taskset", "-c", settings.serverCpus()));
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

    String name() {
        return name;
    }

    int port() {
        return port;
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

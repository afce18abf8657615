package io.carillon.lab.rig;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.WrongSetting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How a Carillon is started: by the launcher of a checkout, as its users do.
 *
 * @param checkout whose launcher
 * @param name what its log and its results are called
 * @param cpus processors, as taskset takes them; empty: any
 * @param port of 127.0.0.1 for SIP
 * @param sip where it listens, as {@code carillon run --sip} takes it; empty: as its configuration
 *     has it
 * @param httpPort of 127.0.0.1; 0: any
 * @param archives what it runs; none: the examples
 * @param arguments more for {@code carillon run}
 * @param environment beside that of this process
 */
public record CarillonLaunch(
        Path checkout,
        String name,
        String cpus,
        int port,
        String sip,
        int httpPort,
        List<String> archives,
        List<String> arguments,
        Map<String, String> environment) {
    public static final int USUAL_PORT = 5060;

    /** This checkout's, for UDP and TCP at a port. */
    public static CarillonLaunch at(int port) {
        return of(Folders.root(), port);
    }

    /** A checkout's, for UDP and TCP at a port. */
    public static CarillonLaunch of(Path checkout, int port) {
        String at = "127.0.0.1:" + port;
        String sip = "udp:" + at + ",tcp:" + at;
        return new CarillonLaunch(
                checkout, "carillon", "", port, sip, 0, List.of(), List.of(), Map.of());
    }

    public CarillonLaunch named(String other) {
        return new CarillonLaunch(
                checkout, other, cpus, port, sip, httpPort, archives, arguments, environment);
    }

    public CarillonLaunch on(String processors) {
        return new CarillonLaunch(
                checkout, name, processors, port, sip, httpPort, archives, arguments, environment);
    }

    public CarillonLaunch listening(String where) {
        return new CarillonLaunch(
                checkout, name, cpus, port, where, httpPort, archives, arguments, environment);
    }

    /** A node of a cluster: all comes by its router. */
    public CarillonLaunch behindRouter() {
        return listening("");
    }

    public CarillonLaunch http(int other) {
        return new CarillonLaunch(
                checkout, name, cpus, port, sip, other, archives, arguments, environment);
    }

    /** Runs this archive too. */
    public CarillonLaunch running(Path archive) {
        return new CarillonLaunch(
                checkout,
                name,
                cpus,
                port,
                sip,
                httpPort,
                joined(archives, List.of(archive.toString())),
                arguments,
                environment);
    }

    /** With more arguments of {@code carillon run}. */
    public CarillonLaunch with(List<String> more) {
        return new CarillonLaunch(
                checkout,
                name,
                cpus,
                port,
                sip,
                httpPort,
                archives,
                joined(arguments, more),
                environment);
    }

    public CarillonLaunch with(String... more) {
        return with(Arrays.asList(more));
    }

    public CarillonLaunch environment(String key, String value) {
        return new CarillonLaunch(
                checkout, name, cpus, port, sip, httpPort, archives, arguments, Map.of(key, value));
    }

    /**
     * With data and control in a folder of its own: an empty database, and no other server
     * disturbed.
     *
     * @throws WrongSetting where its path has a blank, which would end a JVM option
     */
    public CarillonLaunch home(Path home) throws IOException {
        if (home.toString().matches(".*\\s.*")) {
            throw new WrongSetting(home + " has a blank in it: choose another folder with --out");
        }
        Files.createDirectories(home);
        return with(
                "--jvm",
                "-Dcarillon.state=" + home + "/.carillon",
                "--jvm",
                "-Dcarillon.home=" + home);
    }

    /**
     * Records the start cache of a checkout where it is missing. Nodes that start at once would
     * each record one, and share the processors with the others' recordings.
     *
     * @throws IOException also when the launcher cannot be run
     */
    public static void recordStart(Path checkout) throws IOException {
        Process recording =
                new ProcessBuilder(Folders.launcher(checkout).toString(), "run", "--record-start")
                        .inheritIO()
                        .start();
        try {
            recording.waitFor();
        } catch (InterruptedException e) {
            recording.destroy();
            throw new InterruptedIOException("interrupted while a start was recorded");
        }
    }

    private static List<String> joined(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** The command, and by what it is known that it takes calls. */
    public ServerProcess.Launch launch() {
        List<String> command = ChildProcess.pinned(cpus);
        command.addAll(List.of(Folders.launcher(checkout).toString(), "run"));
        command.addAll(archives);
        if (!sip.isEmpty()) {
            command.addAll(List.of("--sip", sip));
        }
        command.addAll(List.of("--http", "127.0.0.1:" + httpPort));
        command.addAll(arguments);
        return new ServerProcess.Launch(
                name, port, command, environment, List.of("READY"), List.of());
    }

    /** Starts it and waits until it is ready; its log goes to the folder. */
    public ServerProcess start(Path folder) throws IOException {
        return ServerProcess.start(launch(), folder);
    }
}

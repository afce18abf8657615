package io.carillon.it.upgrade;

import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node that starts while others serve has a machine of its own in the field. Here it has theirs,
 * and its first seconds, in which a JVM takes all processors, would be an overload of the others.
 * So it starts with what they leave, and has their priority once it is ready. Only root may raise a
 * priority again; for others nothing is done.
 */
final class StartPriority {
    private static final String LOW = "10";
    private static final String USUAL = "0";
    private static final int ROOT = 0;
    private static final long RENICE_SECONDS = 10;

    private StartPriority() {}

    /** The same, with what others leave. */
    static ServerProcess.Launch lowered(ServerProcess.Launch launch) throws IOException {
        if (!mayRaise()) {
            return launch;
        }
        List<String> command = new ArrayList<>(List.of("nice", "-n", LOW));
        command.addAll(launch.command());
        return new ServerProcess.Launch(
                launch.name(),
                launch.port(),
                command,
                launch.environment(),
                launch.signs(),
                launch.faults());
    }

    /** Gives all its threads the usual priority. */
    static void raise(ServerProcess process) throws IOException {
        if (!mayRaise()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("renice", "-n", USUAL));
        try (var threads = Files.list(Path.of("/proc", String.valueOf(process.pid()), "task"))) {
            threads.forEach(each -> command.addAll(List.of("-p", each.getFileName().toString())));
        }
        renice(command);
    }

    private static void renice(List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            // A thread that has ended meanwhile makes it say so, and is no fault.
            if (!process.waitFor(RENICE_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                throw new IOException("renice does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean mayRaise() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(ROOT);
    }
}

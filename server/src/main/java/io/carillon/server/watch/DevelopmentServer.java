package io.carillon.server.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server that was started for what is watched, as {@code carillon run} starts it. It ends with
 * this process.
 */
final class DevelopmentServer implements AutoCloseable {
    private static final long ENDS_WITHIN_SECONDS = 8;

    private final Process process;
    private final CountDownLatch said = new CountDownLatch(1);
    private volatile boolean ready;

    private DevelopmentServer(Process process) {
        this.process = process;
    }

    /**
     * How it is started.
     *
     * @param home Carillon's own folder
     * @param empty a folder without archives: the server begins with none
     * @param debug the debugger's port of the loopback address; null: none
     * @param arguments more of {@code carillon run}
     */
    record Start(Path home, Path empty, @Nullable Integer debug, List<String> arguments) {
        List<String> command() {
            Path packed = home.resolve("bin").resolve("carillon");
            Path launcher = Files.exists(packed) ? packed : home.resolve("carillon");
            List<String> command = new ArrayList<>(List.of(launcher.toString(), "run"));
            if (arguments.stream().noneMatch(word -> word.startsWith("--watch"))) {
                command.addAll(List.of("--watch", empty.toString()));
            }
            if (debug != null) {
                command.addAll(
                        List.of(
                                "--jvm",
                                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:"
                                        + debug));
            }
            command.addAll(arguments);
            return command;
        }
    }

    /** Starts one; what it says goes to the terminal. */
    static DevelopmentServer start(Start how, PrintWriter out) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(how.command())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true);
        settle(builder.environment());
        Process process = builder.start();
        DevelopmentServer server = new DevelopmentServer(process);
        Thread.ofPlatform().daemon().name("server-output").start(() -> server.print(out));
        return server;
    }

    /** What is else for a server under development, unless its environment says otherwise. */
    static void settle(Map<String, String> environment) {
        // Who waits for it does not wait for its calls to itself too.
        environment.putIfAbsent("CARILLON_START_WARM_UP", "0 s");
        // The compiler of the next version takes all processors for a moment. What the calls of
        // one developer wait for then is no overload, and a 503 would look like a fault of his.
        environment.putIfAbsent("CARILLON_OVERLOAD_SHED", "false");
    }

    private void print(PrintWriter out) {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null; ) {
                out.println(line);
                out.flush();
                if (line.startsWith("READY")) {
                    ready = true;
                    said.countDown();
                }
            }
        } catch (IOException e) {
            out.println("carillon: what the server says cannot be read: " + e.getMessage());
        } finally {
            said.countDown();
        }
    }

    /** Waits until it takes calls. */
    void awaitReady() throws IOException, InterruptedException {
        said.await();
        if (!ready) {
            process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
            throw new WatchException("the server did not start; what it said stands above");
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it; its calls get BYE. */
    @Override
    public void close() {
        process.toHandle().destroy(); // Process.destroy would close what it says at its end
        try {
            if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

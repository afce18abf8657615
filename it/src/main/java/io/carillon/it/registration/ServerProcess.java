package io.carillon.it.registration;

import io.carillon.lab.process.Pause;
import io.carillon.lab.process.Proc;
import io.carillon.server.HomeFolder;
import io.carillon.server.config.DatabaseSettings;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server of this checkout with a folder of its own for data and control, so that it starts with
 * an empty database and disturbs no other; it can be killed and started again on the same data.
 */
public final class ServerProcess implements AutoCloseable {
    private static final long START_SECONDS = 240;
    private static final String REALM = "carillon";

    private final Path root;
    private final Path home;
    private final List<String> arguments;
    private final int port;
    private final int httpPort;
    private final HttpClient http = HttpClient.newHttpClient();
    private int starts;
    private Process process;

    private ServerProcess(
            Path root, Path home, int port, int httpPort, List<String> arguments, Process first) {
        this.root = root;
        this.home = home;
        this.port = port;
        this.httpPort = httpPort;
        this.arguments = arguments;
        this.process = first;
    }

    /**
     * Starts one.
     *
     * @param home its folder
     * @param arguments of {@code carillon run}, beside the addresses
     */
    public static ServerProcess start(
            Path root, Path home, int port, int httpPort, List<String> arguments)
            throws IOException {
        Files.createDirectories(home);
        List<String> all = new ArrayList<>(arguments);
        String sip = "udp:127.0.0.1:" + port + ",tcp:127.0.0.1:" + port;
        all.addAll(List.of("--sip", sip, "--http", "127.0.0.1:" + httpPort));
        ServerProcess server =
                new ServerProcess(root, home, port, httpPort, all, spawn(root, home, all, 1));
        server.starts = 1;
        server.awaitReady();
        return server;
    }

    /** Adds users to the database of a server that does not run. */
    public static void addUsers(
            DatabaseSettings settings, Path home, List<String> names, String password)
            throws IOException {
        try (Database database = new Database(settings, new HomeFolder(home).data())) {
            SqlUsers users = new SqlUsers(database);
            for (String name : names) {
                users.add(REALM, name, password, Set.of());
            }
        }
    }

    /** The options that the launcher gives, but not its folder. */
    private static Process spawn(Path root, Path home, List<String> arguments, int start)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String line : Files.readAllLines(root.resolve("server/src/main/dist/jvm.options"))) {
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                command.add(line.strip());
            }
        }
        command.add("-Dcarillon.home=" + home);
        command.addAll(List.of("-cp", classPath(root), "io.carillon.server.cli.Main", "run"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(home, start).toFile())
                .start();
    }

    private static String classPath(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("server/target"))) {
            Path jar =
                    files.filter(file -> file.toString().matches(".*/carillon-server-[^/]*\\.jar"))
                            .findAny()
                            .orElseThrow(() -> new IOException("the server is not built"));
            return jar + File.pathSeparator + root.resolve("server/target/lib") + "/*";
        }
    }

    private static Path log(Path home, int start) {
        return home.resolve("server-" + start + ".log");
    }

    private void awaitReady() throws IOException {
        Path log = log(home, starts);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.readString(log).contains("READY")) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                close();
                throw new IOException("the server did not start; its log is " + log);
            }
            Pause.millis(50);
        }
    }

    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    public long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.toHandle());
    }

    /** What the server says of itself: the JSON of {@code carillon status --json}. */
    public String status() throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/status"))
                        .header("Accept", "application/json")
                        .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** SIGKILL: no hook of the server's runs. */
    public void kill() throws IOException {
        process.destroyForcibly();
        await(10);
    }

    /** Starts it again on what the killed one left. */
    public void restart() throws IOException {
        starts++;
        process = spawn(root, home, arguments, starts);
        awaitReady();
    }

    private void await(long seconds) throws IOException {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server ended", e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        await(30);
    }
}

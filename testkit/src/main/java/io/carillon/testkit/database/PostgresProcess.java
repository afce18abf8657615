package io.carillon.testkit.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The PostgreSQL of this machine's packages (Debian: postgresql) with an empty cluster in a
 * temporary folder that goes away with it: on 127.0.0.1, with a password, as durable as it comes.
 * It refuses to run as root, so there it runs as {@code postgres}. It ends with this process.
 * Owner: one thread.
 */
public final class PostgresProcess implements AutoCloseable {
    public static final String USER = "carillon";

    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
    private static final String PASSWORD = "password of the trial";

    /** PostgreSQL does not run as root; this is its packages' user. */
    private static final String UNPRIVILEGED = "postgres";

    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 20;
    private static final long LOOK_EVERY_MILLIS = 100;

    private final Path programs;
    private final Path folder;
    private final int port;
    private final Thread end = Thread.ofPlatform().name("end-postgresql").unstarted(this::askToEnd);
    private volatile Process process;

    private PostgresProcess(Path programs, Path folder, int port, Process process) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** The folder of its programs, where the machine has it: of the newest version. */
    public static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(PACKAGES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(PACKAGES)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                    .max(Comparator.naturalOrder());
        }
    }

    /** Starts one at a port that is free. */
    public static PostgresProcess start() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        return start(port);
    }

    /**
     * Starts one and waits until it takes connections.
     *
     * @throws IOException when none is installed, or it does not start
     */
    public static PostgresProcess start(int port) throws IOException {
        Path programs =
                programs()
                        .orElseThrow(() ->
                                new IOException(
                                        "there is no PostgreSQL in "
                                                + PACKAGES
                                                + ": apt-get install postgresql"));
        Path folder = Files.createTempDirectory("carillon-postgresql");
        PostgresProcess started;
        try {
            Path password = folder.resolve("password");
            Files.writeString(password, PASSWORD + "\n", UTF_8);
            if (isRoot()) {
                giveTo(folder);
            }
            run(
                    folder,
                    programs.resolve("initdb").toString(),
                    "--pgdata=" + data(folder),
                    "--username=" + USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8");
            started = new PostgresProcess(programs, folder, port, server(programs, folder, port));
        } catch (IOException e) {
            delete(folder);
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(started.end);
        started.awaitReady();
        return started;
    }

    private static Process server(Path programs, Path folder, int port) throws IOException {
        return spawn(
                folder,
                programs.resolve("postgres").toString(),
                "-D",
                data(folder).toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + folder);
    }

    private static Path data(Path folder) {
        return folder.resolve("data");
    }

    private static Path log(Path folder) {
        return folder.resolve("log");
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static void giveTo(Path folder) throws IOException {
        var postgres =
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(UNPRIVILEGED);
        for (Path path : List.of(folder, folder.resolve("password"))) {
            Files.setAttribute(path, "owner:owner", postgres, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static void run(Path folder, String... command) throws IOException {
        Process process = spawn(folder, command);
        if (!ended(process, START_SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(command[0] + " failed: " + Files.readString(log(folder)));
        }
    }

    /** Its output goes to a file: a pipe would fill. */
    private static Process spawn(Path folder, String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=" + UNPRIVILEGED));
            all.addAll(List.of("--regid=" + UNPRIVILEGED, "--init-groups"));
        }
        all.addAll(List.of(command));
        return new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(folder).toFile()))
                .start();
    }

    private void awaitReady() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                String said = Files.readString(log(folder));
                close();
                throw new IOException("PostgreSQL did not start: " + said);
            }
            pause();
        }
    }

    private boolean answers() throws IOException {
        Process asked =
                new ProcessBuilder(
                                programs.resolve("pg_isready").toString(),
                                "-q",
                                "-h",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port))
                        .start();
        return ended(asked, END_SECONDS) && asked.exitValue() == 0;
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static boolean ended(Process process, long seconds) throws IOException {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public Path passwordFile() {
        return folder.resolve("password");
    }

    /** Ends as by kill -9, with all of its processes: what was not written is lost. */
    public void crash() throws IOException {
        run(
                folder,
                programs.resolve("pg_ctl").toString(),
                "--pgdata=" + data(folder),
                "--wait",
                "--mode=immediate",
                "stop");
        ended(process, END_SECONDS);
    }

    /** Starts it again on what the crash left; returns when it takes connections. */
    public void restart() throws IOException {
        process = server(programs, folder, port);
        awaitReady();
    }

    private void askToEnd() {
        process.destroy();
    }

    @Override
    public void close() throws IOException {
        try {
            if (process.isAlive()) {
                crash();
            }
        } finally {
            process.destroyForcibly();
            forget();
            delete(folder);
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // This process is being ended: the hook runs already, and finds the server ended.
            return;
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package io.carillon.it.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import java.io.IOException;
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
 * The PostgreSQL of this machine's packages with an empty cluster in a temporary folder, on
 * 127.0.0.1, as durable as it comes. It refuses to run as root, so there it runs as {@code
 * postgres}. One thread.
 */
final class PostgresProcess implements AutoCloseable {
    static final String USER = "carillon";
    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
    private static final String PASSWORD = "password of the trial";
    private static final long START_SECONDS = 60;

    private final Path folder;
    private final int port;
    private final Process process;

    private PostgresProcess(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /**
     * Starts one and waits until it takes connections.
     *
     * @throws IOException when none is installed, or it does not start
     */
    static PostgresProcess start(int port) throws IOException {
        Path programs = programs();
        Path folder = Files.createTempDirectory("carillon-postgresql");
        try {
            Path password = folder.resolve("password");
            Files.writeString(password, PASSWORD + "\n", UTF_8);
            if (isRoot()) {
                giveTo(folder);
            }
            Path data = folder.resolve("data");
            run(
                    folder,
                    programs.resolve("initdb").toString(),
                    "--pgdata=" + data,
                    "--username=" + USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8");
            Process process =
                    spawn(
                            folder,
                            programs.resolve("postgres").toString(),
                            "-D",
                            data.toString(),
                            "-p",
                            Integer.toString(port),
                            "-c",
                            "listen_addresses=127.0.0.1",
                            "-c",
                            "unix_socket_directories=" + folder);
            PostgresProcess started = new PostgresProcess(folder, port, process);
            started.awaitReady(programs);
            return started;
        } catch (IOException e) {
            Folders.delete(folder);
            throw e;
        }
    }

    private static Path programs() throws IOException {
        if (Files.isDirectory(PACKAGES)) {
            try (Stream<Path> versions = Files.list(PACKAGES)) {
                Optional<Path> newest =
                        versions.map(version -> version.resolve("bin"))
                                .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                                .max(Comparator.naturalOrder());
                if (newest.isPresent()) {
                    return newest.get();
                }
            }
        }
        throw new IOException(
                "there is no PostgreSQL in " + PACKAGES + ": apt-get install postgresql");
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static void giveTo(Path folder) throws IOException {
        var postgres =
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("postgres");
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

    private static Process spawn(Path folder, String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        all.addAll(List.of(command));
        return new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(folder).toFile()))
                .start();
    }

    private static Path log(Path folder) {
        return folder.resolve("log");
    }

    private void awaitReady(Path programs) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!answers(programs)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                String said = Files.readString(log(folder));
                close();
                throw new IOException("PostgreSQL did not start: " + said);
            }
            Pause.millis(100);
        }
    }

    private boolean answers(Path programs) throws IOException {
        Process asked =
                new ProcessBuilder(
                                programs.resolve("pg_isready").toString(),
                                "-q",
                                "-h",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port))
                        .start();
        return ended(asked, 10) && asked.exitValue() == 0;
    }

    private static boolean ended(Process process, long seconds) throws IOException {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    Path passwordFile() {
        return folder.resolve("password");
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        if (!ended(process, 20)) {
            process.destroyForcibly();
        }
        Folders.delete(folder);
    }
}

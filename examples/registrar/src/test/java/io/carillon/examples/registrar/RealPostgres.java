package io.carillon.examples.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of a test alone, from the packages of the machine (Debian: postgresql): on a
 * loopback port, with a password, its data in a folder that goes away with it.
 */
final class RealPostgres implements AutoCloseable {
    static final String USER = "carillon";
    private static final String PASSWORD = "of a test";

    /** PostgreSQL does not run as root; this is its packages' user. */
    private static final String UNPRIVILEGED = "postgres";

    private final Path binaries;
    private final Path folder;
    private final boolean root;
    private final int port;

    private RealPostgres(Path binaries, Path folder, int port) {
        this.binaries = binaries;
        this.folder = folder;
        this.port = port;
        this.root = "root".equals(System.getProperty("user.name"));
    }

    /** The folder of its programs, where the machine has it. */
    static Optional<Path> binaries() throws IOException {
        Path all = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(all)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    static RealPostgres start(Path binaries) throws IOException, InterruptedException {
        RealPostgres made =
                new RealPostgres(
                        binaries, Files.createTempDirectory("carillon-postgres"), freePort());
        made.create();
        made.start();
        return made;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void create() throws IOException, InterruptedException {
        Files.writeString(passwordFile(), PASSWORD + "\n");
        if (root) {
            UserPrincipal owner =
                    folder.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(UNPRIVILEGED);
            Files.setOwner(folder, owner);
            Files.setPosixFilePermissions(
                    passwordFile(), PosixFilePermissions.fromString("rw-r--r--"));
        }
        run(
                "initdb",
                "--pgdata=" + data(),
                "--username=" + USER,
                "--pwfile=" + passwordFile(),
                "--auth=scram-sha-256",
                "--encoding=UTF8");
    }

    /** Returns when it takes connections. */
    void start() throws IOException, InterruptedException {
        String options =
                "-c listen_addresses=127.0.0.1 -c port="
                        + port
                        + " -c unix_socket_directories="
                        + folder;
        run(
                "pg_ctl",
                "--pgdata=" + data(),
                "--wait",
                "--log=" + folder.resolve("log"),
                "--options=" + options,
                "start");
    }

    /** Ends as by kill -9: what was not written is lost. */
    void crash() throws IOException, InterruptedException {
        run("pg_ctl", "--pgdata=" + data(), "--wait", "--mode=immediate", "stop");
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    Path passwordFile() {
        return folder.resolve("password");
    }

    private Path data() {
        return folder.resolve("data");
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (root) {
            command.addAll(
                    List.of(
                            "setpriv",
                            "--reuid=" + UNPRIVILEGED,
                            "--regid=" + UNPRIVILEGED,
                            "--clear-groups"));
        }
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        // The server inherits the output: a pipe would stay open as long as it runs.
        Path output = Files.createTempFile("carillon-postgres", ".out");
        try {
            int code =
                    new ProcessBuilder(command)
                            .directory(folder.getParent().toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start()
                            .waitFor();
            if (code != 0) {
                throw new IOException(
                        program + " ended with " + code + ": " + Files.readString(output, UTF_8));
            }
        } finally {
            Files.delete(output);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            crash();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while PostgreSQL ended", e);
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package io.carillon.it.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.it.registration.RegisterRun.Stretch;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.Carillon;
import io.carillon.lab.rig.CarillonLaunch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it full-disk}: phones register while the file system of the database is full,
 * and after there is space again. The server must say what is wrong, acknowledge nothing that it
 * cannot keep, and go on without a restart.
 */
@Command(
        name = "full-disk",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Registrations while the disk of the database is full, and after it was freed.")
public final class FullDisk implements Callable<Integer> {
    private static final String PASSWORD = "secret of the disk";
    private static final int PHONES = 200;
    private static final int RATE = 100;
    private static final int SECONDS = 6;
    private static final long PATIENCE_SECONDS = 30;
    private static final Pattern FAILURE =
            Pattern.compile("\"databaseFailure\"\\s*:\\s*(null|\"(?:[^\"\\\\]|\\\\.)*\")");

    @Option(
            names = "--folder",
            description =
                    "a folder on a small file system that may be filled; without it root mounts one of 64 MB"
                            + " in memory")
    private @Nullable Path given;

    @Option(
            names = "--port",
            defaultValue = "6520",
            description = "the server's SIP port; HTTP is the next one (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/full-disk-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Path folder = Folders.results(out, "it", "full-disk");
            Path disk = given;
            if (disk != null) {
                return trial(folder, disk) ? 0 : 1;
            }
            disk = Files.createDirectories(folder.resolve("disk"));
            command("mount", "-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs", disk.toString());
            try {
                return trial(folder, disk) ? 0 : 1;
            } finally {
                command("umount", disk.toString());
            }
        } catch (IOException e) {
            System.err.println("carillon it full-disk: " + e.getMessage());
            return 1;
        }
    }

    private static void command(String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(
                        words[0] + " failed: " + said.strip() + "; name a small --folder instead");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private boolean trial(Path folder, Path disk) throws IOException {
        List<String> names = IntStream.range(0, PHONES).mapToObj(i -> "user" + i).toList();
        Path ballast = disk.resolve("ballast");
        try (TrialDatabase database = TrialDatabase.h2(folder, disk.resolve("users"))) {
            TrialUsers.add(database.settings(), folder, names, PASSWORD);
            CarillonLaunch launch =
                    CarillonLaunch.at(port)
                            .http(port + 1)
                            .running(Folders.example(Folders.root(), "registrar"))
                            .home(folder)
                            .with(database.arguments());
            try (Carillon server = Carillon.start(launch, folder);
                    RegisterRun run =
                            new RegisterRun(
                                    server.process().address(), names, PASSWORD, "SHA-256")) {
                return trial(server, run, ballast);
            } finally {
                Files.deleteIfExists(ballast);
            }
        }
    }

    private static boolean trial(Carillon server, RegisterRun run, Path ballast)
            throws IOException {
        Stretch before = run.load(RATE, SECONDS);
        run.settle();
        print("with space", before, server);
        boolean good = before.acknowledged() > 0 && failure(server) == null && missing(run) == 0;

        fill(ballast);
        Stretch full = run.load(RATE, SECONDS);
        run.settle();
        print("disk full", full, server);
        String said = failure(server);
        System.out.println("refused: " + run.failures());
        good &= said != null && full.acknowledged() < full.begun();

        Files.delete(ballast);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        do {
            Pause.millis(1_100);
            run.load(RATE, 1);
            run.settle();
        } while (failure(server) != null && System.nanoTime() - deadline < 0);
        Map<String, Integer> refused = Map.copyOf(run.failures());
        Stretch after = run.load(RATE, SECONDS);
        run.settle();
        print("freed", after, server);
        System.out.println("refused by now: " + run.failures());
        int missing = missing(run);
        return good && failure(server) == null && refused.equals(run.failures()) && missing == 0;
    }

    /** Until not one byte more goes in. */
    private static void fill(Path ballast) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream to = Files.newOutputStream(ballast)) {
            for (long i = 0; i < 1 << 20; i++) {
                to.write(block);
            }
        } catch (IOException full) {
            System.out.println("disk filled: " + full.getMessage());
            return;
        }
        throw new IOException(
                "the file system took 4 GiB and is not full: name a smaller --folder");
    }

    private static int missing(RegisterRun run) throws IOException {
        int missing = run.verify();
        System.out.printf("%d acknowledged bindings, %d missing%n", run.bound(), missing);
        return missing;
    }

    private static void print(String when, Stretch stretch, Carillon server) throws IOException {
        System.out.printf(
                "%s: %d registrations begun, %d acknowledged by its end; status says: %s%n",
                when, stretch.begun(), stretch.acknowledged(), failure(server));
    }

    /** What status says of the database; null while all is well. */
    private static @Nullable String failure(Carillon server) throws IOException {
        Matcher found = FAILURE.matcher(server.status().toString());
        return found.find() && !found.group(1).equals("null") ? found.group(1) : null;
    }
}

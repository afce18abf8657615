package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM recorded of a rehearsed start, so that the next one need not load, link and profile
 * again. One for a program: it belongs to the JDK, the shipped options and the libraries.
 */
final class StartCache {
    /** A recording that was killed leaves its files. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    /** A start is over by then, and the first calls with it. */
    private static final int LATER_SECONDS = 30;

    private final Program program;
    private final JvmOptions options;

    StartCache(Program program, JvmOptions options) {
        this.program = program;
        this.options = options;
    }

    /** The file of the cache. */
    Path file() {
        return program.start().resolve("server.aot");
    }

    private Path beside(String ending) {
        return program.start().resolve("server.aot" + ending);
    }

    /** Where a recording says why it failed. */
    Path log() {
        return program.start().resolve("rehearse.log");
    }

    /** Records it where it is not there or not of what runs. False: there is none to be taken. */
    boolean make() throws IOException {
        String key = key();
        if (fits(key)) {
            return true;
        }
        Path archive = program.rehearsed();
        if (!Files.isRegularFile(archive) || key.equals(text(beside(".failed")))) {
            return false;
        }
        forget();
        System.err.println("Recording a start for the start cache (about 10 s) ...");
        Path made = beside("." + ProcessHandle.current().pid());
        if (record(archive, made) && Files.isRegularFile(made)) {
            Files.deleteIfExists(beside(".failed"));
            Files.writeString(beside(".key"), key);
            Files.move(made, file(), StandardCopyOption.REPLACE_EXISTING);
            return true;
        }
        forget(made);
        Files.writeString(beside(".failed"), key);
        return false;
    }

    /** Has it to be recorded, as far as that can be done? */
    boolean missing() throws IOException {
        String key = key();
        return !fits(key) && !key.equals(text(beside(".failed")));
    }

    /**
     * Records it in a process of its own, when the server that starts now has had the time for it,
     * and behind everything else. A server that has ended meanwhile has nothing recorded: one that
     * is started again and again would pile recordings up.
     *
     * @param server the process that becomes the server
     */
    void makeLater(long server) throws IOException {
        System.err.println(
                "The start cache is recorded in the background: the next start is quicker.");
        ProcessBuilder later = new ProcessBuilder(later(LATER_SECONDS, server));
        later.environment().put("CARILLON_JAVA_HOME", program.java().toString());
        later.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(beside(".log").toFile())
                .start();
    }

    List<String> later(int seconds, long server) {
        return List.of(
                "sh",
                "-c",
                "sleep \"$1\"; kill -0 \"$2\" 2>/dev/null || exit 0; exec nice -n 19 \"$0\" run --record-start",
                program.launcher().toString(),
                String.valueOf(seconds),
                String.valueOf(server));
    }

    /** Was it made of what would run now? */
    private boolean fits(String key) throws IOException {
        if (!Files.isRegularFile(file()) || !key.equals(text(beside(".key")))) {
            return false;
        }
        FileTime recorded = Files.getLastModifiedTime(file());
        for (Path jar : program.jars()) {
            if (Files.getLastModifiedTime(jar).compareTo(recorded) > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean record(Path archive, Path made) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program.java().resolve("bin/java").toString());
        command.addAll(options.shipped());
        command.add("-XX:AOTCacheOutput=" + made);
        command.add("-Xlog:aot*=off");
        command.add("-Dcarillon.home=" + program.home());
        command.addAll(List.of("-cp", program.classPath(), Program.MAIN, "rehearse"));
        command.add(archive.toString());
        Process recording =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log().toFile())
                        .start();
        // Who ends the launcher meanwhile ends the recording too.
        Thread ends = Thread.ofPlatform().unstarted(() -> end(recording, made));
        Runtime.getRuntime().addShutdownHook(ends);
        try {
            int exit = recording.waitFor();
            Runtime.getRuntime().removeShutdownHook(ends);
            return exit == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void end(Process recording, Path made) {
        recording.destroyForcibly();
        forget(made);
    }

    /** What the cache depends on: the JDK, the shipped options, every library by size and time. */
    private String key() throws IOException {
        StringBuilder key = new StringBuilder();
        key.append(program.java()).append('\n');
        key.append(String.join(" ", options.shipped())).append('\n');
        key.append(text(program.java().resolve("release"))).append('\n');
        key.append(program.lib()).append('\n');
        for (Path jar : program.jars()) {
            key.append(jar).append(' ').append(Files.size(jar)).append(' ');
            key.append(Files.getLastModifiedTime(jar)).append('\n');
        }
        return key.toString();
    }

    private void forget() throws IOException {
        FileTime old = FileTime.fromMillis(System.currentTimeMillis() - FORGOTTEN.toMillis());
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(program.start(), "server.aot.[0-9]*")) {
            for (Path file : left) {
                if (Files.getLastModifiedTime(file).compareTo(old) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** The JVM writes a second file beside it while it records. */
    private static void forget(Path made) {
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(made.getParent(), made.getFileName() + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("carillon: " + made + " is left behind: " + e.getMessage());
        }
    }

    private static @Nullable String text(Path file) throws IOException {
        return Files.isRegularFile(file) ? Files.readString(file) : null;
    }
}

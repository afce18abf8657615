package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the file of arguments with which the launcher starts a server's JVM, and records the start
 * cache before it. Exit codes: 0 the file is written, 1 failed, 2 wrong arguments. Arguments: the
 * folders of {@link Program}, the file of the shipped options, the folder of the owner's
 * configuration, the file to write, a line to write first, then those of {@code carillon run}.
 */
public final class Launch {
    private static final int OWN = 9;

    private Launch() {}

    /** Called by the launcher. */
    public static void main(String[] arguments) {
        try {
            launch(Arrays.asList(arguments));
        } catch (LaunchFailure e) {
            System.err.println("carillon: " + e.getMessage());
            System.exit(e.exit());
        } catch (IOException e) {
            System.err.println("carillon: " + e.getClass().getSimpleName() + ": " + e.getMessage());
            System.exit(1);
        }
    }

    private static void launch(List<String> arguments) throws LaunchFailure, IOException {
        Program program =
                new Program(
                        Path.of(arguments.get(0)),
                        Path.of(arguments.get(1)),
                        Path.of(arguments.get(2)),
                        Path.of(arguments.get(3)),
                        Path.of(arguments.get(4)));
        JvmArguments asked = JvmArguments.of(arguments.subList(OWN, arguments.size()));
        JvmOptions options =
                asked.joined(
                        Path.of(arguments.get(5)),
                        Path.of(arguments.get(6)).resolve("jvm.options"),
                        environment("CARILLON_JAVA_OPTS"));
        List<String> inForce = options.onThis(new Machine(Path.of("/")));
        if (asked.show()) {
            show(program, options, inForce);
            return;
        }
        makeFolder(program.start());
        forgetEnded(program.start());
        List<String> lines = new ArrayList<>();
        String first = arguments.get(8);
        if (asked.file() == null
                && options.allowCache()
                && !environment("CARILLON_START_CACHE").equals("off")) {
            StartCache cache = new StartCache(program, options);
            if (program.packed() && !asked.record() && cache.missing()) {
                // The first start of a distribution does not wait; the next one finds it.
                cache.makeLater(server());
                first += " without the start cache";
            } else if (cache.make()) {
                lines.addAll(List.of("-XX:AOTCache=" + cache.file(), "-Xlog:aot*=off"));
            } else {
                System.err.println(
                        "carillon: starting without the start cache, which could not be made; see "
                                + cache.log());
            }
        }
        // An option of the user may give the server another folder of its own.
        lines.add("-Dcarillon.home=" + program.home());
        lines.addAll(inForce);
        lines.addAll(List.of("-cp", program.classPath()));
        write(Path.of(arguments.get(7)), first, lines);
    }

    /** The launcher, which becomes the server's process. */
    private static long server() {
        return ProcessHandle.current().parent().orElseThrow().pid();
    }

    private static void show(Program program, JvmOptions options, List<String> inForce) {
        StringBuilder text = new StringBuilder("JDK: ");
        text.append(program.java()).append(" (").append(Runtime.version()).append(")\n");
        text.append("Options (").append(options.source());
        text.append(", then CARILLON_JAVA_OPTS, then --jvm):\n");
        inForce.forEach(option -> text.append("  ").append(option).append('\n'));
        System.out.print(text);
    }

    /** For its owner alone: a server runs what is in it. */
    private static void makeFolder(Path folder) throws LaunchFailure {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw notWritable(folder);
        }
        if (!Files.isWritable(folder)) {
            throw notWritable(folder);
        }
    }

    private static LaunchFailure notWritable(Path folder) {
        return LaunchFailure.failed(
                folder
                        + " cannot be written: CARILLON_HOME names a folder for what is kept"
                        + " (docs/start/install.md)");
    }

    /** As the JVM's launcher reads such files: a comment, then an argument on each line. */
    private static void write(Path file, String first, List<String> arguments) throws IOException {
        String line = first.lines().findFirst().orElse("");
        StringBuilder text = new StringBuilder("# ").append(line).append('\n');
        for (String argument : arguments) {
            text.append('"').append(argument.replace("\\", "\\\\").replace("\"", "\\\""));
            text.append("\"\n");
        }
        Path written =
                file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
        Files.writeString(written, text);
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Files of processes with options of their own, {@code run-PID.args}, that have ended. */
    private static void forgetEnded(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "run-*.args")) {
            for (Path file : files) {
                String pid = String.valueOf(file.getFileName()).replaceAll("\\D", "");
                boolean alive =
                        pid.matches("\\d{1,18}")
                                && ProcessHandle.of(Long.parseLong(pid))
                                        .filter(ProcessHandle::isAlive)
                                        .isPresent();
                if (!alive) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static String environment(String name) {
        String value = System.getenv(name);
        return value == null ? "" : value;
    }
}

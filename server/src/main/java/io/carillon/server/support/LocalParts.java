package io.carillon.server.support;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What of this machine belongs to a bundle, whether a server answers or not. Stateless. */
public final class LocalParts {
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_CRASHES = 3;
    private static final long WAIT_SECONDS = 10;

    private LocalParts() {}

    /** The JVM of this command, the system, memory, processors; names of variables, no values. */
    public static String machine() {
        StringBuilder out = new StringBuilder();
        for (String name :
                List.of("java.runtime.version", "java.vm.name", "java.vendor", "java.home")) {
            out.append(name).append(": ").append(System.getProperty(name)).append('\n');
        }
        for (String name : List.of("os.name", "os.version", "os.arch", "user.name")) {
            out.append(name).append(": ").append(System.getProperty(name)).append('\n');
        }
        out.append("processors: ").append(Runtime.getRuntime().availableProcessors()).append('\n');
        for (String file :
                List.of(
                        "/etc/os-release",
                        "/proc/meminfo",
                        "/proc/loadavg",
                        "/proc/pressure/cpu",
                        "/proc/pressure/memory",
                        "/proc/net/snmp")) {
            out.append("\n== ").append(file).append('\n').append(fileOrWhy(Path.of(file)));
        }
        out.append("\n== variables that are set (without their values)\n");
        System.getenv().keySet().stream()
                .filter(name -> name.toUpperCase(Locale.ROOT).startsWith("CARILLON"))
                .sorted()
                .forEach(name -> out.append(name).append('\n'));
        return out.toString();
    }

    private static String fileOrWhy(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "cannot be read: " + e.getMessage() + "\n";
        }
    }

    /** What the system says of a process. */
    public static String process(long pid) throws IOException {
        StringBuilder out = new StringBuilder();
        for (String name : List.of("status", "limits", "schedstat", "smaps_rollup")) {
            Path file = Path.of("/proc", Long.toString(pid), name);
            out.append("== ").append(file).append('\n').append(fileOrWhy(file)).append('\n');
        }
        return out.toString();
    }

    /**
     * Threads of a server that answers no command, as the JVM's own tool prints them. The server
     * stands still while it writes them, at most until it has them in its memory.
     */
    public static String threadsOf(long pid) throws IOException, InterruptedException {
        return output(threadsCommand(pid));
    }

    /**
     * Without the option a JVM writes to the tool at a safepoint: whoever keeps the tool waiting,
     * as by a pipe that is not read or by Ctrl-Z, keeps the whole server waiting.
     */
    static List<String> threadsCommand(long pid) throws IOException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(tool)) {
            throw new IOException("this Java has no jcmd");
        }
        return List.of(
                tool.toString(),
                "-J-Djdk.attach.allowStreamingOutput=false",
                Long.toString(pid),
                "Thread.print",
                "-l");
    }

    /**
     * The last lines that the system's journal has of the service.
     *
     * @throws SupportBundle.NotHere on a machine without a journal
     */
    public static String journal() throws IOException, InterruptedException, SupportBundle.NotHere {
        if (!onPath("journalctl")) {
            throw new SupportBundle.NotHere("this machine has no journalctl");
        }
        return output(
                List.of("journalctl", "--no-pager", "-o", "cat", "-n", "5000", "-u", "carillon"));
    }

    private static boolean onPath(String tool) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /** What a tool prints within its time; by way of a file, so that it never waits for us. */
    private static String output(List<String> command) throws IOException, InterruptedException {
        Path file = Files.createTempFile("carillon-support-", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(file.toFile())
                            .start();
            try {
                process.getOutputStream().close();
                if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } finally {
                process.destroy();
            }
            int code = process.waitFor();
            String text;
            try (InputStream in = Files.newInputStream(file)) {
                text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            }
            if (code != 0 && text.isBlank()) {
                throw new IOException(command.getFirst() + " ended with " + code);
            }
            return text;
        } finally {
            Files.delete(file);
        }
    }

    /** The last files that a JVM left which crashed here. */
    public static List<Path> crashes(List<Path> folders) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            if (Files.isDirectory(folder) && Files.isReadable(folder)) {
                try (DirectoryStream<Path> files =
                        Files.newDirectoryStream(folder, "hs_err_pid*.log")) {
                    files.forEach(found::add);
                }
            }
        }
        found.sort(
                Comparator.comparingLong((Path file) -> file.toFile().lastModified()).reversed());
        return found.subList(0, Math.min(MOST_CRASHES, found.size()));
    }

    /** The end of a file. */
    public static String end(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            int length = (int) Math.min(open.length(), MOST_BYTES);
            byte[] bytes = new byte[length];
            open.seek(open.length() - length);
            open.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}

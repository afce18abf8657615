package io.carillon.server.watch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The class path of a Maven project: Maven itself resolves it, by what is in the local repository
 * and only then from elsewhere. It takes seconds, so it is asked once for each pom.xml. Stateless.
 */
final class MavenClassPath {
    private static final String LIST =
            "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:list";

    /** {@code group:artifact:type[:classifier]:version:scope[ (optional)]:file[ -- module ...]}. */
    private static final Pattern LINE =
            Pattern.compile(
                    "^\\s+[^:\\s]+:[^:]+:[^:]+:(?:[^:]+:)?[^:]+:"
                            + "(compile|provided|runtime|test|system)\\s*(?:\\(optional\\))?\\s*:"
                            + "(/.*?)(?:\\s+-- module.*)?$");

    private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");

    private MavenClassPath() {}

    /** Asks Maven; it may take some seconds, and minutes where it has to fetch. */
    static ClassPath of(Pom pom) throws IOException {
        Path list = Files.createTempFile("carillon-watch", ".txt");
        try {
            String said = "";
            for (boolean offline : new boolean[] {true, false}) {
                Path log = Files.createTempFile("carillon-watch", ".log");
                try {
                    if (run(pom, list, log, offline) == 0) {
                        return parse(Files.readAllLines(list));
                    }
                    said = errors(Files.readString(log, StandardCharsets.UTF_8));
                } finally {
                    Files.deleteIfExists(log);
                }
            }
            throw new WatchException(
                    pom.file()
                            + ": Maven could not say what the project is compiled with: "
                            + said);
        } finally {
            Files.deleteIfExists(list);
        }
    }

    private static int run(Pom pom, Path list, Path log, boolean offline) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(pom.folder())));
        if (offline) {
            command.add("-o");
        }
        command.addAll(
                List.of(
                        "-B",
                        "-ntp",
                        "-q",
                        "-f",
                        pom.file().toString(),
                        LIST,
                        "-DoutputAbsoluteArtifactFilename=true",
                        "-DoutputFile=" + list));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Maven worked", e);
        }
    }

    /** The project's own Maven wrapper, in its folder or above it, else the Maven of the path. */
    static String program(Path folder) throws IOException {
        for (Path up = folder; up != null; up = up.getParent()) {
            Path wrapper = up.resolve("mvnw");
            if (Files.isExecutable(wrapper)) {
                return wrapper.toString();
            }
        }
        String path = System.getenv("PATH");
        for (String part : (path == null ? "" : path).split(File.pathSeparator, -1)) {
            if (!part.isEmpty() && Files.isExecutable(Path.of(part, "mvn"))) {
                return Path.of(part, "mvn").toString();
            }
        }
        throw new WatchException(
                folder
                        + ": a Maven project, but there is no mvnw in it or above it, and no mvn in PATH");
    }

    /** Of what the plugin wrote. */
    static ClassPath parse(List<String> lines) {
        List<Path> compile = new ArrayList<>();
        List<Path> packed = new ArrayList<>();
        for (String line : lines) {
            Matcher found = LINE.matcher(COLOURS.matcher(line).replaceAll(""));
            if (found.matches()) {
                Path file = Path.of(found.group(2).strip());
                switch (found.group(1)) {
                    case "compile" -> {
                        compile.add(file);
                        packed.add(file);
                    }
                    case "provided", "system" -> compile.add(file);
                    case "runtime" -> packed.add(file);
                    default -> {
                        // of tests: they are Maven's
                    }
                }
            }
        }
        return new ClassPath(compile, packed);
    }

    /** The first line that tells something. */
    private static String errors(String log) {
        @Nullable String first = null;
        for (String line : log.lines().toList()) {
            if (line.startsWith("[ERROR] ") && line.length() > 12) {
                first = line.substring("[ERROR] ".length()).strip();
                break;
            }
        }
        return first == null ? log.strip() : first;
    }
}

package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A checkout that was built, as far as the launcher looks, with a JDK whose {@code java} writes
 * down how it was called. What the launcher computes before is computed by the real one.
 */
record TrialCheckout(Path home, Path jdk) {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static TrialCheckout in(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("checkout")).toRealPath();
        for (String script : List.of("carillon", "dev")) {
            Files.copy(ROOT.resolve(script), home.resolve(script));
        }
        Path shipped = Files.createDirectories(home.resolve("server/src/main/dist"));
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(ROOT.resolve("server/src/main/dist"))) {
            for (Path file : files) {
                Files.copy(file, shipped.resolve(file.getFileName()));
            }
        }
        TrialCheckout made = new TrialCheckout(home, folder.toRealPath().resolve("jdk"));
        made.write("pom.xml", "<project/>");
        made.write("server/target/lib/netty.jar", "netty");
        made.write("examples/b2bua/target/b2bua.war", "war");
        jar(home.resolve("server/target/carillon-server-1.jar"));
        Files.createDirectories(made.jdk().resolve("bin"));
        Files.writeString(made.jdk().resolve("release"), "JAVA_VERSION=\"25\"\n");
        made.program("javac", "exit 0");
        made.java(":");
        made.builtNow();
        return made;
    }

    /** What the launcher runs before the server, as it is in the server's library. */
    private static void jar(Path file) throws IOException {
        Path classes = Path.of("target/classes");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out);
                DirectoryStream<Path> found =
                        Files.newDirectoryStream(classes.resolve("io/carillon/server/launch"))) {
            for (Path one : found) {
                jar.putNextEntry(new JarEntry(classes.relativize(one).toString()));
                Files.copy(one, jar);
            }
        }
    }

    /** What the sources hold has been built. */
    void builtNow() throws IOException {
        write(".carillon/built", "");
    }

    void write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /**
     * A {@code java} that writes its arguments down and prints them, and a cache where one is asked
     * for.
     */
    void java(String more) throws IOException {
        program(
                "java",
                """
                case "$*" in *io.carillon.server.launch.Launch*) exec '%s/bin/java' "$@" ;; esac
                call=$(for a; do case $a in @*) grep -v '^#' "${a#@}" | tr -d '"' ;; *) echo "$a" ;; esac; done | tr '\\n' ' ')
                echo "$call" | tee -a '%s'
                %s
                for a; do case $a in -XX:AOTCacheOutput=*) echo cache >"${a#*=}" ;; esac; done
                """
                        .formatted(System.getProperty("java.home"), calls(), more));
    }

    private Path calls() {
        return home.resolveSibling("calls");
    }

    void program(String name, String script) throws IOException {
        Path file = jdk.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the launcher with nothing of the environment's that it would look at. */
    Result run(String... arguments) throws IOException, InterruptedException {
        return run(Map.of(), arguments);
    }

    Result run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return start(home.resolve("carillon"), environment, arguments);
    }

    /** The same by another path to it. */
    Result start(Path launcher, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Files.deleteIfExists(calls());
        ProcessBuilder builder =
                new ProcessBuilder(launcher.toString())
                        .directory(home.getParent().toFile())
                        .redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        Map<String, String> all = builder.environment();
        all.keySet().removeIf(name -> name.startsWith("CARILLON_"));
        all.put("CARILLON_JAVA_HOME", jdk.toString());
        all.putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        return new Result(
                exit, output, Files.exists(calls()) ? Files.readAllLines(calls()) : List.of());
    }

    record Result(int exit, String output, List<String> calls) {}
}

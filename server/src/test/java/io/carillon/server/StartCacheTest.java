package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the launcher records, takes and leaves the start cache: the script in a folder of its own,
 * with a JDK whose {@code java} writes down how it was called.
 */
class StartCacheTest {
    private static final Path LAUNCHER = Path.of("..", "carillon").toAbsolutePath().normalize();

    @TempDir private Path folder;
    private Path home;
    private Path jdk;
    private Path calls;

    @BeforeEach
    void makeACheckoutAndAJdk() throws IOException {
        home = Files.createDirectories(folder.resolve("home")).toRealPath();
        calls = home.resolveSibling("calls");
        Path launcher = Files.copy(LAUNCHER, home.resolve("carillon"));
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Files.createDirectories(home.resolve("server/target/lib"));
        Files.createDirectories(home.resolve("server/src/main/dist"));
        Path rehearsed = home.resolve("examples/b2bua/target/b2bua.war");
        Files.createDirectories(rehearsed.getParent());
        Files.writeString(rehearsed, "war");
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        options("-XX:+UseG1GC\n-XX:+UseCompactObjectHeaders\n");
        Files.writeString(home.resolve("server/target/carillon-server-1.jar"), "server");
        Files.writeString(home.resolve("server/target/lib/netty.jar"), "netty");
        jdk = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        program("javac", "exit 0");
        java(":");
        builtNow();
    }

    @Test
    void theFirstStartRecordsTheCacheAndTheNextOneTakesIt() throws Exception {
        Result first = run();
        assertThat(first.calls()).hasSize(2);
        assertThat(first.calls().getFirst()).contains("-XX:AOTCacheOutput=", " rehearse ");
        assertThat(first.calls().getLast()).contains("-XX:AOTCache=" + cache(), " run app.war");
        assertThat(first.output()).contains("Recording a start");

        Result second = run();
        assertThat(second.calls()).hasSize(1);
        assertThat(second.calls().getFirst()).contains("-XX:AOTCache=" + cache());
        assertThat(second.output()).isEmpty();
    }

    @Test
    void aChangedLibraryMakesItStale() throws Exception {
        run();
        Files.writeString(home.resolve("server/target/lib/netty.jar"), "netty, mended");

        assertThat(run().calls()).hasSize(2);
        assertThat(run().calls()).hasSize(1);
    }

    @Test
    void changedOptionsOrAnotherJdkMakeItStale() throws Exception {
        run();
        options("-XX:+UseZGC\n");
        builtNow();
        assertThat(run().calls()).hasSize(2);

        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"26\"\n");
        assertThat(run().calls()).hasSize(2);
    }

    @Test
    void aCollectorOfTheUsersTakesTheShippedOnesPlaceAndHasNoCache() throws Exception {
        Result result = run("--jvm", "-XX:+UseZGC");

        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst())
                .contains("-XX:+UseZGC", "-XX:+UseCompactObjectHeaders")
                .doesNotContain("AOT", "UseG1GC");
        assertThat(result.output()).isEmpty();
    }

    @Test
    void aFileOfOptionsHasNoCache() throws Exception {
        Path options = home.resolve("mine.options");
        Files.writeString(options, "-Xmx2g\n");

        Result result = run("--jvm-options", options.toString());

        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst()).contains("-Xmx2g").doesNotContain("AOT", "GC");
    }

    @Test
    void optionsThatItDoesNotDependOnKeepIt() throws Exception {
        assertThat(run("--jvm", "-Xmx2g").calls().getLast())
                .contains("-XX:AOTCache=" + cache(), "-Xmx2g");
    }

    @Test
    void whereItCannotBeRecordedTheServerStartsWithoutAndSaysSo() throws Exception {
        java("case \"$*\" in *AOTCacheOutput*) exit 1 ;; esac");
        Result first = run();
        assertThat(first.exit()).isZero();
        assertThat(first.calls().getLast()).contains(" run app.war").doesNotContain("AOT");
        assertThat(first.output()).contains("starting without the start cache");

        assertThat(run().calls()).as("it is not tried again").hasSize(1);
    }

    @Test
    void theUserCanTurnItOff() throws Exception {
        ProcessBuilder builder = command();
        builder.environment().put("CARILLON_START_CACHE", "off");

        assertThat(finish(builder).calls()).hasSize(1).noneMatch(call -> call.contains("AOT"));
    }

    private Path cache() {
        return home.resolve(".carillon/start/server.aot");
    }

    private void options(String lines) throws IOException {
        Files.writeString(home.resolve("server/src/main/dist/jvm.options"), lines);
    }

    /** What the sources hold has been built. */
    private void builtNow() throws IOException {
        Files.createDirectories(home.resolve(".carillon"));
        Files.writeString(home.resolve(".carillon/built"), "");
    }

    /** A {@code java} that writes its arguments down, and a cache where one is asked for. */
    private void java(String more) throws IOException {
        program(
                "java",
                "echo \"$@\" >>'"
                        + calls
                        + "'\n"
                        + more
                        + "\nfor a; do case $a in -XX:AOTCacheOutput=*) echo cache >\"${a#*=}\" ;; esac; done");
    }

    private void program(String name, String script) throws IOException {
        Path file = jdk.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private ProcessBuilder command(String... more) {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("carillon").toString(), "run", "app.war"));
        command.addAll(List.of(more));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("CARILLON_JAVA_HOME", jdk.toString());
        builder.environment().remove("CARILLON_JAVA_OPTS");
        builder.environment().remove("CARILLON_START_CACHE");
        return builder;
    }

    private Result run(String... more) throws Exception {
        return finish(command(more));
    }

    private Result finish(ProcessBuilder builder) throws Exception {
        Files.deleteIfExists(calls);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        return new Result(
                exit, output, Files.exists(calls) ? Files.readAllLines(calls) : List.of());
    }

    private record Result(int exit, String output, List<String> calls) {}
}

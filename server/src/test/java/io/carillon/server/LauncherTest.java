package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell script that users type. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "carillon").toAbsolutePath().normalize();

    @TempDir private Path folder;

    @Test
    void theShellAcceptsIt() throws Exception {
        assertThat(run(Map.of(), "sh", "-n", LAUNCHER.toString()).exit()).isZero();
    }

    @Test
    void withoutAJdkItSaysSoAndExits1() throws Exception {
        Result result =
                run(Map.of("CARILLON_JAVA_HOME", folder.toString()), LAUNCHER.toString(), "run");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output()).contains("is no JDK 25 or later");
    }

    @Test
    void anOldJdkIsNotTaken() throws Exception {
        Path old = Files.createDirectories(folder.resolve("jdk17/bin")).getParent();
        for (String tool : List.of("java", "javac")) {
            assertThat(
                            Files.writeString(old.resolve("bin").resolve(tool), "#!/bin/sh\n")
                                    .toFile()
                                    .setExecutable(true))
                    .isTrue();
        }
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");

        assertThat(
                        run(
                                        Map.of("CARILLON_JAVA_HOME", old.toString()),
                                        LAUNCHER.toString(),
                                        "run")
                                .exit())
                .isEqualTo(1);

        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"26\"\n");
        assertThat(
                        run(
                                        Map.of("CARILLON_JAVA_HOME", old.toString()),
                                        LAUNCHER.toString(),
                                        "run",
                                        "--show-jvm")
                                .output())
                .contains("JDK: " + old);
    }

    @Test
    void theJvmIsShownThroughALinkFromAnyFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), LAUNCHER);

        Result result =
                run(
                        Map.of("CARILLON_JAVA_OPTS", "-Xmx3g"),
                        link.toString(),
                        "run",
                        "app.war",
                        "--jvm",
                        "-Xss2m",
                        "--jvm=-Xms1g",
                        "--show-jvm");

        assertThat(result.exit()).isZero();
        assertThat(result.output())
                .containsSubsequence(
                        "JDK: ", "-XX:+UseCompactObjectHeaders", "-Xmx3g", "-Xss2m", "-Xms1g");
    }

    @Test
    void aFileOfOptionsTakesTheShippedOnesPlace() throws Exception {
        Path options = folder.resolve("mine.options");
        Files.writeString(options, "# found by a study\n-XX:+UseSerialGC\n\n  -Xmx2g\n");

        Result result =
                run(
                        Map.of(),
                        LAUNCHER.toString(),
                        "run",
                        "--jvm-options",
                        options.toString(),
                        "--jvm=-Xss2m",
                        "--show-jvm");

        assertThat(result.output())
                .containsSubsequence(options.toString(), "-XX:+UseSerialGC", "-Xmx2g", "-Xss2m")
                .doesNotContain("UseCompactObjectHeaders", "found by");
        Result none = run(Map.of(), LAUNCHER.toString(), "run", "--jvm-options=none", "--show-jvm");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.output())
                .isEqualTo("carillon: --jvm-options: none is no file that can be read\n");
    }

    @Test
    void whatTheUserSaysAboutPagesStands() throws Exception {
        Result result =
                run(
                        Map.of(),
                        LAUNCHER.toString(),
                        "run",
                        "--jvm=-XX:-UseTransparentHugePages",
                        "--show-jvm");

        assertThat(result.output())
                .contains("-XX:-UseTransparentHugePages")
                .doesNotContain("-XX:+UseTransparentHugePages");
    }

    /** Of two -D with one name the JVM takes the last. */
    @Test
    void aFolderThatTheUserNamesAsTheServersHomeCounts() throws Exception {
        String start =
                Files.readAllLines(LAUNCHER).stream()
                        .filter(line -> line.contains("$main_class run"))
                        .findFirst()
                        .orElseThrow();

        assertThat(start).containsSubsequence("-Dcarillon.home=\"$home\"", "$jvm_options");
    }

    @Test
    void helpAndVersionNeedNoJdk() throws Exception {
        Map<String, String> none = Map.of("CARILLON_JAVA_HOME", folder.toString());

        assertThat(run(none, LAUNCHER.toString(), "help").output())
                .contains("run [APP.war|APP.sar|FOLDER]")
                .contains("status [--json]");
        assertThat(run(none, LAUNCHER.toString(), "version").output()).startsWith("Carillon ");
    }

    private Result run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    private record Result(int exit, String output) {}
}

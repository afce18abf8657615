package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** A build writes over the files in target; what runs has its own. */
    @ParameterizedTest
    @CsvSource({"bench, bench", "lab, lab", "load, lab"})
    void aToolRunsFromACopyOfTheBuild(String command, String module) throws Exception {
        Path home = checkout(module);

        String ran =
                run(Map.of("CARILLON_JAVA_HOME", jdk("")), home + "/carillon", command).output();

        Matcher paths = Pattern.compile("-cp (\\S+):(\\S+)/\\* ").matcher(ran);
        assertThat(paths.find()).as(ran).isTrue();
        for (Path copied :
                List.of(Path.of(paths.group(1), "A.class"), Path.of(paths.group(2), "a.jar"))) {
            assertThat(copied).hasContent("of this build");
            assertThat(copied.startsWith(home.resolve(module))).as("%s", copied).isFalse();
        }
    }

    /** What a tool starts is of the build that it began with, whatever is edited meanwhile. */
    @Test
    void aToolBuildsNothingWhileItRuns() throws Exception {
        Path home = checkout("lab");
        String edits =
                """
                case "$*" in
                    *' jvm') echo edited >%1$s/pom.xml; exec %1$s/carillon lab echo ;;
                esac
                """
                        .formatted(home);

        String ran =
                run(Map.of("CARILLON_JAVA_HOME", jdk(edits)), home + "/carillon", "lab", "jvm")
                        .output();

        assertThat(ran).contains("io.carillon.lab.Main echo").doesNotContain("Building");
    }

    /** A checkout that was built, as far as the launcher looks. */
    private Path checkout(String module) throws IOException {
        Path home = Files.createDirectories(folder.resolve("checkout")).toRealPath();
        Files.copy(LAUNCHER, home.resolve("carillon"));
        for (String file :
                List.of(
                        "pom.xml",
                        "server/pom.xml",
                        "server/src/main/java/A.java",
                        "examples/uas/pom.xml",
                        "examples/uas/src/main/java/A.java",
                        "server/target/lib/a.jar",
                        "server/target/carillon-server-1.jar",
                        module + "/target/lib/a.jar",
                        module + "/target/classes/A.class",
                        ".carillon/built")) {
            write(home.resolve(file), "of this build");
        }
        return home;
    }

    /** A JDK whose java runs these lines and prints its arguments. */
    private String jdk(String lines) throws IOException {
        Path jdk = folder.resolve("jdk");
        write(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        for (String tool : List.of("java", "javac")) {
            write(jdk.resolve("bin").resolve(tool), "#!/bin/sh\n" + lines + "echo \"$@\"\n");
        }
        return jdk.toString();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
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

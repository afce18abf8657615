package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.TrialCheckout.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell scripts that users and developers type. */
class LauncherTest {
    private static final int LINES = 60;

    @TempDir private Path folder;
    private TrialCheckout checkout;

    @BeforeEach
    void makeACheckout() throws IOException {
        checkout = TrialCheckout.in(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"carillon", "dev"})
    void theShellAcceptsIt(String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-n", "../" + script).inheritIO().start();

        assertThat(shell.waitFor()).isZero();
    }

    /** What is more than finding Java and handing over is Java's. */
    @Test
    void theUsersLauncherStaysShort() throws Exception {
        assertThat(Files.readAllLines(checkout.home().resolve("carillon")))
                .hasSizeLessThanOrEqualTo(LINES);
    }

    @Test
    void withoutAJdkItSaysSoAndExits1() throws Exception {
        Result result = checkout.run(Map.of("CARILLON_JAVA_HOME", folder.toString()), "run");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.output()).contains("is no JDK 25 or later");
    }

    @Test
    void anOldJdkIsNotTaken() throws Exception {
        Path release = checkout.jdk().resolve("release");
        Files.writeString(release, "JAVA_VERSION=\"17.0.9\"\n");
        assertThat(checkout.run("run").exit()).isEqualTo(1);

        Files.writeString(release, "JAVA_VERSION=\"26\"\n");
        assertThat(checkout.run("run", "--show-jvm").output()).contains("JDK: " + checkout.jdk());
    }

    @Test
    void theJvmIsShownThroughALinkFromAnyFolder() throws Exception {
        Path link =
                Files.createSymbolicLink(
                        folder.resolve("link"), checkout.home().resolve("carillon"));

        Result result =
                checkout.start(
                        link,
                        Map.of("CARILLON_JAVA_OPTS", "-Xmx3g"),
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
        assertThat(result.calls()).as("started").isEmpty();
    }

    @Test
    void aFileOfOptionsTakesTheShippedOnesPlace() throws Exception {
        Path options = folder.resolve("mine.options");
        Files.writeString(options, "# found by a study\n-XX:+UseSerialGC\n\n  -Xmx2g\n");

        Result result =
                checkout.run(
                        "run", "--jvm-options", options.toString(), "--jvm=-Xss2m", "--show-jvm");

        assertThat(result.output())
                .containsSubsequence(options.toString(), "-XX:+UseSerialGC", "-Xmx2g", "-Xss2m")
                .doesNotContain("UseCompactObjectHeaders", "found by");
        Result none = checkout.run("run", "--jvm-options=none", "--show-jvm");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.output())
                .isEqualTo("carillon: --jvm-options: none is no file that can be read\n");
    }

    @Test
    void whatTheUserSaysAboutPagesStands() throws Exception {
        assertThat(checkout.run("run", "--jvm=-XX:-UseTransparentHugePages", "--show-jvm").output())
                .contains("-XX:-UseTransparentHugePages")
                .doesNotContain("-XX:+UseTransparentHugePages");
    }

    /** As when a checkout is brought to a later version: its build makes files of other names. */
    @Test
    void librariesOfAnotherVersionAreNotStartedBesideThoseOfThisOne() throws Exception {
        checkout.run("run");
        Path home = checkout.home();
        Path kept = home.resolveSibling("server.jar");
        Files.copy(home.resolve("server/target/carillon-server-1.jar"), kept);
        Path programs = Files.createDirectories(home.resolveSibling("programs"));
        Path maven = programs.resolve("mvn");
        Files.writeString(
                maven,
                """
                #!/bin/sh
                [ "$1" != -v ] || { echo "Apache Maven 3.9.9"; exit 0; }
                mkdir -p server/target/lib
                cp %s server/target/carillon-server-2.jar
                echo new >server/target/lib/netty-2.jar
                """
                        .formatted(kept));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Files.setLastModifiedTime(
                home.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(5)));

        Result result = checkout.run(Map.of("PATH", programs + ":" + System.getenv("PATH")), "run");

        assertThat(result.exit()).as(result.output()).isZero();
        Path copies = home.resolve(".carillon/dist");
        Path lib = copies.resolve(Files.readString(copies.resolve("current")).strip() + "/lib");
        try (Stream<Path> files = Files.list(lib)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("carillon-server-2.jar", "netty-2.jar");
        }
    }

    /** A build writes over the files in target; what runs has its own. */
    @ParameterizedTest
    @CsvSource({"bench, bench", "lab, lab", "load, lab"})
    void aToolRunsFromACopyOfTheBuild(String command, String module) throws Exception {
        builtTool(module);

        String ran = checkout.run(command).output();

        Matcher paths = Pattern.compile("-cp (\\S+):(\\S+)/\\* ").matcher(ran);
        assertThat(paths.find()).as(ran).isTrue();
        for (Path copied :
                List.of(Path.of(paths.group(1), "A.class"), Path.of(paths.group(2), "a.jar"))) {
            assertThat(copied).hasContent("of this build");
            assertThat(copied.startsWith(checkout.home().resolve(module)))
                    .as("%s", copied)
                    .isFalse();
        }
    }

    /** What a tool starts is of the build that it began with, whatever is edited meanwhile. */
    @Test
    void aToolBuildsNothingWhileItRuns() throws Exception {
        builtTool("lab");
        checkout.java(
                """
                case "$*" in
                    *' jvm') echo edited >%1$s/pom.xml; exec %1$s/carillon lab echo ;;
                esac
                """
                        .formatted(checkout.home()));

        assertThat(checkout.run("lab", "jvm").output())
                .contains("io.carillon.lab.Main echo")
                .doesNotContain("Building");
    }

    private void builtTool(String module) throws IOException {
        checkout.write(module + "/target/lib/a.jar", "of this build");
        checkout.write(module + "/target/classes/A.class", "of this build");
        checkout.builtNow();
    }

    /** Of two -D with one name the JVM takes the last. */
    @Test
    void aFolderThatTheUserNamesAsTheServersHomeCounts() throws Exception {
        String start = checkout.run("run", "--jvm", "-Dcarillon.home=/elsewhere").calls().getLast();

        assertThat(start)
                .containsSubsequence(
                        "-Dcarillon.home=" + checkout.home(), "-Dcarillon.home=/elsewhere");
    }

    @Test
    void helpAndVersionNeedNoJdk() throws Exception {
        Map<String, String> none = Map.of("CARILLON_JAVA_HOME", folder.toString());

        assertThat(checkout.run(none, "help").output()).contains("run ", "status ", "--help");
        checkout.write(
                "pom.xml", "<artifactId>carillon-parent</artifactId>\n<version>1.2.3</version>\n");
        for (String version : List.of("version", "--version", "-V")) {
            assertThat(checkout.run(none, version).output()).isEqualTo("Carillon 1.2.3\n");
        }
    }

    /** A clone's commands for developers are the user's launcher's too, as they were. */
    @Test
    void commandsOfDevelopersGoToDev() throws Exception {
        checkout.write("dev", "#!/bin/sh\necho \"dev: $*\"\n");

        for (String command : List.of("test", "it", "bench", "fuzz", "build", "browser-calls")) {
            assertThat(checkout.run(command, "a", "b").output())
                    .isEqualTo("dev: " + command + " a b\n");
        }
    }

    /** A terminal's user sees what the small JVM says, and scripts its exit code. */
    @Test
    void anOptionWithoutAValueIsASentence() throws Exception {
        Result result = checkout.run("run", "--jvm");

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.output())
                .isEqualTo("carillon: --jvm needs a JVM option, as in: --jvm -Xmx2g\n");
    }

    @Test
    void commandsThatAskAServerHaveASmallJvm() throws Exception {
        String call = checkout.run("status", "--pid", "7").calls().getLast();

        assertThat(call).contains("-XX:+UseSerialGC", "-Dcarillon.home=" + checkout.home());
        assertThat(call).endsWith("io.carillon.server.cli.Main status --pid 7 ");
    }

    @Test
    void aRouterIsAProcessThatStaysAndItsReloadIsNot() throws Exception {
        assertThat(checkout.run("router", "--cluster", "demo").calls().getLast())
                .contains("-XX:+UseZGC", "-Xmx256m", " router --cluster demo");
        assertThat(checkout.run("router", "reload").calls().getLast())
                .contains("-XX:+UseSerialGC", " router reload");
    }
}

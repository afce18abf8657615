package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without a cluster, in a JVM of its own: what it loads and writes. */
class AloneServerTest {
    private static final List<String> OF_THE_GRID =
            List.of(" io.carillon.grid.", " org.infinispan.", " org.jgroups.");

    /** The JDK makes one of each that it finds where a URL has a scheme that is new to it. */
    private static final String BY_THE_JDK =
            " org.infinispan.commons.jdkspecific.ClasspathURLStreamHandlerProvider";

    @TempDir private Path folder;

    /** Starts one and ends it, in a JVM of its own. */
    static final class Alone {
        private Alone() {}

        public static void main(String[] arguments) throws Exception {
            Path home = Path.of(arguments[0]);
            Configuration configuration =
                    ConfigurationReader.read(
                            "test.yaml",
                            """
                            sip: {listen: [udp:127.0.0.1:0]}
                            http: {listen: 127.0.0.1:0}
                            control: {directory: control}
                            drain: {transactions: 0 s}
                            """,
                            home);
            try (Server server =
                    Server.start(
                            configuration, List.of(Path.of(arguments[1])), new HomeFolder(home))) {
                System.out.println(server.readyLine());
                Path work = WorkFolder.ofThisProcess(new HomeFolder(home).work());
                Path recorder = work.resolve("flight-recorder");
                await().atMost(60, TimeUnit.SECONDS).until(() -> Files.isDirectory(recorder));
                await().atMost(60, TimeUnit.SECONDS).until(() -> count(recorder) > 0);
                System.out.println("TEMPORARY " + count(Path.of(arguments[2])));
            }
        }

        private static long count(Path folder) throws IOException {
            try (Stream<Path> all = Files.list(folder)) {
                return all.filter(Files::isDirectory).filter(Alone::recorded).count();
            }
        }

        /** The flight recorder's folders are named by date, time and process. */
        private static boolean recorded(Path folder) {
            return folder.getFileName().toString().matches("[0-9]{4}_[0-9_]+");
        }
    }

    /** Runs it to its end; what it said. */
    private String run(String option) throws IOException, InterruptedException {
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        Path application = folder.resolve("answering");
        String name = AnsweringServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = AnsweringServlet.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
        Process server =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Djava.io.tmpdir=" + temporary,
                                option,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Alone.class.getName(),
                                folder.toString(),
                                application.toString(),
                                temporary.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("server.log").toFile())
                        .start();
        assertThat(server.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(folder.resolve("server.log"));
        assertThat(server.exitValue()).as(said).isZero();
        return said;
    }

    /** A process that is killed leaves it; what is in its home the next one removes. */
    @Test
    void theFlightRecorderWritesIntoTheFolderOfTheProcess() throws Exception {
        assertThat(run("-Xlog:disable")).contains("TEMPORARY 0");
    }

    @Test
    void itLoadsNoClassOfTheGrid() throws IOException, InterruptedException {
        Path loaded = folder.resolve("classes.log");
        run("-Xlog:class+load:file=" + loaded + "::filecount=0");
        try (Stream<String> lines = Files.lines(loaded)) {
            List<String> classes = lines.filter(line -> !line.contains(BY_THE_JDK)).toList();
            assertThat(classes).as("what it loads is seen").anyMatch(AloneServerTest::ofTheServer);
            assertThat(classes.stream().filter(AloneServerTest::ofTheGrid)).isEmpty();
        }
    }

    private static boolean ofTheServer(String line) {
        return line.contains(" io.carillon.server.CarillonSip ");
    }

    private static boolean ofTheGrid(String line) {
        return OF_THE_GRID.stream().anyMatch(line::contains);
    }
}

package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A server without a cluster loads nothing of the grid. */
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
            }
        }
    }

    @Test
    void itLoadsNoClassOfTheGrid() throws IOException, InterruptedException {
        Path loaded = folder.resolve("classes.log");
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
                                "-Xlog:class+load:file=" + loaded + "::filecount=0",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Alone.class.getName(),
                                folder.toString(),
                                application.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("server.log").toFile())
                        .start();
        assertThat(server.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).as(Files.readString(folder.resolve("server.log"))).isZero();
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

package io.carillon.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.AnsweringServlet;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import io.carillon.servlet.naming.ApplicationNaming;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets are its subject: the warm-up goes through real ones, on loopback. */
class WarmUpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;

    @Test
    void callsOfProxyAndB2buaEndOnBothKindsOfThreads() {
        assertThat(WarmUp.run(PATIENCE, 40, 0)).isEqualTo(40);
        assertThat(WarmUp.run(PATIENCE, 0, 40)).isEqualTo(40);
    }

    /** 16 at a time, until there are that many. */
    @Test
    void aNodeTakesCallsOver() {
        assertThat(WarmUp.takeOver(PATIENCE, 40)).isGreaterThanOrEqualTo(40);
    }

    @Test
    void takingOverLeavesNoThreadAndNoFile() throws Exception {
        leavesNothing(() -> assertThat(WarmUp.takeOver(PATIENCE, 16)).isGreaterThanOrEqualTo(16));
    }

    @Test
    void callsAndRequestsGoThroughARouterToANode() {
        assertThat(WarmUp.throughRouter(PATIENCE, 40, 200)).isEqualTo(240);
    }

    @Test
    void theRouterLeavesNoThreadAndNoFile() throws Exception {
        leavesNothing(() -> assertThat(WarmUp.throughRouter(PATIENCE, 16, 16)).isEqualTo(32));
    }

    @Test
    void theLimitEndsWhatGoesThroughTheRouter() {
        assertThat(WarmUp.throughRouter(Duration.ofMillis(1), 1_000_000, 1_000_000))
                .isLessThan(1_000_000);
    }

    @Test
    void theLimitEndsTheTakingOver() {
        assertThat(WarmUp.takeOver(Duration.ofMillis(1), 1_000_000)).isLessThan(1_000_000);
    }

    @Test
    void withALimitOfZeroThereAreNone() {
        assertThat(WarmUp.runOfNode(Duration.ZERO)).isZero();
        assertThat(WarmUp.runOfRouter(Duration.ZERO)).isZero();
        assertThat(WarmUp.run(Duration.ZERO)).isZero();
    }

    @Test
    void theLimitEndsItBeforeItsCallsAreMade() {
        assertThat(WarmUp.run(Duration.ofNanos(1), 1_000_000, 1_000_000)).isLessThan(1_000_000);
    }

    @Test
    void itLeavesNoThreadAndNoFile() throws Exception {
        leavesNothing(() -> assertThat(WarmUp.run(PATIENCE, 10, 10)).isEqualTo(20));
    }

    private static void leavesNothing(Runnable warmUp) throws Exception {
        Set<String> files = workFolders();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        warmUp.run();
        threadsEnd(before);
        assertThat(workFolders()).isEqualTo(files);
    }

    private static void threadsEnd(Set<Thread> before) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread) && thread.getName().startsWith("carillon")) {
                assertThat(thread.join(PATIENCE)).as(thread.getName()).isTrue();
            }
        }
    }

    /**
     * Names of an application are kept by its class loader until it stops: they would hold on to
     * its container with all that it knows.
     */
    @Test
    void itsApplicationsAreStopped() throws Exception {
        Field names = ApplicationNaming.class.getDeclaredField("NAMES");
        names.setAccessible(true);
        int before = ((Map<?, ?>) names.get(null)).size();

        assertThat(WarmUp.run(PATIENCE, 10, 10)).isEqualTo(20);

        assertThat((Map<?, ?>) names.get(null)).hasSize(before);
    }

    @Test
    void theServersStatusKnowsNothingOfIt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Configuration configuration = ConfigurationReader.read("test.yaml", YAML, folder);
        try (Server server =
                Server.start(
                        configuration,
                        List.of(application()),
                        new HomeFolder(folder),
                        () -> calls.set(WarmUp.run(PATIENCE, 10, 10)))) {
            assertThat(calls).hasValue(20);
            assertThat(server.readyLine()).endsWith("applications answering");
            ServerStatus status = status();
            assertThat(status.applications()).containsExactly("answering");
            assertThat(status.calls().started()).isZero();
            assertThat(status.applicationSessions()).isZero();
            assertThat(status.transactions()).isZero();
            assertThat(status.messages().requestsIn()).isZero();
            assertThat(status.counters().values()).allMatch(count -> count == 0);
        }
    }

    private ServerStatus status() throws IOException {
        Path socket =
                ControlClient.running(ControlFolder.of(folder.resolve("control"), folder))
                        .getFirst();
        return StatusText.parse(ControlClient.ask(socket, "status"));
    }

    private static Set<String> workFolders() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            Set<String> names = new TreeSet<>();
            all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("carillon-warm-up"))
                    .forEach(names::add);
            return names;
        }
    }

    private Path application() throws IOException {
        Path application = folder.resolve("answering");
        String name = AnsweringServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = AnsweringServlet.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
        return application;
    }
}

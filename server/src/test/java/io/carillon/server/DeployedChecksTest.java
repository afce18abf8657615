package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.check.CheckReport;
import io.carillon.servlet.check.Finding;
import io.carillon.testkit.SourceApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What check calls an error is told of an archive that was deployed all the same. */
class DeployedChecksTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private static CheckReport report(Path archive, String... errors) {
        List<Finding> findings = new ArrayList<>();
        Arrays.stream(errors)
                .forEach(rule ->
                        findings.add(
                                new Finding(
                                        Finding.Level.ERROR, archive.toString(), 0, "x", rule)));
        findings.add(new Finding(Finding.Level.WARNING, "w", 0, null, "no matter"));
        return new CheckReport(
                archive.toString(),
                "a",
                "",
                List.of(),
                "blocking",
                25,
                List.of(),
                List.of(),
                findings);
    }

    private String next() throws InterruptedException {
        String line = lines.poll(30, TimeUnit.SECONDS);
        assertThat(line).as("a line in the log").isNotNull();
        return line;
    }

    @Test
    void theFirstErrorsAreOneLineAndWarningsAreNone() throws Exception {
        try (DeployedChecks checks =
                new DeployedChecks(
                        archive -> {
                            return switch (archive.toString()) {
                                case "many.war" -> report(archive, "1", "2", "3", "4", "5");
                                case "one.war" -> report(archive, "no class");
                                case "long.war" -> report(archive, "y".repeat(100_000));
                                default -> report(archive);
                            };
                        },
                        lines::add)) {
            checks.begin();
            for (String name : List.of("clean.war", "many.war", "one.war", "long.war")) {
                checks.deployed(Path.of(name));
            }
            assertThat(next())
                    .isEqualTo(
                            "many.war: 5 errors of check, the first: many.war: x: 1; many.war: x: 2;"
                                    + " many.war: x: 3; ./carillon check many.war shows all");
            assertThat(next())
                    .isEqualTo(
                            "one.war: an error of check, one.war: x: no class;"
                                    + " ./carillon check one.war shows all");
            assertThat(next()).hasSizeLessThan(500).endsWith("long.war shows all");
        }
        assertThat(lines).isEmpty();
    }

    /** A deployment waits for no look, and none is made before the server is ready. */
    @Test
    void archivesWaitForTheBeginWithABound() throws Exception {
        BlockingQueue<Path> looked = new LinkedBlockingQueue<>();
        try (DeployedChecks checks =
                new DeployedChecks(
                        archive -> {
                            looked.add(archive);
                            return report(archive);
                        },
                        lines::add)) {
            for (int i = 0; i < DeployedChecks.MOST; i++) {
                checks.deployed(Path.of(i + ".war"));
                checks.deployed(Path.of(i + ".war")); // again: it waits once
            }
            assertThat(lines).isEmpty();
            checks.deployed(Path.of("over.war"));
            assertThat(next()).startsWith("over.war is not checked: 64 archives wait");
            assertThat(looked).isEmpty();
            checks.begin();
            for (int i = 0; i < DeployedChecks.MOST; i++) {
                assertThat(looked.poll(30, TimeUnit.SECONDS)).isEqualTo(Path.of(i + ".war"));
            }
        }
        assertThat(looked).isEmpty();
    }

    @Test
    void aLookThatFailsIsLoggedAndTheNextOneIsMade() throws Exception {
        try (DeployedChecks checks =
                new DeployedChecks(
                        archive -> {
                            switch (archive.toString()) {
                                case "gone.war" ->
                                        throw new DeploymentException("gone.war", "is gone");
                                case "odd.war" -> throw new IllegalStateException("odd");
                                default -> throw new NoClassDefFoundError("some/Type");
                            }
                        },
                        lines::add)) {
            checks.deployed(Path.of("gone.war"));
            checks.deployed(Path.of("odd.war"));
            checks.deployed(Path.of("linked.war"));
            checks.begin();
            assertThat(next()).startsWith("gone.war could not be checked: ").contains("is gone");
            assertThat(next()).startsWith("odd.war could not be checked: ").contains("odd");
            assertThat(next()).startsWith("linked.war could not be checked: ");
        }
    }

    @Test
    void theEndStopsALookAndSaysNothingOfIt() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        DeployedChecks checks =
                new DeployedChecks(
                        archive -> {
                            looking.countDown();
                            try {
                                new CountDownLatch(1).await();
                                throw new AssertionError("nobody counts down");
                            } catch (InterruptedException e) {
                                ended.countDown();
                                throw new IllegalStateException("interrupted", e);
                            }
                        },
                        lines::add);
        checks.begin();
        checks.deployed(Path.of("slow.war"));
        assertThat(looking.await(30, TimeUnit.SECONDS)).isTrue();
        checks.close();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        checks.begin(); // as when the process is told to stop while it starts: nothing begins
        checks.deployed(Path.of("late.war"));
        assertThat(lines).isEmpty();
    }

    /** It deploys and takes calls; one of its methods needs a class of an older JDK. */
    private Path lacking(String name) throws Exception {
        Path main = folder.resolve(name + "-main");
        Files.createDirectories(main.resolve("webapp"));
        Path java = Files.createDirectories(main.resolve("java"));
        Files.writeString(
                java.resolve("U.java"),
                """
                package x;
                @javax.servlet.sip.annotation.SipServlet(name = "u", applicationName = "%s")
                public class U extends javax.servlet.sip.SipServlet {
                    @Override
                    protected void doInfo(javax.servlet.sip.SipServletRequest r) {
                        javax.xml.bind.JAXB.marshal();
                    }
                }
                """
                        .formatted(name));
        Files.writeString(
                java.resolve("JAXB.java"),
                "package javax.xml.bind; public class JAXB { public static void marshal() {} }");
        Path made = SourceApplication.build(main, folder.resolve(name));
        Files.delete(made.resolve("WEB-INF/classes/javax/xml/bind/JAXB.class"));
        return made;
    }

    /** The lines of the server's log about archives. */
    private final class Warnings extends AbstractAppender implements AutoCloseable {
        private final Logger logger = (Logger) LogManager.getLogger(DeployedChecks.class);

        Warnings() {
            super("warnings", null, null, false, Property.EMPTY_ARRAY);
            start();
            logger.addAppender(this);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
        }

        @Override
        public void close() {
            logger.removeAppender(this);
            stop();
        }
    }

    @Test
    void aServerWarnsOfArchivesOfItsStartAndOfLaterOnes() throws Exception {
        Configuration configuration = ConfigurationReader.read("test.yaml", YAML, folder);
        Path first = lacking("first");
        Path second = lacking("second");
        try (Warnings warnings = new Warnings();
                Server server =
                        Server.start(configuration, List.of(first), new HomeFolder(folder))) {
            assertThat(warnings.isStarted()).isTrue();
            assertThat(lines).isEmpty();
            server.checkDeployed();
            assertThat(next())
                    .startsWith(
                            "WARN "
                                    + first
                                    + ": an error of check, first!/WEB-INF/classes/x/U.class")
                    .contains("javax.xml.bind.JAXB")
                    .endsWith("; ./carillon check " + first + " shows all");
            Path socket =
                    ControlClient.running(ControlFolder.of(folder.resolve("control"), folder))
                            .getFirst();
            ControlClient.ask(socket, "deploy", second.toString());
            assertThat(next()).startsWith("WARN " + second + ": an error of check, ");
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void anErrorInOneLookDoesNotEndAllOthers() throws Exception {
        try (DeployedChecks checks =
                new DeployedChecks(
                        archive -> {
                            if (archive.toString().equals("deep.war")) {
                                throw new StackOverflowError();
                            }
                            throw new IllegalStateException("looked at");
                        },
                        lines::add)) {
            checks.begin();
            checks.deployed(Path.of("deep.war"));
            checks.deployed(Path.of("next.war"));
            String first = lines.poll(10, TimeUnit.SECONDS);
            assertThat(first).as("a line for deep.war").isNotNull();
            assertThat(lines.poll(10, TimeUnit.SECONDS)).contains("next.war");
        }
    }
}

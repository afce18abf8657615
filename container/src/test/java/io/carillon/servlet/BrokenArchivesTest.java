package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is wrong with an archive is one line that names file, element and rule; the version in
 * service goes on; nothing outside the work folder is touched or read.
 */
class BrokenArchivesTest {
    private static final String PHONE =
            """
            package x;

            @javax.servlet.sip.annotation.SipServlet(name = "phone", applicationName = "phone")
            public class Phone extends javax.servlet.sip.SipServlet {
                protected void doMessage(javax.servlet.sip.SipServletRequest r)
                        throws java.io.IOException {
                    r.createResponse(200).send();
                }
            }
            """;

    private interface Maker {
        Path make(Path folder) throws IOException;
    }

    @TempDir Path folder;

    private static Arguments broken(String what, String message, Maker maker) {
        return Arguments.of(what, message, maker);
    }

    private static TestArchive archive(Path folder) throws IOException {
        return new TestArchive(folder).classes(PHONE);
    }

    private static String servlet(String name, String type) {
        return "<servlet><servlet-name>%s</servlet-name><servlet-class>%s</servlet-class></servlet>"
                .formatted(name, type);
    }

    private static Path descriptor(Path folder, String xml) throws IOException {
        return archive(folder).sipXml(xml).write("a.war");
    }

    private static Path entry(Path folder, String name) throws IOException {
        return archive(folder).file(name, "evil").write("a.war");
    }

    /** A library whose manifest names others. */
    private static byte[] library(String classPath) throws IOException {
        String manifest = "Manifest-Version: 1.0\r\nClass-Path: " + classPath + "\r\n\r\n";
        return TestArchive.zip(
                Map.of("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8)));
    }

    /** Two entries of one name, which no ordinary tool writes. */
    private static Path twice(Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : new String[] {"WEB-INF/sip.xml", "WEB-INF/sip.xmm"}) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write("<sip-app/>".getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        String text = bytes.toString(StandardCharsets.ISO_8859_1).replace(".xmm", ".xml");
        return Files.write(folder.resolve("a.war"), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Path linked(Path folder, Path target) throws IOException {
        Path exploded = archive(folder).explode("a");
        Files.createSymbolicLink(exploded.resolve("WEB-INF/link.txt"), target);
        return exploded;
    }

    static Stream<Arguments> archives() {
        return Stream.of(
                broken(
                        "no sip.xml and no annotation",
                        "a.war: no WEB-INF/sip.xml and no class annotated @SipServlet",
                        f -> new TestArchive(f).file("WEB-INF/x", "").write("a.war")),
                broken(
                        "two servlets without mapping",
                        "a.war!/WEB-INF/sip.xml: servlets s, t, phone, but neither <main-servlet> nor <servlet-mapping> says which gets the initial requests",
                        f ->
                                descriptor(
                                        f,
                                        "<sip-app>"
                                                + servlet("s", "x.S")
                                                + servlet("t", "x.T")
                                                + "</sip-app>")),
                broken(
                        "missing class",
                        "a.war: servlet s: class x.S is not in WEB-INF/classes or WEB-INF/lib",
                        f ->
                                new TestArchive(f)
                                        .sipXml("<sip-app>" + servlet("s", "x.S") + "</sip-app>")
                                        .write("a.war")),
                broken(
                        "missing class that a servlet needs",
                        "a.war: servlet Needs: the constructor of x.Needs threw java.lang.NoClassDefFoundError: x/Gone",
                        f ->
                                new TestArchive(f)
                                        .classes(
                                                "package x; @javax.servlet.sip.annotation.SipServlet public class Needs extends javax.servlet.sip.SipServlet { Object o = new Gone(); }",
                                                "package x; public class Gone {}")
                                        .without("WEB-INF/classes/x/Gone.class")
                                        .write("a.war")),
                broken(
                        "wrong key method",
                        "a.war!/WEB-INF/classes/x/K.class: @SipApplicationKey x.K.key: must be a public static String method with one parameter, SipServletRequest, of a public class",
                        f ->
                                new TestArchive(f)
                                        .classes(
                                                PHONE,
                                                "package x; public class K { @javax.servlet.sip.annotation.SipApplicationKey public static int key(javax.servlet.sip.SipServletRequest r) { return 0; } }")
                                        .write("a.war")),
                broken(
                        "external entity",
                        "a.war!/WEB-INF/sip.xml:2: &x;: a descriptor may not refer to entities",
                        f ->
                                descriptor(
                                        f,
                                        "<!DOCTYPE sip-app [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<sip-app><app-name>&x;</app-name></sip-app>")),
                broken(
                        "entities that multiply",
                        "a.war!/WEB-INF/sip.xml:2: &b;: a descriptor may not refer to entities",
                        f ->
                                descriptor(
                                        f,
                                        "<!DOCTYPE sip-app [<!ENTITY a \"xxxx\"><!ENTITY b \"&a;&a;&a;\">]>\n<sip-app><app-name>&b;</app-name></sip-app>")),
                broken(
                        "text that is no XML",
                        "a.war!/WEB-INF/sip.xml:1: is no well-formed XML: ",
                        f -> descriptor(f, "<sip-app><app-name></sip-app>")),
                broken(
                        "name that climbs",
                        "a.war: entry ../evil.txt: leads out of the archive",
                        f -> entry(f, "../evil.txt")),
                broken(
                        "name that climbs inside",
                        "a.war: entry WEB-INF/classes/../../../evil.txt: leads out of the archive",
                        f -> entry(f, "WEB-INF/classes/../../../evil.txt")),
                broken(
                        "absolute name",
                        "a.war: entry /tmp/evil.txt: leads out of the archive",
                        f -> entry(f, "/tmp/evil.txt")),
                broken(
                        "name of several lines",
                        "a.war: entry ../x FATAL: leads out of the archive",
                        f -> entry(f, "../x\nFATAL")),
                broken(
                        "more entries than there may be",
                        "a.war: has more than 20000 entries",
                        f -> {
                            Map<String, byte[]> many = new TreeMap<>();
                            for (int i = 0; i <= 20_000; i++) {
                                many.put("WEB-INF/" + i, new byte[0]);
                            }
                            return Files.write(f.resolve("a.war"), TestArchive.zip(many));
                        }),
                broken(
                        "duplicate name",
                        "a.war: entry WEB-INF/sip.xml: stands twice in the archive",
                        BrokenArchivesTest::twice),
                broken(
                        "libraries in a circle",
                        "a.war!/WEB-INF/lib/a.jar: Class-Path: goes in a circle: a.jar -> b.jar -> a.jar",
                        f ->
                                archive(f)
                                        .file("WEB-INF/lib/a.jar", library("b.jar"))
                                        .file("WEB-INF/lib/b.jar", library("gone.jar a.jar"))
                                        .write("a.war")),
                broken(
                        "library that leads out",
                        "a.war!/WEB-INF/lib/a.jar: Class-Path ../../../evil.jar: leads out of the application",
                        f ->
                                archive(f)
                                        .file("WEB-INF/lib/a.jar", library("../../../evil.jar"))
                                        .write("a.war")),
                broken(
                        "library that leads out in disguise",
                        "a.war!/WEB-INF/lib/a.jar: Class-Path %2e%2e/../%2e%2e/evil.jar: leads out of the application",
                        f ->
                                archive(f)
                                        .file(
                                                "WEB-INF/lib/a.jar",
                                                library("%2e%2e/../%2e%2e/evil.jar"))
                                        .write("a.war")),
                broken(
                        "library by an absolute name",
                        "a.war!/WEB-INF/lib/a.jar: Class-Path file:/etc/evil.jar: leads out of the application",
                        f ->
                                archive(f)
                                        .file("WEB-INF/lib/a.jar", library("file:/etc/evil.jar"))
                                        .write("a.war")),
                broken(
                        "broken library",
                        "a.war!/WEB-INF/lib/a.jar: broken archive",
                        f -> archive(f).file("WEB-INF/lib/a.jar", "no jar").write("a.war")),
                broken(
                        "link that leads out",
                        "a: file WEB-INF/link.txt: is a link that leads out of the application",
                        f -> linked(f, Path.of("/etc/hostname"))),
                broken(
                        "link to nothing",
                        "a: file WEB-INF/link.txt: is a link to nothing",
                        f -> linked(f, f.resolve("nothing"))),
                broken(
                        "link in place of a file of a zip",
                        "a.war!/WEB-INF/sip.xml:1: is no well-formed XML: ",
                        f -> descriptor(f, "/etc/passwd")),
                broken(
                        "cut off",
                        "a.war: broken archive",
                        f -> {
                            byte[] whole = Files.readAllBytes(archive(f).write("whole.war"));
                            Files.delete(f.resolve("whole.war"));
                            return Files.write(
                                    f.resolve("a.war"), Arrays.copyOf(whole, whole.length - 40));
                        }),
                broken(
                        "contents overwritten",
                        "a.war: ",
                        f -> {
                            byte[] whole = Files.readAllBytes(archive(f).write("a.war"));
                            Arrays.fill(whole, 40, 200, (byte) 0xff);
                            return Files.write(f.resolve("a.war"), whole);
                        }),
                broken(
                        "no zip",
                        "a.war: broken archive",
                        f -> Files.writeString(f.resolve("a.war"), "no zip")),
                broken(
                        "folder under an archive's name",
                        "a.war: has no WEB-INF folder",
                        f -> Files.createDirectory(f.resolve("a.war"))));
    }

    private Map<String, Long> everything() throws IOException {
        Map<String, Long> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : walk.filter(p -> !p.startsWith(folder.resolve("in"))).toList()) {
                all.put(path.toString(), Files.isRegularFile(path) ? Files.size(path) : -1);
            }
        }
        return all;
    }

    private static void assertServed(Server server, RawPeer alice, String callId) {
        alice.request("MESSAGE sip:uas@10.0.0.1", "<sip:a@x>;tag=a", "<sip:b@y>", callId, 1);
        alice.response(200);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("archives")
    void isOneLineTheOldVersionServesAndNothingElseIsTouched(
            String what, String message, Maker maker) throws Exception {
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
        ContainerConfig config = ContainerConfig.defaults().withWorkFolder(folder.resolve("work"));
        Server server =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory(),
                        StackConfig.DEFAULT,
                        config);
        RawPeer alice = server.peer("10.0.0.2");
        Path in = Files.createDirectory(folder.resolve("in"));
        server.container.deploy(archive(in).write("good.war"));
        Path wrong = maker.make(Files.createDirectories(in.resolve("wrong")));
        Map<String, Long> before = everything();

        Throwable thrown = catchThrowable(() -> server.container.replace(wrong, null));

        assertThat(thrown).isInstanceOf(DeploymentException.class);
        assertThat(thrown.getMessage()).startsWith(message).doesNotContain("\n");
        assertThat(everything()).isEqualTo(before);
        assertServed(server, alice, "after");
        server.assertClean();
        server.container.close();
    }

    @Test
    void aLibraryThatNamesAbsentOnesOrItselfIsFine() throws Exception {
        Path in = Files.createDirectory(folder.resolve("in"));
        Path war =
                archive(in)
                        .file("WEB-INF/lib/a.jar", library("a.jar b.jar gone.jar ../lib/b.jar"))
                        .file("WEB-INF/lib/b.jar", library("absent.jar"))
                        .write("a.war");
        Server server = Server.fresh(1);
        server.container.deploy(war);
        assertThat(server.container.applications()).hasSize(1);
        server.container.close();
    }
}

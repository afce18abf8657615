package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands as a user types them, at a running server. */
class DeployCommandsTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;
    private Server server;
    private Path uas;
    private String said = "";

    @BeforeEach
    void start() throws Exception {
        uas = SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("uas"));
        Files.writeString(folder.resolve("server.yaml"), YAML);
        Configuration configuration = ConfigurationReader.read(folder.resolve("server.yaml"));
        server = Server.start(configuration, List.of(uas), new HomeFolder(folder));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int type(String... arguments) {
        CommandLine line = Main.commandLine();
        StringWriter text = new StringWriter();
        line.setOut(new PrintWriter(text, true));
        line.setErr(new PrintWriter(text, true));
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--config";
        all[arguments.length + 1] = folder.resolve("server.yaml").toString();
        int exit = line.execute(all);
        said = text.toString();
        return exit;
    }

    @Test
    void deployReplacesAndApplicationsListsAndUndeployEnds() {
        assertThat(type("applications")).isZero();
        assertThat(said.lines().toList())
                .hasSize(2)
                .last()
                .asString()
                .matches("uas +1 +started +0  uas");
        assertThat(type("deploy", uas.toString())).isZero();
        assertThat(said).isEqualToIgnoringNewLines("deployed uas version 2");
        assertThat(type("applications", "--json")).isZero();
        assertThat(said).contains("\"name\" : \"uas\"").contains("\"version\" : 2");
        assertThat(type("undeploy", "uas")).isZero();
        assertThat(said).isEqualToIgnoringNewLines("undeployed uas");
        assertThat(type("applications")).isZero();
        assertThat(said).isEqualToIgnoringNewLines("no applications");
        assertThat(type("undeploy", "uas")).isEqualTo(1);
        assertThat(said).isEqualToIgnoringNewLines("carillon: no application is named 'uas'");
        assertThat(type("deploy", uas.toString(), "--json")).isZero();
        assertThat(said).contains("\"version\" : 3");
    }

    @Test
    void anotherArchiveOfADeployedNameIsRefusedUnlessItIsMeantToReplaceIt() throws Exception {
        Path other = copy("other");
        assertThat(type("deploy", other.toString())).isEqualTo(1);
        assertThat(said)
                .isEqualToIgnoringNewLines(
                        "carillon: not deployed: other: app-name: another application is named uas: that of uas");
        assertThat(type("deploy", copy("uas-1.2-SNAPSHOT").toString())).isZero();
        assertThat(said).isEqualToIgnoringNewLines("deployed uas version 2");
        assertThat(type("deploy", "--replace", other.toString())).isZero();
        assertThat(said).isEqualToIgnoringNewLines("deployed uas version 3");
        assertThat(type("deploy", uas.toString())).isEqualTo(1);
    }

    /** The same application, of the same name, in another folder. */
    private Path copy(String name) throws IOException {
        Path to = folder.resolve(name);
        try (var files = Files.walk(uas)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(uas.relativize(file).toString()));
            }
        }
        return to;
    }

    private Path zip(String... namesAndContents) throws IOException {
        Path war = folder.resolve("bad.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                zip.putNextEntry(new ZipEntry(namesAndContents[i]));
                zip.write(namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return war;
    }

    /** The whole table is BrokenArchivesTest of the container. */
    @Test
    void everyBrokenArchiveIsOneLineOfTheCommandAndTheServerStaysUp() throws Exception {
        String servlet =
                "<servlet><servlet-name>%1$s</servlet-name><servlet-class>x.%1$s</servlet-class></servlet>";
        assertRefused("no WEB-INF/sip.xml and no class annotated", zip("WEB-INF/x", ""));
        assertRefused(
                "neither <main-servlet> nor <servlet-mapping>",
                zip(
                        "WEB-INF/sip.xml",
                        "<sip-app>"
                                + servlet.formatted("S")
                                + servlet.formatted("T")
                                + "</sip-app>"));
        assertRefused(
                "servlet S: class x.S is not in",
                zip("WEB-INF/sip.xml", "<sip-app>" + servlet.formatted("S") + "</sip-app>"));
        assertRefused(
                "&x;: a descriptor may not refer to entities",
                zip(
                        "WEB-INF/sip.xml",
                        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><sip-app>&x;</sip-app>"));
        assertRefused("leads out of the archive", zip("WEB-INF/../../evil.txt", ""));
        assertThat(folder.resolve("evil.txt")).doesNotExist();
        assertThat(type("applications")).isZero();
        assertThat(said.lines().toList())
                .hasSize(2)
                .last()
                .asString()
                .matches("uas +1 +started +0  uas");
    }

    private void assertRefused(String reason, Path archive) {
        assertThat(type("deploy", archive.toString())).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("carillon: not deployed: bad.war")
                .contains(reason);
    }

    @Test
    void aBrokenArchiveIsOneLineAndTheServerAndTheOldVersionStayUp() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.war"), "no zip");
        assertThat(type("deploy", broken.toString())).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("carillon: not deployed: broken.war: broken archive");
        assertThat(type("deploy", folder.resolve("no.war").toString())).isEqualTo(1);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .endsWith("there is no such file or folder");
        assertThat(type("applications")).isZero();
        assertThat(said).containsPattern("uas +1 +started");
    }
}

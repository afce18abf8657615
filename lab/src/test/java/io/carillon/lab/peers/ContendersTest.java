package io.carillon.lab.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How each server is started: its command line and its files. */
class ContendersTest {
    @TempDir private Path root;

    private Path folder;
    private Site site;

    @BeforeEach
    void layOutACheckout() throws IOException {
        folder = root.resolve("results");
        script(root.resolve("carillon"));
        file(root.resolve("examples/b2bua/target/b2bua.war"), "archive");
        Path jdk = root.resolve("jdk17");
        script(jdk.resolve("bin/java"));
        file(jdk.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
        site = site(true, jdk);
    }

    private Site site(boolean trying, Path jdk) {
        return site(Application.example("b2bua"), trying, jdk, false);
    }

    private Site site(Application application, boolean trying, Path jdk, boolean asShipped) {
        return new Site(
                root,
                application,
                trying,
                Transport.UDP,
                new Site.Cpus("0", "1"),
                new Ports(18_100),
                List.of(),
                new PeerJvm(jdk.toString(), List.of("-Xmx2g")),
                List.of("-m4096"),
                asShipped);
    }

    /** The user's own archive, which the router knows by another name than its file's. */
    private Site own(String execution, boolean asShipped) throws IOException {
        Path archive = root.resolve("a&b/switch-3.war");
        file(archive, "own");
        Application application =
                new Application("my switch", archive.toString(), "desk", execution);
        return site(application, true, root.resolve("jdk17"), asShipped);
    }

    private static void file(Path path, String text) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static void script(Path path) throws IOException {
        file(path, "#!/bin/sh\n");
        assertThat(path.toFile().setExecutable(true)).isTrue();
    }

    private ServerProcess.Launch launch(String name) throws IOException {
        Contender contender = Contenders.named(List.of(name)).getFirst();
        assertThat(contender.description()).isNotBlank();
        ServerProcess.Launch launch = contender.launch(site, folder);
        assertThat(launch.name()).isEqualTo(name);
        assertThat(launch.command()).startsWith("taskset", "-c", "0");
        assertThat(launch.signs()).isNotEmpty();
        return launch;
    }

    @Test
    void carillonRunsTheArchiveAndSends100AtOnce() throws IOException {
        ServerProcess.Launch launch = launch("carillon");
        assertThat(launch.command())
                .containsSubsequence(
                        root + "/carillon",
                        "run",
                        root + "/examples/b2bua/target/b2bua.war",
                        "--sip",
                        "udp:127.0.0.1:18100,tcp:127.0.0.1:18100",
                        "--config",
                        folder + "/carillon.yaml");
        assertThat(folder.resolve("carillon.yaml")).hasContent("sip:\n  trying: immediate");
    }

    @Test
    void withoutTryingCarillonRunsAsShipped() throws IOException {
        site = site(false, root.resolve("jdk17"));
        assertThat(launch("carillon").command()).doesNotContain("--config");
        assertThat(launch("kamailio").command()).contains("TRYING=0");
    }

    @Test
    void shardsAreConfiguredAndPinned() throws IOException {
        ServerProcess.Launch launch =
                Contenders.named(List.of("two-shards")).getFirst().launch(site, folder);
        assertThat(launch.command()).startsWith("taskset", "-c", "0,1");
        assertThat(launch.port()).isEqualTo(18_104);
        assertThat(folder.resolve("two-shards.yaml"))
                .hasContent("sip:\n  trying: immediate\n  shards: 2");
        assertThat(launch("one-shard").port()).isEqualTo(18_100);
        assertThat(folder.resolve("one-shard.yaml")).content().contains("shards: 1");
    }

    @Test
    void tracedSendsOnePerCentToACollectorThatIsThere() throws Exception {
        ServerProcess.Launch launch = launch("traced");
        assertThat(launch.port()).isEqualTo(18_104);
        assertThat(launch.environment()).containsEntry("CARILLON_TELEMETRY_TRACES_SAMPLE", "1 %");
        String collector = launch.environment().get("CARILLON_TELEMETRY_TRACES_OTLP");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest traces =
                    HttpRequest.newBuilder(URI.create(collector))
                            .POST(HttpRequest.BodyPublishers.ofString("spans"))
                            .build();
            assertThat(client.send(traces, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void kamailioHasItsOwnMemoryAndPort() throws IOException {
        assertThat(launch("kamailio").command())
                .containsSequence("-m", "1024", "-x", "fm", "-X", "fm")
                .contains("LISTEN=udp:127.0.0.1:18102", "TRYING=1")
                .endsWith("-m4096");
    }

    @Test
    void overTlsBothListenWithTheSameCertificateOfTheRun() throws IOException {
        site =
                new Site(
                        root,
                        site.application(),
                        true,
                        Transport.TLS,
                        site.cpus(),
                        site.ports(),
                        List.of(),
                        site.peerJvm(),
                        List.of(),
                        false);
        assertThat(launch("carillon").command())
                .containsSubsequence("--sip", "tls:127.0.0.1:18100", "--config");
        assertThat(folder.resolve("carillon.yaml"))
                .content()
                .contains("verify: none", "certificate: " + folder.resolve("certificate.pem"));
        String key = Files.readString(folder.resolve("key.pem"));
        if (!Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/kamailio/modules/tls.so"))) {
            assertThatThrownBy(() -> launch("kamailio"))
                    .hasMessageContaining("apt-get install kamailio-tls-modules");
            return;
        }
        assertThat(launch("kamailio").command())
                .contains("LISTEN=tls:127.0.0.1:18102", "STREAMS=1", "TLS=1")
                .contains("KEY=\"" + folder.resolve("key.pem") + "\"");
        assertThat(folder.resolve("key.pem")).hasContent(key);
        Path openssl = folder.resolve("kamailio-openssl.cnf");
        assertThat(launch("kamailio").environment())
                .containsEntry("OPENSSL_CONF", openssl.toString());
        assertThat(openssl).content().contains("Ciphersuites = TLS_AES_128_GCM_SHA256");
    }

    @Test
    void aTransportThatAServerDoesNotHaveIsAnswered() {
        List<Contender> both = Contenders.named(List.of("carillon", "kamailio"));
        Contenders.checkTransport(both, Transport.TLS);
        assertThatThrownBy(() -> Contenders.checkTransport(both, Transport.WSS))
                .hasMessage("kamailio is compared over udp, tcp, tls, not wss");
        assertThatThrownBy(() ->
                        Contenders.checkTransport(
                                Contenders.named(List.of("relay")), Transport.TCP))
                .hasMessageContaining("relay is compared over udp, not tcp");
    }

    @Test
    void theRelayKnowsBothPairsOfPorts() throws IOException {
        assertThat(launch("relay").command())
                .endsWith(Relay.class.getName(), "blocking", "18106", "18121:18111", "18141:18131");
        assertThat(launch("relay-selector").command()).contains("selector");
    }

    @Test
    void libertyGetsRaisedLimitsAndItsModulesOpened() throws IOException {
        Path wlp = root.resolve(".carillon/peers/liberty/wlp");
        file(wlp.resolve("bin/tools/ws-server.jar"), "");
        file(
                wlp.resolve("lib/platform/java/java9.options"),
                "# comment\n--add-opens\njava.base/java.util=ALL-UNNAMED\n");
        ServerProcess.Launch launch = launch("liberty");
        assertThat(launch.command())
                .containsSubsequence(
                        root + "/jdk17/bin/java",
                        "--add-opens",
                        "java.base/java.util=ALL-UNNAMED",
                        "-Xmx2g",
                        "-jar",
                        wlp + "/bin/tools/ws-server.jar",
                        "bench")
                .doesNotContain("# comment");
        assertThat(launch.environment()).containsEntry("WLP_USER_DIR", folder + "/liberty");
        assertThat(folder.resolve("liberty/servers/bench/server.xml"))
                .content()
                .contains("sipUDPPort=\"18108\"", "auto100OnInvite=\"true\"")
                .contains("maxMessageRate=", "dispatcherMessageQueueSize=", "maxAppSessions=")
                .contains("location=\"" + root + "/examples/b2bua/target/b2bua.war\"")
                .doesNotContain("@");
    }

    @Test
    void restcommGetsABaseFolderWithTheSameArchive() throws IOException {
        Path tomcat = root.resolve(".carillon/peers/restcomm/tomcat");
        file(tomcat.resolve("bin/bootstrap.jar"), "");
        assertThat(launch("restcomm").command())
                .contains(
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Dcatalina.home=" + tomcat,
                        "-Dcatalina.base=" + folder + "/restcomm",
                        "-Djavax.servlet.sip.ar.spi.SipApplicationRouterProvider="
                                + "org.mobicents.servlet.sip.router.DefaultApplicationRouterProvider");
        Path base = folder.resolve("restcomm");
        assertThat(base.resolve("webapps/b2bua.war")).hasContent("archive");
        assertThat(base.resolve("conf/routes.properties"))
                .content()
                .startsWith("INVITE: (\"b2bua\"");
        assertThat(base.resolve("conf/server.xml")).content().contains("port=\"18114\"");
        assertThat(base.resolve("conf/context.xml"))
                .content()
                .contains("xmlNamespaceAware=\"true\"");
    }

    @Test
    void aPeerThatIsNotInstalledSaysHowToGetIt() {
        assertThatThrownBy(() -> launch("liberty"))
                .hasMessageContaining("./carillon bench peers install liberty");
        assertThatThrownBy(() -> launch("restcomm"))
                .hasMessageContaining("./carillon bench peers install restcomm");
    }

    @Test
    void anotherJdkThan17IsRefused() throws IOException {
        Path tomcat = root.resolve(".carillon/peers/restcomm/tomcat");
        file(tomcat.resolve("bin/bootstrap.jar"), "");
        file(root.resolve("jdk17/release"), "JAVA_VERSION=\"25.0.3\"\n");
        assertThatThrownBy(() -> launch("restcomm")).hasMessageContaining("is no JDK 17");
    }

    @Test
    void anUnknownNameIsAnswered() {
        assertThatThrownBy(() -> Contenders.named(List.of("carillon", "asterisk")))
                .hasMessage(
                        "'asterisk' is no server to compare; there are carillon, carillon-adaptive,"
                                + " carillon-blocking, carillon-non-blocking, relay, relay-selector,"
                                + " kamailio, liberty, restcomm, one-shard, two-shards, traced,"
                                + " plain, spring, cdi");
        assertThatThrownBy(() -> Contenders.named(List.of("relay", "relay")))
                .hasMessageContaining("named twice");
    }

    @Test
    void anArchiveOfTheUsersOwnRunsInEachServletContainer() throws IOException {
        site = own("adaptive", false);
        Path archive = root.resolve("a&b/switch-3.war");
        assertThat(launch("carillon").command())
                .containsSubsequence("run", archive.toString(), "--sip")
                .doesNotContain("--param");
        Path wlp = root.resolve(".carillon/peers/liberty/wlp");
        file(wlp.resolve("bin/tools/ws-server.jar"), "");
        file(wlp.resolve("lib/platform/java/java9.options"), "");
        launch("liberty");
        assertThat(folder.resolve("liberty/servers/bench/server.xml"))
                .content()
                .contains("location=\"" + root + "/a&amp;b/switch-3.war\"", "name=\"my switch\"");
        Path tomcat = root.resolve(".carillon/peers/restcomm/tomcat");
        file(tomcat.resolve("bin/bootstrap.jar"), "");
        launch("restcomm");
        assertThat(folder.resolve("restcomm/webapps/my switch.war")).hasContent("own");
        assertThat(folder.resolve("restcomm/conf/routes.properties"))
                .content()
                .startsWith("INVITE: (\"my switch\"");
        Files.delete(archive);
        assertThatThrownBy(() -> launch("carillon")).hasMessage("the archive is gone: " + archive);
    }

    @Test
    void aModeInTheNameIsDeclaredOverTheArchivesAndHasItsOwnPort() throws IOException {
        site = own("non-blocking", false);
        assertThat(launch("carillon").command()).doesNotContain("--param");
        List<Integer> ports = new ArrayList<>(List.of(launch("carillon").port()));
        for (String mode : List.of("adaptive", "blocking", "non-blocking")) {
            ServerProcess.Launch launch = launch("carillon-" + mode);
            assertThat(launch.command())
                    .containsSequence("--param", "my switch.io.carillon.execution=" + mode);
            ports.add(launch.port());
        }
        Ports all = site.ports();
        ports.addAll(List.of(all.kamailio(), all.baseline(), all.relay(), all.liberty()));
        ports.addAll(List.of(all.liberty() + 1, all.callee(), all.restcomm(), all.caller()));
        ports.addAll(List.of(all.probeCallee(), all.probeCaller()));
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < 18_100 + Ports.SPAN);
    }

    @Test
    void asShippedNothingIsDeclaredButWhatAServersNameSays() throws IOException {
        site = own("adaptive", true);
        assertThat(launch("carillon").command()).doesNotContain("--param");
        assertThat(launch("carillon-blocking").command())
                .containsSequence("--param", "my switch.io.carillon.execution=blocking");
        // Both examples declare themselves: the default is put over it.
        site = site(Application.example("b2bua"), true, root.resolve("jdk17"), true);
        assertThat(launch("carillon").command())
                .containsSequence("--param", "b2bua.io.carillon.execution=adaptive");
    }

    @Test
    void whatHasAnApplicationOfItsOwnTakesNoOther() throws IOException {
        Site proxy = site(Application.example("proxy"), true, root, false);
        Contenders.check(Contenders.named(List.of("carillon", "plain")), proxy);
        refused(
                "plain",
                site,
                "plain is a proxy of its own: it goes with --application proxy alone");
        refused("cdi", own("adaptive", false), "cdi is a proxy of its own");
        Contenders.check(Contenders.named(List.of("carillon", "liberty")), own("adaptive", true));
        refused("two-shards", own("adaptive", true), "two-shards is not as shipped");
        refused("spring", site(Application.example("proxy"), true, root, true), "not as shipped");
    }

    private static void refused(String name, Site site, String sentence) {
        assertThatThrownBy(
                        () -> Contenders.check(Contenders.named(List.of("carillon", name)), site))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void anUnknownModeIsAnswered() {
        assertThatThrownBy(() -> Contenders.named(List.of("carillon", "carillon-fast")))
                .hasMessage(
                        "'carillon-fast': there is no mode of execution 'fast'; there are adaptive,"
                                + " blocking, non-blocking");
    }
}

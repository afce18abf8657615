package io.carillon.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.hop.HostPort;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationReaderTest {
    @Test
    void anEmptyFileGivesTheDefaults() throws Exception {
        Configuration read = ConfigurationReader.read("c.yaml", "# nothing\n", null);

        assertThat(read).isEqualTo(ConfigurationReader.standard());
        assertThat(read.sip().listen())
                .extracting(ListenAddress::toString)
                .containsExactly("udp:127.0.0.1:5060", "tcp:127.0.0.1:5060");
        assertThat(read.sip().receiveBuffer().bytes()).isEqualTo(4 * 1024 * 1024);
        assertThat(read.drain().calls()).isZero();
        assertThat(read.noApplication().status()).isEqualTo(404);
        assertThat(read.router()).isNull();
    }

    /** Its reader has to ask whether it was given. */
    @Test
    void whatHasNoStandardValueMayBeMissing() {
        List<String> wrong = new ArrayList<>();
        Deque<Class<?>> sections = new ArrayDeque<>(List.of(Configuration.class));
        while (!sections.isEmpty()) {
            for (RecordComponent one : sections.remove().getRecordComponents()) {
                Class<?> type = one.getType();
                if (type.isRecord() && ScalarKind.of(type) == null) {
                    sections.add(type);
                } else if (type != List.class
                        && type != Map.class
                        && ConfigurationKey.of("", one).setting().standard().isEmpty()
                        && !one.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    wrong.add(one.getDeclaringRecord().getSimpleName() + '.' + one.getName());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void valuesAreRead() throws Exception {
        Configuration read =
                ConfigurationReader.read(
                        "c.yaml",
                        """
                        sip:
                          listen: [udp:0.0.0.0:5080, "tcp:[::1]:5081"]
                          t1: 250 ms
                          trying: immediate
                          receive-buffer: 8 MiB
                        http: {listen: 127.0.0.1:0, token: secret}
                        applications:
                          b2bua:
                            context-params: {next-hop: "sip:127.0.0.1:5070"}
                        drain: {calls: 2 min, end: leave}
                        log: {level: warn, levels: {io.carillon.net: debug}}
                        """,
                        null);

        assertThat(read.sip().listen())
                .extracting(ListenAddress::toString)
                .containsExactly("udp:0.0.0.0:5080", "tcp:[::1]:5081");
        assertThat(read.sip().t1()).isEqualTo(Duration.ofMillis(250));
        assertThat(read.sip().trying()).isEqualTo(SipSettings.Trying.IMMEDIATE);
        assertThat(read.http().token()).isEqualTo(Secret.of("secret"));
        assertThat(read.applications().get("b2bua").contextParams())
                .containsEntry("next-hop", "sip:127.0.0.1:5070");
        assertThat(read.drain())
                .isEqualTo(
                        new DrainSettings(
                                Duration.ofMinutes(2),
                                Duration.ofSeconds(5),
                                DrainSettings.EndCalls.LEAVE));
        assertThat(read.log().levels()).containsEntry("io.carillon.net", LogSettings.Level.DEBUG);
    }

    @Test
    void anUnknownKeyIsAnErrorWithFileLineAndTheAllowedKeys() {
        assertFault("drain:\n  cals: 1 s\n")
                .hasMessage("c.yaml:2: unknown key drain.cals; allowed: calls, transactions, end");
    }

    @Test
    void anApplicationHasANameThatCanStandInAPath() {
        assertFault("applications:\n  ../b2bua:\n    http-path: /x\n")
                .hasMessageStartingWith(
                        "c.yaml:3: applications.../b2bua: a name has letters, digits");
    }

    @Test
    void aWrongValueIsAnErrorWithFileLineAndTheAllowedForm() {
        assertFault("sip:\n\n  t1: 5 parsecs\n")
                .hasMessage(
                        "c.yaml:3: sip.t1: '5 parsecs' is not allowed; it has to be a duration with ms, s, min or h,"
                                + " as in 500 ms, from 50 ms to 10 s");
        assertFault("drain: {end: hangup}")
                .hasMessage(
                        "c.yaml:1: drain.end: 'hangup' is not allowed; it has to be one of bye, leave");
        assertFault("sip: {listen: [sctp:1.2.3.4:5060]}")
                .hasMessageContaining("udp:HOST:PORT or tcp:HOST:PORT");
        assertFault("no-application: many")
                .hasMessageContaining("a status from 400 to 699, or route-on");
        assertFault("no-application: 200")
                .hasMessageContaining("a status from 400 to 699, or route-on");
        assertFault("sip: [1, 2]").hasMessageContaining("sip has to be a section");
    }

    @Test
    void aValueOutsideItsRangeIsAnError() {
        assertFault("sip: {t1: 1 h}").hasMessageContaining("from 50 ms to 10 s");
        assertFault("sip: {receive-buffer: 1 GiB}").hasMessageContaining("from 64 KiB to 256 MiB");
    }

    @Test
    void valuesThatDoNotFitTogetherAreAnError() {
        assertFault("sip:\n  t1: 10 s\n  t2: 1 s\n")
                .hasMessageStartingWith("c.yaml:2: sip: t2 has to be at least t1");
        assertFault("sip: {listen: []}")
                .hasMessage(
                        "c.yaml:1: sip.listen has to name at least one address; a node of a cluster"
                                + " may have none");
    }

    @Test
    void aClusterNeedsAllOfItsParts() throws ConfigurationException {
        String whole =
                "cluster: {name: east, nodes: ['192.0.2.1:7910', '192.0.2.2:7910'],"
                        + " listen: '192.0.2.2:7910', address: 'sip.example.com:5060',"
                        + " key-file: cluster.key}\nsip: {listen: []}\n";
        ClusterSettings cluster = ConfigurationReader.read("c.yaml", whole, null).cluster();
        assertThat(cluster.configured()).isTrue();
        assertThat(cluster.member()).isOne();
        assertThat(ConfigurationReader.standard().cluster().configured()).isFalse();
        assertFault(whole.replace("name: east, ", ""))
                .hasMessageContaining("cluster: name: is needed where others of its keys are");
        assertFault(whole.replace("name: east", "name: 'e a'"))
                .hasMessageContaining("has to be 1 to 32 letters, digits, - and _");
        assertFault(whole.replace("listen: '192.0.2.2:7910'", "listen: '192.0.2.9:7910'"))
                .hasMessageContaining("listen: has to be one of nodes");
        assertFault(whole.replace("'192.0.2.2:7910']", "'192.0.2.1:7910']"))
                .hasMessageContaining("nodes: one of them stands there twice");
        assertFault(whole.replace("address: 'sip.example.com:5060',", ""))
                .hasMessageContaining("address: is needed");
        assertFault(whole.replace(" key-file: cluster.key", ""))
                .hasMessageContaining("key-file: is needed; make one with: openssl rand -hex 32");
        assertFault("cluster: {routers: ['192.0.2.21:7900'], key-file: cluster.key}\n")
                .hasMessageContaining("cluster: name: is needed where others of its keys are");
        assertFault(
                        whole.replace(
                                "key-file", "routers: ['192.0.2.21:7', '192.0.2.21:7'], key-file"))
                .hasMessageContaining("c.yaml:1: ")
                .hasMessageContaining("routers: 192.0.2.21:7 stands there twice");
        assertFault(whole.replace("key-file", "routers: ['0.0.0.0:7900'], key-file"))
                .hasMessageContaining("routers: 0.0.0.0:7900 has to be the address of one machine");
        assertFault(whole.replace("sip.example.com:5060", "0.0.0.0:5060"))
                .hasMessageContaining("address: 0.0.0.0:5060 is no address that phones can write");
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        assertFault("a: 1\nsip:\n  t1: x\n  t1: 1 s\nno-application: 1\n")
                .satisfies(e ->
                        assertThat(((ConfigurationException) e).problems())
                                .extracting(ConfigurationProblem::line)
                                .containsExactlyInAnyOrder(1, 3, 4, 5));
    }

    @Test
    void whatIsNotYamlIsAnErrorWithItsLine() {
        assertFault("sip:\n  t1: [1\nx: }")
                .hasMessageStartingWith("c.yaml:")
                .hasMessageContaining("is not YAML");
    }

    @Test
    void aMissingFileIsNamed(@TempDir Path folder) {
        assertThatThrownBy(() -> ConfigurationReader.read(folder.resolve("none.yaml")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("none.yaml: there is no such file");
    }

    @Test
    void relativePathsStartAtTheFilesFolder(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "router: routes.properties\n");

        assertThat(ConfigurationReader.read(file).router())
                .isEqualTo(folder.resolve("routes.properties"));
    }

    @Test
    void anApplicationRouterOfOnesOwnAndRequestsThatAreRoutedOn() throws Exception {
        Configuration read =
                ConfigurationReader.read(
                        "c.yaml",
                        "no-application: route-on\n"
                                + "router-provider: {folder: router, properties: {table: calls}}\n",
                        Path.of("conf"));
        assertThat(read.noApplication().status()).isZero();
        assertThat(read.routerProvider().folder()).isEqualTo(Path.of("conf/router"));
        assertThat(read.routerProvider().properties()).containsExactly(Map.entry("table", "calls"));
        assertThat(ConfigurationReader.standard().routerProvider().properties()).isEmpty();
    }

    @Test
    void theCommandLineWins() {
        Configuration changed =
                ConfigurationReader.standard()
                        .withSipListen(List.of(ListenAddress.parse("udp:127.0.0.1:0")))
                        .withHttpListen(HostPort.parse("127.0.0.1:0"))
                        .withParameter("uas", "delay", "1")
                        .withParameter("uas", "ring", "2");

        assertThat(changed.sip().listen()).hasSize(1);
        assertThat(changed.applications().get("uas").contextParams())
                .containsEntry("delay", "1")
                .containsEntry("ring", "2");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFault(String yaml) {
        return assertThatThrownBy(() -> ConfigurationReader.read("c.yaml", yaml, null))
                .isInstanceOf(ConfigurationException.class);
    }
}

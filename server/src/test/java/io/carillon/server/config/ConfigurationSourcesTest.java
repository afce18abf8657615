package io.carillon.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** File, {@code conf.d}, environment and options, for every key that there is. */
class ConfigurationSourcesTest {
    @TempDir private Path folder;

    /** Where everything has a default, what each source says is seen, and the later one wins. */
    @TestFactory
    Stream<DynamicTest> everyKeyIsTakenFromEachSourceAndTheLaterWins() {
        return ConfigurationKeys.all().stream()
                .map(key -> DynamicTest.dynamicTest(key.name(), () -> precedence(key)));
    }

    private void precedence(ConfigurationKey key) throws Exception {
        String name = actual(key);
        String variable = EnvironmentKeys.variable(name.replace("[0]", "[]"));
        String first = SampleValues.of(key, 0);
        String second = SampleValues.of(key, 1);
        String beside = SampleValues.beside(key);
        Path at = Files.createDirectories(folder.resolve("keys").resolve(variable));
        Path main = at.resolve("carillon.yaml");
        Path over = Files.createDirectories(at.resolve("conf.d")).resolve("10.yaml");

        Files.writeString(main, beside);
        assertThat(read(main, Map.of(variable, first)).origin(name)).hasToString(variable);
        same(key, read(main, Map.of(variable, first)), first);

        // The key in a file of its own, under the one with what it needs.
        Files.writeString(over, yaml(name, first));
        ReadConfiguration byFile = read(main, Map.of());
        same(key, byFile, first);
        assertThat(byFile.origin(name).source()).isEqualTo(over.toString());
        assertThat(byFile.origin(name).line()).isPositive();

        Path stronger = at.resolve("conf.d").resolve("20.yaml");
        Files.writeString(stronger, yaml(name, second));
        same(key, read(main, Map.of()), second);
        assertThat(read(main, Map.of()).origin(name).source()).isEqualTo(stronger.toString());

        ReadConfiguration byVariable = read(main, Map.of(variable, first));
        same(key, byVariable, first);
        assertThat(byVariable.origin(name)).hasToString(variable);

        Files.writeString(stronger, yaml(name, "${GIVEN}"));
        ReadConfiguration filled = read(main, Map.of("GIVEN", second));
        same(key, filled, second);
        assertThat(filled.origin(name).toString()).endsWith("with GIVEN");
    }

    private static ReadConfiguration read(@Nullable Path file, Map<String, String> environment)
            throws ConfigurationException {
        return ConfigurationReader.read(new ConfigurationSources(file, environment, List.of()));
    }

    /** The key with a name and a number, where it has some; an entry of a map. */
    private static String actual(ConfigurationKey key) {
        String name = key.name().replace("NAME", "one").replace("[]", "[0]");
        return key.isMap() ? name + ".entry" : name;
    }

    private static String yaml(String name, String text) {
        StringBuilder yaml = new StringBuilder();
        StringBuilder end = new StringBuilder();
        for (String step : name.replace("[0]", ".[0]").split("\\.", -1)) {
            boolean list = step.equals("[0]");
            yaml.append(list ? "[" : "{").append(list ? "" : step + ": ");
            end.insert(0, list ? "]" : "}");
        }
        // A certificate has a name of its own in each list.
        String value =
                name.startsWith("tls.certificates[0].") && !name.endsWith(".certificate")
                        ? '"' + text + "\", certificate: \"c.pem\""
                        : '"' + text + '"';
        return yaml + value + end + "\n";
    }

    private static void same(ConfigurationKey key, ReadConfiguration read, String text) {
        ConfigurationValue value =
                Objects.requireNonNull(
                        ConfigurationValues.of(read.configuration()).get(actual(key)), key.name());
        Object one =
                value.value() instanceof List<?> list && list.size() == 1
                        ? list.getFirst()
                        : value.value();
        Object expected = key.kind().parse().apply(text);
        if (one instanceof Path path) {
            assertThat(path.endsWith((Path) expected)).as(path.toString()).isTrue();
        } else {
            assertThat(one).isEqualTo(expected);
        }
    }

    @Test
    void everyKeyHasAVariableOfItsOwn() {
        Set<String> variables = new HashSet<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            assertThat(variables.add(EnvironmentKeys.variable(key.name()))).as(key.name()).isTrue();
            assertThat(EnvironmentKeys.foreign(EnvironmentKeys.variable(key.name()), "x"))
                    .as(key.name())
                    .isFalse();
        }
    }

    @Test
    void everySecretIsTakenFromAFileToo() throws Exception {
        List<ConfigurationKey> secrets =
                ConfigurationKeys.all().stream().filter(ConfigurationKey::secret).toList();
        assertThat(secrets).isNotEmpty();
        Path file = Files.writeString(folder.resolve("secret"), "canary\nsecond line\n");
        for (ConfigurationKey key : secrets) {
            for (Map<String, String> environment :
                    List.of(
                            Map.<String, String>of(),
                            Map.of(
                                    EnvironmentKeys.variable(key.name()) + "_FILE",
                                    file.toString()))) {
                Path main = folder.resolve("carillon.yaml");
                Files.writeString(
                        main,
                        environment.isEmpty() ? yaml(key.name() + "-file", "secret") : "# none\n");
                ReadConfiguration read = read(main, environment);
                ConfigurationValue value =
                        ConfigurationValues.of(read.configuration()).get(key.name());
                assertThat(value).as(key.name()).isNotNull();
                assertThat(value.value())
                        .isInstanceOfSatisfying(
                                Secret.class,
                                secret -> {
                                    try {
                                        assertThat(secret.value()).isEqualTo("canary");
                                    } catch (IOException e) {
                                        throw new AssertionError(e);
                                    }
                                });
                assertThat(value.shown()).contains("***").doesNotContain("canary");
            }
        }
    }

    /** Whatever has the word in its name is a secret, or the name of a file with one. */
    @Test
    void noSecretIsAPlainText() {
        List<String> plain = new ArrayList<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            String word = key.word();
            boolean named = Masks.secretName(word) && !word.endsWith("-file");
            if (named && !key.secret() && key.kind().name().equals("text")) {
                plain.add(key.name());
            }
        }
        assertThat(plain).isEmpty();
    }

    @Test
    void theStrongerSourceDecidesWhetherASecretIsInAFile() throws Exception {
        Path main = Files.writeString(folder.resolve("c.yaml"), "http:\n  token: a\n");
        ReadConfiguration read = read(main, Map.of("CARILLON_HTTP_TOKEN_FILE", "/run/token"));
        assertThat(read.configuration().http().token())
                .isEqualTo(Secret.inFile(Path.of("/run/token")));
        assertThat(read.origin("http.token")).hasToString("CARILLON_HTTP_TOKEN_FILE");
        Files.writeString(main, "http:\n  token: a\n  token-file: b\n");
        assertThatThrownBy(() -> read(main, Map.of()))
                .hasMessage(
                        main
                                + ":3: http.token-file and http.token are both given; one of them has to"
                                + " go");
    }

    @Test
    void namesOfTheFilesAreFoundByVariables() throws Exception {
        Path main =
                Files.writeString(
                        folder.resolve("c.yaml"),
                        "peers: {Acme.Trunk: {addresses: [192.0.2.1]}}\n"
                                + "applications: {b2bua: {context-params: {Next-Hop: a}}}\n");
        Configuration read =
                read(
                                main,
                                Map.of(
                                        "CARILLON_PEERS_ACME_TRUNK_WEIGHT", "7",
                                        "CARILLON_APPLICATIONS_B2BUA_CONTEXT_PARAMS_NEXT_HOP", "b",
                                        "CARILLON_APPLICATIONS_B2BUA_CONTEXT_PARAMS_RING_TIME", "9",
                                        "CARILLON_LOG_LEVELS_IO_CARILLON_NET", "debug"))
                        .configuration();
        assertThat(read.peers().get("Acme.Trunk")).isNotNull();
        assertThat(read.peers().get("Acme.Trunk").weight()).isEqualTo(7);
        assertThat(read.applications().get("b2bua").contextParams())
                .containsOnly(Map.entry("Next-Hop", "b"), Map.entry("ring-time", "9"));
        assertThat(read.log().levels()).containsOnlyKeys("io.carillon.net");
    }

    @Test
    void listsAndSectionsInTheEnvironment() throws Exception {
        Configuration read =
                read(
                                null,
                                Map.of(
                                        "CARILLON_SIP_LISTEN",
                                        "udp:192.0.2.1:5060, tcp:192.0.2.1:5060 as sip.example.com:5060",
                                        "CARILLON_SIP_DOMAINS",
                                        "[a.example, b.example]",
                                        "CARILLON_PEERS",
                                        "{acme: {addresses: [192.0.2.7], weight: 3}}",
                                        "CARILLON_TLS_CERTIFICATES_1_CERTIFICATE",
                                        "b.pem",
                                        "CARILLON_TLS_CERTIFICATES_0_CERTIFICATE",
                                        "a.pem",
                                        "CARILLON_DRAIN_CALLS",
                                        " "))
                        .configuration();
        assertThat(read.sip().listen())
                .extracting(ListenAddress::toString)
                .containsExactly(
                        "udp:192.0.2.1:5060", "tcp:192.0.2.1:5060 as sip.example.com:5060");
        assertThat(read.sip().domains()).containsExactly("a.example", "b.example");
        assertThat(read.peers().get("acme").weight()).isEqualTo(3);
        assertThat(read.tls().certificates())
                .extracting(CertificateSettings::certificate)
                .containsExactly(Path.of("a.pem"), Path.of("b.pem"));
    }

    @Test
    void aFaultNamesTheVariableAndWhatIsAllowed() {
        assertFault("CARILLON_SIP_T1", "soon")
                .hasMessage(
                        "CARILLON_SIP_T1: sip.t1: 'soon' is not allowed; it has to be a duration with ms,"
                                + " s, min or h, as in 500 ms, from 50 ms to 10 s");
        assertFault("CARILLON_DRAIN_CALS", "1 s")
                .hasMessage(
                        "CARILLON_DRAIN_CALS: no key has this name; allowed: CARILLON_DRAIN_CALLS,"
                                + " CARILLON_DRAIN_TRANSACTIONS, CARILLON_DRAIN_END");
        assertFault("CARILLON_TLS_CERTIFICATES_3_CERTIFICATE", "a.pem")
                .hasMessageStartingWith(
                        "CARILLON_TLS_CERTIFICATES_3_CERTIFICATE: the list has 0 elements");
        assertFault("CARILLON_PEERS", "{a")
                .hasMessageStartingWith("CARILLON_PEERS")
                .hasMessageContaining("is not YAML");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFault(
            String variable, String value) {
        return assertThatThrownBy(() -> read(null, Map.of(variable, value)))
                .isInstanceOf(ConfigurationException.class);
    }

    /** A service named carillon-sip is nobody's setting. */
    @Test
    void variablesOfKubernetesAndOfTheLauncherAreNoKeys() throws Exception {
        ReadConfiguration read =
                read(
                        null,
                        Map.of(
                                "CARILLON_SIP_SERVICE_HOST", "10.0.0.1",
                                "CARILLON_SIP_SERVICE_PORT_UDP", "5060",
                                "CARILLON_SIP_PORT", "udp://10.0.0.1:5060",
                                "CARILLON_SIP_PORT_5060_UDP_ADDR", "10.0.0.1",
                                "CARILLON_START_CACHE", "off",
                                "CARILLON_JAVA_HOME", "/opt/jdk"));
        assertThat(read.warnings()).isEmpty();
        assertThat(read.origins()).isEmpty();
        assertThat(read(null, Map.of("CARILLON_SPI_LISTEN", "a")).warnings())
                .containsExactly(
                        "The environment has CARILLON_SPI_LISTEN, which is no key and sets nothing");
    }

    @Test
    void variablesInValues() throws Exception {
        Path main =
                Files.writeString(
                        folder.resolve("c.yaml"),
                        """
                        sip:
                          listen: ${LISTEN}
                          external-host: ${HOST:-sip}.example.com
                        security:
                          realm: a$${b}
                        """);
        Configuration read =
                read(main, Map.of("LISTEN", "udp:192.0.2.1:5060,tcp:192.0.2.1:5060"))
                        .configuration();
        assertThat(read.sip().listen()).hasSize(2);
        assertThat(read.sip().externalHost()).isEqualTo("sip.example.com");
        assertThat(read.security().realm()).isEqualTo("a${b}");
        assertThatThrownBy(() -> read(main, Map.of()))
                .hasMessage(
                        main
                                + ":2: sip.listen: ${LISTEN}: the environment has no variable LISTEN; set"
                                + " it, or give a default as in ${LISTEN:-value}");
        Files.writeString(main, "security: {realm: '${a.b}'}");
        assertThatThrownBy(() -> read(main, Map.of()))
                .hasMessageStartingWith(
                        main + ":1: security.realm: '${a.b}' is not allowed; write");
    }

    @Test
    void faultsInConfDNameTheirOwnFileAndRelativePathsStartThere() throws Exception {
        Path main = Files.writeString(folder.resolve("c.yaml"), "router: a.properties\n");
        Path over = Files.createDirectories(folder.resolve("conf.d")).resolve("1.yaml");
        Files.writeString(over, "# none\nrouter: b.properties\n");
        assertThat(read(main, Map.of()).configuration().router())
                .isEqualTo(over.resolveSibling("b.properties").toAbsolutePath());
        Files.writeString(over, "sip:\n  t1: 1 h\n");
        assertThatThrownBy(() -> read(main, Map.of()))
                .hasMessageStartingWith(over + ":2: sip.t1: '1 h' is not allowed");
    }

    @Test
    void anOptionWinsAndIsNamed() {
        assertThatThrownBy(() ->
                        ConfigurationReader.read(
                                new ConfigurationSources(
                                        null,
                                        Map.of("CARILLON_HTTP_LISTEN", "127.0.0.1:1"),
                                        List.of(
                                                new ConfigurationSources.Option(
                                                        "--http",
                                                        List.of("http", "listen"),
                                                        "nowhere",
                                                        false)))))
                .hasMessageStartingWith("--http: http.listen: 'nowhere' is not allowed");
    }
}

package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** NOTICE names whatever the server's distribution carries. */
class NoticeTest {
    /** How the name of a library's jar begins, and what NOTICE calls it. */
    private static final Map<String, String> CALLED =
            Map.ofEntries(
                    Map.entry("HdrHistogram", "HdrHistogram"),
                    Map.entry("HikariCP", "HikariCP"),
                    Map.entry("accessors-smart", "accessors-smart"),
                    Map.entry("asm", "ASM"),
                    Map.entry("caffeine", "Caffeine"),
                    Map.entry("checker-qual", "Checker Framework qualifiers"),
                    Map.entry("content-type", "Nimbus"),
                    Map.entry("datasource-proxy", "datasource-proxy"),
                    Map.entry("dnsjava", "dnsjava"),
                    Map.entry("flyway", "Flyway"),
                    Map.entry("geantyref", "geantyref"),
                    Map.entry("h2", "H2"),
                    Map.entry("infinispan", "Infinispan"),
                    Map.entry("jackson", "Jackson"),
                    Map.entry("jakarta.annotation", "Jakarta Annotations"),
                    Map.entry("jakarta.transaction", "Transactions"),
                    Map.entry("jboss-logging", "JBoss Logging"),
                    Map.entry("jboss-threads", "JBoss Threads"),
                    Map.entry("jcip", "JCIP"),
                    Map.entry("jctools", "JCTools"),
                    Map.entry("jdbi3", "Jdbi"),
                    Map.entry("jetty", "Jetty"),
                    Map.entry("jgroups", "JGroups"),
                    Map.entry("json-smart", "json-smart"),
                    Map.entry("jspecify", "JSpecify"),
                    Map.entry("lang-tag", "Nimbus"),
                    Map.entry("log4j", "Log4j"),
                    Map.entry("micrometer", "Micrometer"),
                    Map.entry("netty-tcnative", "BoringSSL"),
                    Map.entry("netty", "Netty"),
                    Map.entry("nimbus", "Nimbus"),
                    Map.entry("oauth2-oidc-sdk", "Nimbus"),
                    Map.entry("opentelemetry", "OpenTelemetry"),
                    Map.entry("picocli", "picocli"),
                    Map.entry("postgresql", "PostgreSQL driver"),
                    Map.entry("prometheus", "Prometheus"),
                    Map.entry("protostream", "ProtoStream"),
                    Map.entry("reactive-streams", "Reactive Streams"),
                    Map.entry("rxjava", "RxJava"),
                    Map.entry("sip-servlets-spec", "sip-servlets-spec"),
                    Map.entry("slf4j", "SLF4J"),
                    Map.entry("smallrye-common", "SmallRye Common"),
                    Map.entry("snakeyaml-engine", "SnakeYAML Engine"),
                    Map.entry("spring-security-crypto", "Spring Security's crypto module"),
                    Map.entry("wildfly-common", "WildFly Common"));

    /** What only tests have. */
    private static final List<String> OF_TESTS =
            List.of(
                    "apiguardian",
                    "archunit",
                    "assertj",
                    "awaitility",
                    "byte-buddy",
                    "carillon",
                    "hamcrest",
                    "junit",
                    "opentest4j",
                    "surefire");

    @Test
    void whatTheDistributionCarriesIsNamed() throws Exception {
        String notice = Files.readString(Path.of("..", "NOTICE"));
        List<String> jars =
                List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
                        .filter(entry -> entry.endsWith(".jar"))
                        .map(entry -> String.valueOf(Path.of(entry).getFileName()))
                        .filter(jar -> OF_TESTS.stream().noneMatch(jar::startsWith))
                        .toList();
        assertThat(jars).hasSizeGreaterThan(CALLED.size());
        for (String jar : jars) {
            List<String> names =
                    CALLED.entrySet().stream()
                            .filter(library -> jar.startsWith(library.getKey()))
                            .map(Map.Entry::getValue)
                            .toList();
            assertThat(names).as(jar + " is no library that NOTICE is known to name").isNotEmpty();
            assertThat(names).allSatisfy(name -> assertThat(notice).as(jar).contains(name));
        }
    }
}

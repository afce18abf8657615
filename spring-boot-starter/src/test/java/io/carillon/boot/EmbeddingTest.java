package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.tls.CertificateMaker;
import io.carillon.pojo.Options;
import io.carillon.pojo.SipHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.RecordComponent;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application that embeds Carillon, on a real port: here the socket is the subject. */
class EmbeddingTest {
    @SipHandler
    static class Answers {
        @Options
        int options() {
            return 200;
        }
    }

    @SipHandler
    static class Doubtful {
        @Options
        int one() {
            return 200;
        }

        @Options
        int other() {
            return 200;
        }
    }

    @Configuration
    @Import(Answers.class)
    @ImportAutoConfiguration(CarillonAutoConfiguration.class)
    static class Good {}

    @Configuration
    @Import(Doubtful.class)
    @ImportAutoConfiguration(CarillonAutoConfiguration.class)
    static class Bad {}

    private static ConfigurableApplicationContext start(Class<?> configuration, String... more) {
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(WebApplicationType.NONE);
        String[] arguments = Arrays.copyOf(more, more.length + 1);
        arguments[more.length] = "--spring.main.banner-mode=off";
        return application.run(arguments);
    }

    private static int port(SipRuntime runtime) {
        String listening = runtime.listening().getFirst();
        return Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
    }

    private static String options(String transport, int port) {
        return """
        OPTIONS sip:x@127.0.0.1 SIP/2.0
        Via: SIP/2.0/%s 127.0.0.1:%d;branch=z9hG4bK1
        Max-Forwards: 70
        From: <sip:a@127.0.0.1>;tag=1
        To: <sip:x@127.0.0.1>
        Call-ID: one
        CSeq: 1 OPTIONS
        Content-Length: 0

        """
                .formatted(transport, port)
                .replace("\n", "\r\n");
    }

    @Test
    void aRequestFromTheNetworkReachesTheHandler() throws IOException {
        try (ConfigurableApplicationContext context =
                        start(Good.class, "--carillon.listen=udp:127.0.0.1:0");
                DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            SipRuntime runtime = context.getBean(SipRuntime.class);
            int port = port(runtime);
            String options = options("UDP", phone.getLocalPort());
            byte[] bytes = options.getBytes(StandardCharsets.US_ASCII);
            phone.send(
                    new DatagramPacket(
                            bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            phone.setSoTimeout(30_000);
            DatagramPacket answer = new DatagramPacket(new byte[2000], 2000);
            phone.receive(answer);
            assertThat(
                            new String(
                                    answer.getData(),
                                    0,
                                    answer.getLength(),
                                    StandardCharsets.US_ASCII))
                    .startsWith("SIP/2.0 200 ");
        }
    }

    /** Writes certificate.pem and key.pem for 127.0.0.1. */
    private static CertificateMaker.Made certificate(Path folder) throws Exception {
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("127.0.0.1"), Duration.ofDays(90)).selfSigned();
        Files.writeString(folder.resolve("certificate.pem"), made.certificatePem());
        Files.writeString(folder.resolve("key.pem"), made.keyPem());
        return made;
    }

    private static String[] secure(Path folder) {
        return new String[] {
            "--carillon.listen=tls:127.0.0.1:0",
            "--carillon.tls.certificates[0].certificate=" + folder.resolve("certificate.pem"),
            "--carillon.tls.certificates[0].key=" + folder.resolve("key.pem")
        };
    }

    private static SSLContext trusting(CertificateMaker.Made made) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("it", made.certificate());
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    @Test
    void aRequestOverTlsReachesTheHandlerAndTheCertificatesEndIsShown(@TempDir Path folder)
            throws Exception {
        CertificateMaker.Made made = certificate(folder);
        try (ConfigurableApplicationContext context = start(Good.class, secure(folder))) {
            SipRuntime runtime = context.getBean(SipRuntime.class);
            try (Socket phone =
                    trusting(made).getSocketFactory().createSocket("127.0.0.1", port(runtime))) {
                phone.setSoTimeout(30_000);
                phone.getOutputStream()
                        .write(
                                options("TLS", phone.getLocalPort())
                                        .getBytes(StandardCharsets.US_ASCII));
                assertThat(firstLine(phone)).startsWith("SIP/2.0 200 ");
            }
            assertThat(runtime.certificates())
                    .containsExactly(
                            Map.entry(
                                    folder.resolve("certificate.pem").toString(),
                                    made.certificate().getNotAfter().toInstant()));
            assertThat(new CarillonHealthIndicator(runtime).health().getDetails())
                    .containsKey("certificatesUntil");
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            new CarillonMetrics(runtime).bindTo(meters);
            assertThat(meters.get("carillon.tls.certificate.left").gauge().value())
                    .isBetween(89 * 86_400.0, 90 * 86_400.0);
        }
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
    }

    @Test
    void tlsWithoutACertificateOrWithAWrongOneEndsTheStartWithASentence(@TempDir Path folder)
            throws Exception {
        assertThatThrownBy(() -> start(Good.class, "--carillon.listen=tls:127.0.0.1:0"))
                .hasStackTraceContaining(
                        "tls:127.0.0.1:0 needs a certificate: carillon.tls.certificates names");
        certificate(folder);
        Files.writeString(folder.resolve("key.pem"), "no key");
        assertThatThrownBy(() -> start(Good.class, secure(folder)))
                .hasStackTraceContaining("SipStartException: carillon.tls.certificates[0].key: ");
    }

    @Test
    void aPageThatIsNotNamedIsRefusedOverWebSocket() throws IOException {
        try (ConfigurableApplicationContext context =
                        start(
                                Good.class,
                                "--carillon.listen=ws:127.0.0.1:0",
                                "--carillon.ws.path=/sip",
                                "--carillon.ws.origins=https://Phone.example.com");
                Socket good = upgrade(context, "https://phone.example.com");
                Socket bad = upgrade(context, "https://evil.example.com")) {
            assertThat(firstLine(good)).startsWith("HTTP/1.1 101 ");
            assertThat(firstLine(bad)).startsWith("HTTP/1.1 403 ");
        }
        assertThatThrownBy(() ->
                        start(
                                Good.class,
                                "--carillon.listen=ws:127.0.0.1:0",
                                "--carillon.ws.origins=phone.example.com"))
                .hasStackTraceContaining("carillon.ws.origins: 'phone.example.com' has to be");
    }

    private static Socket upgrade(ConfigurableApplicationContext context, String origin)
            throws IOException {
        Socket page = new Socket("127.0.0.1", port(context.getBean(SipRuntime.class)));
        page.setSoTimeout(30_000);
        String request =
                """
                GET /sip HTTP/1.1
                Host: 127.0.0.1
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Protocol: sip
                Origin: %s

                """
                        .formatted(origin)
                        .replace("\n", "\r\n");
        page.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return page;
    }

    @Test
    void aPortThatIsTakenEndsTheStartWithASentence() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String listen = "--carillon.listen=udp:127.0.0.1:" + taken.getLocalPort();
            assertThatThrownBy(() -> start(Good.class, listen))
                    .hasStackTraceContaining(Integer.toString(taken.getLocalPort()))
                    .hasStackTraceContaining("carillon.listen names the ports")
                    .isInstanceOfSatisfying(
                            Exception.class,
                            e -> {
                                FailureAnalysis analysis = new SipStartFailureAnalyzer().analyze(e);
                                assertThat(analysis).isNotNull();
                                assertThat(analysis.getDescription())
                                        .startsWith("The SIP application could not be started:");
                            });
        }
    }

    @Test
    void aListenerThatCannotBeReadEndsTheStartWithASentence() {
        assertThatThrownBy(() -> start(Good.class, "--carillon.listen=sctp:127.0.0.1:0"))
                .hasStackTraceContaining("SipStartException: carillon.listen: 'sctp:127.0.0.1:0'");
    }

    @Test
    void aRangeThatIsNoneEndsTheStartAndSaysSo() {
        assertThatThrownBy(() ->
                        start(
                                Good.class,
                                "--carillon.listen=udp:127.0.0.1:0",
                                "--carillon.egress-allow=10.0.0.0/99"))
                .hasStackTraceContaining("SipStartException: carillon.egress-allow: ")
                .hasStackTraceContaining("10.0.0.0/99");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void heapRoomThatTheJvmDoesNotHaveIsSaid(CapturedOutput said) {
        try (ConfigurableApplicationContext context =
                start(
                        Good.class,
                        "--carillon.listen=udp:127.0.0.1:0",
                        "--carillon.heap-room=true")) {
            assertThat(context.isRunning()).isTrue();
            assertThat(said.getAll()).contains("carillon.heap-room does nothing in this JVM");
        }
    }

    @Test
    void handlersInDoubtEndTheStart() {
        assertThatThrownBy(() -> start(Bad.class, "--carillon.listen=udp:127.0.0.1:0"))
                .hasStackTraceContaining("Doubtful.one")
                .hasStackTraceContaining("Doubtful.other");
    }

    @Test
    void withoutSipNothingListens() {
        try (ConfigurableApplicationContext context =
                start(Good.class, "--carillon.enabled=false")) {
            assertThat(context.getBeansOfType(SipRuntime.class)).isEmpty();
        }
    }

    @Test
    void everyPropertyHasItsMetadata() throws IOException {
        try (InputStream file =
                CarillonProperties.class.getResourceAsStream(
                        "/META-INF/spring-configuration-metadata.json")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            List<String> names = new ArrayList<>(names("", CarillonProperties.class));
            names.addAll(names("tls.", CarillonProperties.Tls.class));
            names.addAll(names("ws.", CarillonProperties.Ws.class));
            names.addAll(names("telemetry.traces.", TelemetryProperties.Traces.class));
            assertThat(names)
                    .allSatisfy(name -> assertThat(text).contains("\"carillon." + name + "\""));
        }
    }

    private static List<String> names(String prefix, Class<?> properties) {
        return Arrays.stream(properties.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .map(name -> prefix + name)
                .toList();
    }
}

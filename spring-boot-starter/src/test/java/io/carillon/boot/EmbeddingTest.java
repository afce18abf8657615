package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.pojo.Options;
import io.carillon.pojo.SipHandler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

    @Test
    void aRequestFromTheNetworkReachesTheHandler() throws IOException {
        try (ConfigurableApplicationContext context =
                        start(Good.class, "--carillon.listen=udp:127.0.0.1:0");
                DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            SipRuntime runtime = context.getBean(SipRuntime.class);
            String listening = runtime.listening().getFirst();
            int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
            String options =
                    """
                    OPTIONS sip:x@127.0.0.1 SIP/2.0
                    Via: SIP/2.0/UDP 127.0.0.1:%d;branch=z9hG4bK1
                    Max-Forwards: 70
                    From: <sip:a@127.0.0.1>;tag=1
                    To: <sip:x@127.0.0.1>
                    Call-ID: one
                    CSeq: 1 OPTIONS
                    Content-Length: 0

                    """
                            .formatted(phone.getLocalPort())
                            .replace("\n", "\r\n");
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
    void aRangeThatIsNoneEndsTheStartAndSaysSo() {
        assertThatThrownBy(() ->
                        start(
                                Good.class,
                                "--carillon.listen=udp:127.0.0.1:0",
                                "--carillon.egress-allow=10.0.0.0/99"))
                .hasStackTraceContaining("carillon.egress-allow: ")
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
            List<String> names =
                    Arrays.stream(CarillonProperties.class.getRecordComponents())
                            .map(RecordComponent::getName)
                            .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                            .toList();
            assertThat(names)
                    .allSatisfy(name -> assertThat(text).contains("\"carillon." + name + "\""));
        }
    }
}

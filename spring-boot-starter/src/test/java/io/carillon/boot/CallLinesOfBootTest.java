package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.pojo.Options;
import io.carillon.pojo.SipHandler;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import javax.servlet.sip.SipServletRequest;
import org.apache.logging.log4j.core.util.ContextDataProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Each line that a handler of a Boot application logs names its call, and no other. */
@ExtendWith(OutputCaptureExtension.class)
class CallLinesOfBootTest {
    private static final int CALLS = 20;
    private static final Logger LOG = LoggerFactory.getLogger(CallLinesOfBootTest.class);

    @SipHandler
    static class Logging {
        volatile Map<String, String> ofLog4j = Map.of();

        @Options
        int options(SipServletRequest request) {
            MDC.put("own", "kept");
            LOG.info("handled {}", request.getCallId());
            MDC.remove("own");
            ofLog4j = new Log4jCalls().supplyContextData();
            return 200;
        }
    }

    @Configuration
    @Import(Logging.class)
    @ImportAutoConfiguration(CarillonAutoConfiguration.class)
    static class Application {}

    /** Boot keeps them in the JVM. */
    @AfterEach
    void forgetHowItWasLogged() {
        for (LoggingSystemProperty property : LoggingSystemProperty.values()) {
            System.clearProperty(property.getEnvironmentVariableName());
        }
    }

    private static ConfigurableApplicationContext start(String logging) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        String[] arguments = {
            "--spring.main.banner-mode=off",
            "--spring.application.name=phone",
            "--carillon.listen=udp:127.0.0.1:0",
            logging
        };
        return application.run(arguments);
    }

    @Test
    void aPatternNamesTheCall(CapturedOutput output) throws IOException {
        try (ConfigurableApplicationContext context =
                        start(
                                "--logging.pattern.console=%m|%X{carillon.callId:-}|"
                                        + "%X{carillon.application:-}|%X{carillon.peer:-}|%X{own:-}|%n");
                DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int port = port(context);
            for (int i = 0; i < CALLS; i++) {
                send(phone, port, "call-" + i);
            }
            for (int i = 0; i < CALLS; i++) {
                assertThat(receive(phone)).startsWith("SIP/2.0 200 ");
            }
            LOG.info("of no call");
            List<String> lines = output.getAll().lines().toList();
            String peer = "udp:127.0.0.1:" + phone.getLocalPort();
            for (int i = 0; i < CALLS; i++) {
                String call = "call-" + i;
                assertThat(lines)
                        .contains("handled " + call + "|" + call + "|phone|" + peer + "|kept|");
            }
            assertThat(lines).contains("of no call|||||");
            assertThat(context.getBean(Logging.class).ofLog4j)
                    .as("the same for Log4j")
                    .containsEntry("carillon.application", "phone")
                    .containsKeys("carillon.callId", "carillon.session", "carillon.peer");
        }
    }

    @Test
    void linesOfJsonHaveItInTheirFields(CapturedOutput output) throws IOException {
        try (ConfigurableApplicationContext context =
                        start("--logging.structured.format.console=logstash");
                DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            send(phone, port(context), "in-json");
            assertThat(receive(phone)).startsWith("SIP/2.0 200 ");
            assertThat(output.getAll().lines().filter(line -> line.contains("handled in-json")))
                    .singleElement()
                    .asString()
                    .contains("\"carillon.callId\":\"in-json\"", "\"own\":\"kept\"");
        }
    }

    @Test
    void log4jFindsTheProvider() {
        assertThat(ServiceLoader.load(ContextDataProvider.class))
                .hasAtLeastOneElementOfType(Log4jCalls.class);
    }

    private static int port(ConfigurableApplicationContext context) {
        String listening = context.getBean(SipRuntime.class).listening().getFirst();
        return Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
    }

    private static void send(DatagramSocket phone, int port, String call) throws IOException {
        byte[] bytes =
                """
                OPTIONS sip:x@127.0.0.1 SIP/2.0
                Via: SIP/2.0/UDP 127.0.0.1:%d;branch=z9hG4bK-%s
                Max-Forwards: 70
                From: <sip:a@127.0.0.1>;tag=1
                To: <sip:x@127.0.0.1>
                Call-ID: %s
                CSeq: 1 OPTIONS
                Content-Length: 0

                """
                        .formatted(phone.getLocalPort(), call, call)
                        .replace("\n", "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        phone.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    private static String receive(DatagramSocket phone) throws IOException {
        phone.setSoTimeout(30_000);
        DatagramPacket answer = new DatagramPacket(new byte[2000], 2000);
        phone.receive(answer);
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII);
    }
}

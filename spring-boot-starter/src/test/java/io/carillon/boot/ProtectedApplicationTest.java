package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.Options;
import io.carillon.pojo.SipHandler;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What protects a server protects an application of Spring Boot: asked of its ports. */
class ProtectedApplicationTest {
    private static final int WAIT_MILLIS = 20_000;

    @SipHandler
    static class Answers {
        @Options
        int options() {
            return 200;
        }

        @Invite
        @Initial
        int invite() {
            return 180;
        }
    }

    @Configuration
    @Import(Answers.class)
    @ImportAutoConfiguration(CarillonAutoConfiguration.class)
    static class Application {}

    private static ConfigurableApplicationContext start(String listen, String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        List<String> arguments = new ArrayList<>(Arrays.asList(more));
        arguments.add("--spring.main.banner-mode=off");
        arguments.add("--carillon.shards=1");
        arguments.add("--carillon.guard.trusted=");
        arguments.add("--carillon.listen=" + listen + ":127.0.0.1:0");
        return application.run(arguments.toArray(String[]::new));
    }

    private static InetSocketAddress address(ConfigurableApplicationContext context) {
        String listening = context.getBean(SipRuntime.class).listening().getFirst();
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Sends a request and returns the status that is not provisional 100. */
    private static String answer(
            DatagramSocket from, InetSocketAddress to, String method, String callId, String more)
            throws IOException {
        send(from, to, method, callId, more);
        from.setSoTimeout(WAIT_MILLIS);
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[4000], 4000);
            from.receive(packet);
            String text =
                    new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
            if (text.contains("Call-ID: " + callId) && !text.startsWith("SIP/2.0 100 ")) {
                return text.substring("SIP/2.0 ".length(), "SIP/2.0 ".length() + 3);
            }
        }
    }

    private static void send(
            DatagramSocket from, InetSocketAddress to, String method, String callId, String more)
            throws IOException {
        String host = from.getLocalAddress().getHostAddress() + ':' + from.getLocalPort();
        String text =
                """
                %1$s sip:x@127.0.0.1 SIP/2.0
                Via: SIP/2.0/UDP %2$s;branch=z9hG4bK%3$s
                Max-Forwards: 70
                From: <sip:a@%2$s>;tag=1
                To: <sip:x@127.0.0.1>
                Call-ID: %3$s
                CSeq: 1 %1$s
                Contact: <sip:a@%2$s>
                %4$sContent-Length: 0

                """
                        .formatted(method, host, callId, more)
                        .replace("\n", "\r\n");
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        from.send(new DatagramPacket(bytes, bytes.length, to));
    }

    private static DatagramSocket phone(String address) throws IOException {
        return new DatagramSocket(0, InetAddress.getByName(address));
    }

    @Test
    void aScannerThatNamesItselfGetsNoAnswer() throws IOException {
        try (ConfigurableApplicationContext context = start("udp");
                DatagramSocket scanner = phone("127.0.0.1")) {
            InetSocketAddress to = address(context);
            send(scanner, to, "OPTIONS", "scan", "User-Agent: friendly-scanner\n");
            send(scanner, to, "OPTIONS", "honest", "");
            scanner.setSoTimeout(WAIT_MILLIS);
            DatagramPacket first = new DatagramPacket(new byte[4000], 4000);
            scanner.receive(first);
            assertThat(new String(first.getData(), StandardCharsets.US_ASCII))
                    .contains("Call-ID: honest");
        }
    }

    @Test
    void oneSourceLeavesRoomForTheCallsOfOthersAndHealthSaysWhenThereIsNone() throws IOException {
        try (ConfigurableApplicationContext context = start("udp", "--carillon.max-sessions=4");
                DatagramSocket greedy = phone("127.0.0.1");
                DatagramSocket other = phone("127.0.0.2");
                DatagramSocket third = phone("127.0.0.3")) {
            InetSocketAddress to = address(context);
            assertThat(answer(greedy, to, "INVITE", "one", "")).isEqualTo("180");
            assertThat(answer(greedy, to, "INVITE", "two", "")).isEqualTo("180");
            assertThat(answer(greedy, to, "INVITE", "three", "")).isEqualTo("503");
            assertThat(answer(other, to, "INVITE", "four", "")).isEqualTo("180");
            CarillonHealthIndicator health =
                    new CarillonHealthIndicator(context.getBean(SipRuntime.class));
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(answer(third, to, "INVITE", "five", "")).isEqualTo("180");
            assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        }
    }

    @Test
    void oneAddressHasNoMoreConnectionsThanItMay() throws IOException {
        try (ConfigurableApplicationContext context =
                        start(
                                "tcp",
                                "--carillon.guard.connections-per-address=1",
                                "--carillon.tcp.first-message-within=10m");
                Socket first = new Socket();
                Socket second = new Socket()) {
            first.connect(address(context));
            second.connect(address(context));
            second.setSoTimeout(WAIT_MILLIS);
            assertThat(second.getInputStream().read()).isNegative();
        }
    }
}

package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.SipHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Call records of an application of Spring Boot, by its properties alone. */
class RecordedApplicationTest {
    private static final int WAIT_MILLIS = 20_000;

    @TempDir Path folder;

    @SipHandler
    static class Busy {
        @Invite
        @Initial
        @SuppressWarnings("unchecked")
        int invite(SipServletRequest invite) {
            invite.getApplicationSession().setAttribute("io.carillon.cdr.account", "A-1");
            Object records =
                    invite.getSession().getServletContext().getAttribute("io.carillon.cdr.records");
            if (records != null) {
                ((Consumer<Map<String, ?>>) records).accept(Map.of("event", "busy"));
            }
            return 486;
        }
    }

    @Configuration
    @Import(Busy.class)
    @ImportAutoConfiguration(CarillonAutoConfiguration.class)
    static class Application {}

    private ConfigurableApplicationContext start(String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        List<String> arguments = new ArrayList<>(Arrays.asList(more));
        arguments.add("--spring.main.banner-mode=off");
        arguments.add("--carillon.shards=1");
        arguments.add("--carillon.application=busy");
        arguments.add("--carillon.cdr.spool=" + folder.resolve("spool"));
        arguments.add("--carillon.listen=udp:127.0.0.1:0");
        return application.run(arguments.toArray(String[]::new));
    }

    private static void call(ConfigurableApplicationContext context) throws IOException {
        String listening = context.getBean(SipRuntime.class).listening().getFirst();
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        try (DatagramSocket phone = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
            phone.setSoTimeout(WAIT_MILLIS);
            String text =
                    """
                    INVITE sip:+4930123456@127.0.0.1 SIP/2.0
                    Via: SIP/2.0/UDP 127.0.0.1:%d;branch=z9hG4bK1
                    Max-Forwards: 70
                    From: <sip:a@127.0.0.1>;tag=1
                    To: <sip:+4930123456@127.0.0.1>
                    Call-ID: one
                    CSeq: 1 INVITE
                    Contact: <sip:a@127.0.0.1>
                    Content-Length: 0

                    """
                            .formatted(phone.getLocalPort())
                            .replace("\n", "\r\n");
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            phone.send(
                    new DatagramPacket(
                            bytes, bytes.length, new InetSocketAddress("127.0.0.1", port)));
            String answer;
            do {
                DatagramPacket packet = new DatagramPacket(new byte[4000], 4000);
                phone.receive(packet);
                answer =
                        new String(
                                packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
            } while (answer.startsWith("SIP/2.0 100 "));
            assertThat(answer).startsWith("SIP/2.0 486 ");
        }
    }

    @Test
    void callsHaveRecordsInFilesAndAtAWebhookThatComesBack() throws IOException {
        List<String> bodies = new CopyOnWriteArrayList<>();
        AtomicInteger refusals = new AtomicInteger(1);
        HttpServer receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    String body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    boolean away = refusals.getAndDecrement() > 0;
                    if (!away && exchange.getRequestHeaders().containsKey("Carillon-Signature")) {
                        bodies.add(body);
                    }
                    exchange.sendResponseHeaders(away ? 503 : 204, -1);
                    exchange.close();
                });
        receiver.start();
        Path key = Files.writeString(folder.resolve("key"), "secret\n");
        Path json = folder.resolve("calls.jsonl");
        try (ConfigurableApplicationContext context =
                start(
                        "--carillon.cdr.file=" + json,
                        "--carillon.cdr.csv=" + folder.resolve("calls.csv"),
                        "--carillon.cdr.mask-digits=4",
                        "--carillon.cdr.webhook=http://127.0.0.1:"
                                + receiver.getAddress().getPort(),
                        "--carillon.cdr.webhook-key-file=" + key)) {
            call(context);
            await().until(() -> String.join("", bodies).contains("\"record\":\"final\""));
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new CarillonMetrics(context.getBean(SipRuntime.class)).bindTo(registry);
            assertThat(registry.get("carillon.cdr.records_written").functionCounter().count())
                    .isEqualTo(2);
            assertThat(registry.get("carillon.cdr.now_sinks_away").gauge().value()).isZero();
        } finally {
            receiver.stop(0);
        }
        assertThat(Files.readAllLines(json))
                .hasSize(2)
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("\"record\":\"application\"", "\"event\":\"busy\""))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains(
                                        "\"record\":\"final\"",
                                        "\"application\":\"busy\"",
                                        "\"callId\":\"one\"",
                                        "\"status\":486",
                                        "sip:+493012****@127.0.0.1",
                                        "\"fields\":{\"account\":\"A-1\"}"));
        assertThat(Files.readAllLines(folder.resolve("calls.csv"))).hasSize(3);
    }

    @Test
    void whatIsOpenWhenTheApplicationStopsHasItsRecordAndWithoutAPlaceThereIsNone()
            throws IOException {
        Path json = folder.resolve("calls.jsonl");
        try (ConfigurableApplicationContext context = start("--carillon.cdr.file=" + json)) {
            call(context);
        }
        assertThat(Files.readAllLines(json)).anyMatch(line -> line.contains("\"status\":486"));
        Files.delete(json);
        try (ConfigurableApplicationContext context = start()) {
            call(context);
            assertThat(context.getBean(SipRuntime.class).callRecords()).isEmpty();
        }
        assertThat(json).doesNotExist();
    }

    @Test
    void whatCannotBeEndsTheStartWithASentence() {
        assertThatThrownBy(() -> start("--carillon.cdr.webhook=http://127.0.0.1:1"))
                .hasStackTraceContaining("needs carillon.cdr.webhook-key-file");
        assertThatThrownBy(() ->
                        start(
                                "--carillon.cdr.webhook=http://127.0.0.1:1",
                                "--carillon.cdr.webhook-key-file=" + folder.resolve("no")))
                .hasStackTraceContaining("carillon.cdr.webhook-key-file: ")
                .hasStackTraceContaining("cannot be read");
        assertThatThrownBy(() -> start("--carillon.cdr.file=x", "--carillon.cdr.mask-digits=99"))
                .hasStackTraceContaining("carillon.cdr.mask-digits: 0 to 32: 99");
        String file = "--carillon.cdr.file=" + folder.resolve("calls.jsonl");
        try (ConfigurableApplicationContext context = start(file)) {
            assertThat(context.isRunning()).isTrue();
            assertThatThrownBy(() -> start(file)).hasStackTraceContaining("cdr.spool");
        }
    }

    @Test
    void everyPropertyHasItsMetadataAndItsRow() throws IOException {
        String metadata;
        try (var file =
                RecordProperties.class.getResourceAsStream(
                        "/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        String page = Files.readString(Path.of("../docs/guides/spring-boot.md"));
        for (RecordComponent one : RecordProperties.class.getRecordComponents()) {
            String name =
                    "carillon.cdr."
                            + one.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(metadata).contains('"' + name + '"');
            assertThat(page).contains("| `" + name + "` |");
        }
    }
}
